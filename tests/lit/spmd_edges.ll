; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The neighbour of a work-item, which stays inside at an edge: a condition as a number, a saturating difference, a
; reflected index. Lanes are consecutive but for some vectors, so a test comes before their loads.
; RUN: %opt --passes=vectorise --width=4 --isa=x86-64-v4 %s | %filecheck %s
; CHECK-LABEL: define void @condition
; CHECK: items.vector:
; CHECK: br i1 %{{.*}}, label %consecutive, label %scattered
; CHECK: load <4 x i32>
define void @condition(ptr %a, ptr %c, i64 %last, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %inside = icmp ult i64 %id, %last
  %one = zext i1 %inside to i64
  %index = add nuw nsw i64 %id, %one
  %p = getelementptr i32, ptr %a, i64 %index
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %c, i64 %id
  store i32 %v, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; CHECK-LABEL: define void @saturated
; CHECK: items.vector:
; CHECK: br i1 %{{.*}}, label %consecutive, label %scattered
; CHECK: load <4 x i32>
define void @saturated(ptr %a, ptr %c, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %index = call i64 @llvm.usub.sat.i64(i64 %id, i64 2)
  %p = getelementptr i32, ptr %a, i64 %index
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %c, i64 %id
  store i32 %v, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !2
exit:
  ret void
}

; CHECK-LABEL: define void @reflected
; CHECK: items.vector:
; CHECK: br i1 %{{.*}}, label %consecutive, label %scattered
; CHECK: load <4 x i32>
define void @reflected(ptr %a, ptr %c, i64 %width, i64 %twice, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %outside = icmp uge i64 %id, %width
  %not = xor i64 %id, -1
  %back = add i64 %twice, %not
  %index = select i1 %outside, i64 %back, i64 %id
  %p = getelementptr i32, ptr %a, i64 %index
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %c, i64 %id
  store i32 %v, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !3
exit:
  ret void
}

; A condition of what memory holds says nothing about neighbours.
; CHECK-LABEL: define void @of_data
; CHECK: items.vector:
; CHECK-NOT: label %consecutive
; CHECK: insertelement <4 x i32> %{{.*}}, i64 3
; CHECK-NEXT: getelementptr i32, ptr %c
define void @of_data(ptr noalias %a, ptr noalias %b, ptr noalias %c, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %r = getelementptr i32, ptr %b, i64 %id
  %w = load i32, ptr %r
  %chosen = icmp sgt i32 %w, 0
  %one = zext i1 %chosen to i64
  %index = add nuw nsw i64 %id, %one
  %p = getelementptr i32, ptr %a, i64 %index
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %c, i64 %id
  store i32 %v, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !4
exit:
  ret void
}
declare i64 @llvm.usub.sat.i64(i64, i64)
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !1}
!4 = distinct !{!4, !1}
