; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; `for (uint k = get_local_id(0); k < 65536; k += get_local_size(0)) ... in[get_group_id(0) * 65536 + k]` as InstCombine leaves
; it: a counter of 64 bits whose upper bits nobody wants, a test of its bits for the bound, and an addition by `or`.
; RUN: %opt --passes=vectorise --width=4 --isa=x86-64-v4 %s | %filecheck %s

; CHECK-LABEL: define void @bounded(
; CHECK: phi i32
; CHECK: add i32 %{{.*}}, %
; CHECK: consecutive
; CHECK: call <4 x i32> @llvm.masked.load
; CHECK: ret void
; The base may have bits of the counter: no addition.
; CHECK-LABEL: define void @overlapping(
; CHECK-NOT: masked.load
; CHECK: ret void
; The next round begins at fewer bits than the bound leaves: the counter is not its own low bits.
; CHECK-LABEL: define void @wrapping(
; CHECK-NOT: masked.load
; CHECK: ret void
define void @bounded(ptr %in, ptr %out, i64 %group, i64 %local, i64 %size) {
entry:
  %base = shl i64 %group, 16
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  br label %head
head:
  %k = phi i64 [ %id, %items ], [ %further, %walk ]
  %high = and i64 %k, 4294901760
  %inside = icmp eq i64 %high, 0
  br i1 %inside, label %walk, label %items.end
walk:
  %sum = or i64 %base, %k
  %index = and i64 %sum, 4294967295
  %p = getelementptr i32, ptr %in, i64 %index
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %out, i64 %id
  store i32 %v, ptr %q
  %low = and i64 %k, 65535
  %further = add nuw nsw i64 %low, %local
  br label %head
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @overlapping(ptr %in, ptr %out, i64 %group, i64 %local, i64 %size) {
entry:
  %base = shl i64 %group, 15
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  br label %head
head:
  %k = phi i64 [ %id, %items ], [ %further, %walk ]
  %high = and i64 %k, 4294901760
  %inside = icmp eq i64 %high, 0
  br i1 %inside, label %walk, label %items.end
walk:
  %sum = or i64 %base, %k
  %index = and i64 %sum, 4294967295
  %p = getelementptr i32, ptr %in, i64 %index
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %out, i64 %id
  store i32 %v, ptr %q
  %low = and i64 %k, 65535
  %further = add nuw nsw i64 %low, %local
  br label %head
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @wrapping(ptr %in, ptr %out, i64 %group, i64 %local, i64 %size) {
entry:
  %base = shl i64 %group, 16
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  br label %head
head:
  %k = phi i64 [ %id, %items ], [ %further, %walk ]
  %high = and i64 %k, 4294901760
  %inside = icmp eq i64 %high, 0
  br i1 %inside, label %walk, label %items.end
walk:
  %sum = or i64 %base, %k
  %index = and i64 %sum, 4294967295
  %p = getelementptr i32, ptr %in, i64 %index
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %out, i64 %id
  store i32 %v, ptr %q
  %low = and i64 %k, 255
  %further = add nuw nsw i64 %low, %local
  br label %head
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
