; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An `int` index to which a loop adds a `size_t`: the sum is of the index extended to 64 bits, but only its lower half is
; seen in the next iteration. So the index is one line in 64 bits, truncated where it is used, and loads are consecutive
; unless its lower half wraps.
; RUN: %opt --passes=vectorise --width=4 %s | %filecheck %s
; CHECK-LABEL: define void @sums
; CHECK: loop.uniform:
; CHECK-NEXT: %[[I:.*]] = phi i64
; CHECK: %[[SHORT:.*]] = trunc i64 %[[I]] to i32
; CHECK: icmp sle i32 %[[SHORT]], 2147483644
; CHECK: load <4 x float>
define void @sums(ptr %a, ptr %b, i64 %size, i64 %base, i64 %stride) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %after ]
  %start = add i64 %base, %id
  br label %loop
loop:
  %index = phi i64 [ %start, %items ], [ %index.next, %loop ]
  %sum = phi float [ 0.0, %items ], [ %sum.next, %loop ]
  %k = phi i32 [ 0, %items ], [ %k.next, %loop ]
  %up = shl i64 %index, 32
  %extended = ashr exact i64 %up, 32
  %p = getelementptr float, ptr %a, i64 %extended
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %index.next = add nsw i64 %extended, %stride
  %k.next = add nuw i32 %k, 1
  %again = icmp ult i32 %k.next, 4
  br i1 %again, label %loop, label %after
after:
  %q = getelementptr float, ptr %b, i64 %id
  store float %sum.next, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
; Near miss: the upper half of the sum is seen as well, so that the index begins at a number of 32 bits each time.
; CHECK-LABEL: define void @seen
; CHECK: loop.uniform:
; CHECK: %[[IN:.*]] = phi <4 x i64>
; CHECK: trunc <4 x i64> %[[IN]] to <4 x i32>
define void @seen(ptr %a, ptr %b, i64 %size, i64 %base, i64 %stride) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %after ]
  %start = add i64 %base, %id
  br label %loop
loop:
  %index = phi i64 [ %start, %items ], [ %index.next, %loop ]
  %sum = phi float [ 0.0, %items ], [ %sum.next, %loop ]
  %k = phi i32 [ 0, %items ], [ %k.next, %loop ]
  %up = shl i64 %index, 32
  %extended = ashr exact i64 %up, 32
  %p = getelementptr float, ptr %a, i64 %extended
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %index.next = add nsw i64 %extended, %stride
  %k.next = add nuw i32 %k, 1
  %again = icmp ult i32 %k.next, 4
  br i1 %again, label %loop, label %after
after:
  %q = getelementptr i64, ptr %b, i64 %id
  store i64 %index.next, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
; A use that has no value, as a store: all bits are seen.
; CHECK-LABEL: define void @stored
; CHECK: store <4 x i64>
define void @stored(ptr %a, i64 %size, i64 %base) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %sum = add i64 %base, %id
  %low = and i64 %sum, 4294967295
  %p = getelementptr i64, ptr %a, i64 %id
  store i64 %low, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
