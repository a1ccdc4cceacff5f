; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes that all store the same to a private variable share it: what they read at a uniform place is one scalar. A value or
; a place of its own, a store that not all lanes run, or an address that goes elsewhere gives each lane a variable.
; RUN: %opt --passes=vectorise --isa=x86-64-v3 %s | %filecheck %s

; CHECK-LABEL: define void @same(
; CHECK-NOT: %v.lanes
; CHECK: items.vector:
; CHECK-NOT: store <
; CHECK: store i32 %n, ptr %v
; CHECK: load i32, ptr %
define void @same(ptr %a, i32 %n, i64 %i, i64 %j, i64 %size) {
entry:
  %v = alloca [64 x i32], !lanewise.private !2
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  store i32 %n, ptr %v
  %at = getelementptr i32, ptr %v, i64 %i
  store i32 7, ptr %at
  %from = getelementptr i32, ptr %v, i64 %j
  %x = load i32, ptr %from
  %p = getelementptr i32, ptr %a, i64 %id
  store i32 %x, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Lanes read elements of their own from the one variable, neighbours as one vector.
; CHECK-LABEL: define void @neighbours(
; CHECK-NOT: %v.lanes
; CHECK: items.vector:
; CHECK: load <8 x i32>, ptr %
define void @neighbours(ptr %a, i32 %n, i64 %i, i64 %size) {
entry:
  %v = alloca [64 x i32], !lanewise.private !2
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %at = getelementptr i32, ptr %v, i64 %i
  store i32 %n, ptr %at
  %from = getelementptr i32, ptr %v, i64 %id
  %x = load i32, ptr %from
  %p = getelementptr i32, ptr %a, i64 %id
  store i32 %x, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !3
exit:
  ret void
}

; CHECK-LABEL: define void @values(
; CHECK: %v.lanes = alloca [2048 x i8]
define void @values(ptr %a, i64 %i, i64 %j, i64 %size) {
entry:
  %v = alloca [64 x i32], !lanewise.private !2
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr i32, ptr %a, i64 %id
  %own = load i32, ptr %p
  %at = getelementptr i32, ptr %v, i64 %i
  store i32 %own, ptr %at
  %from = getelementptr i32, ptr %v, i64 %j
  %x = load i32, ptr %from
  store i32 %x, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !4
exit:
  ret void
}

; What a variable of each lane gives is not the same for all of them in the second one either.
; CHECK-LABEL: define void @passed_on(
; CHECK-DAG: %v.lanes = alloca [2048 x i8]
; CHECK-DAG: %w.lanes = alloca [2048 x i8]
define void @passed_on(ptr %a, i64 %i, i64 %j, i64 %size) {
entry:
  %v = alloca [64 x i32], !lanewise.private !2
  %w = alloca [64 x i32], !lanewise.private !2
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %place = getelementptr i32, ptr %v, i64 %id
  store i32 1, ptr %place
  %x = load i32, ptr %v
  %at = getelementptr i32, ptr %w, i64 %i
  store i32 %x, ptr %at
  %from = getelementptr i32, ptr %w, i64 %j
  %y = load i32, ptr %from
  %p = getelementptr i32, ptr %a, i64 %id
  store i32 %y, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !5
exit:
  ret void
}

; CHECK-LABEL: define void @some_lanes(
; CHECK: %v.lanes = alloca [2048 x i8]
define void @some_lanes(ptr %a, i64 %i, i64 %j, i64 %size) {
entry:
  %v = alloca [64 x i32], !lanewise.private !2
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %after ]
  %p = getelementptr i32, ptr %a, i64 %id
  %own = load i32, ptr %p
  %at = getelementptr i32, ptr %v, i64 %i
  store i32 3, ptr %at
  %c = icmp sgt i32 %own, 5
  br i1 %c, label %then, label %after
then:
  store i32 4, ptr %at
  br label %after
after:
  %from = getelementptr i32, ptr %v, i64 %j
  %x = load i32, ptr %from
  store i32 %x, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !6
exit:
  ret void
}

; Lanes that have left the loop keep what they had stored, and a loop that all of them run may be in one that they leave.
; CHECK-LABEL: define void @some_iterations(
; CHECK-DAG: %v.lanes = alloca [2048 x i8]
; CHECK-DAG: %w.lanes = alloca [2048 x i8]
define void @some_iterations(ptr %a, i64 %i, i64 %n, i64 %size) {
entry:
  %v = alloca [64 x i32], !lanewise.private !2
  %w = alloca [64 x i32], !lanewise.private !2
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %after ]
  %p = getelementptr i32, ptr %a, i64 %id
  %own = load i64, ptr %p
  br label %loop
loop:
  %k = phi i64 [ 0, %items ], [ %k.next, %loop.end ]
  %bits = trunc i64 %k to i32
  store i32 %bits, ptr %v
  br label %inner
inner:
  %l = phi i64 [ 0, %loop ], [ %l.next, %inner ]
  %at = getelementptr i32, ptr %w, i64 %l
  store i32 %bits, ptr %at
  %l.next = add nuw i64 %l, 1
  %l.more = icmp ult i64 %l.next, %n
  br i1 %l.more, label %inner, label %loop.end
loop.end:
  %k.next = add nuw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %own
  br i1 %k.more, label %loop, label %after
after:
  %x = load i32, ptr %v
  %from = getelementptr i32, ptr %w, i64 %i
  %y = load i32, ptr %from
  %sum = add i32 %x, %y
  store i32 %sum, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !7
exit:
  ret void
}

; The address of a part is chosen by the lane.
; CHECK-LABEL: define void @chosen(
; CHECK: %v.lanes = alloca [2048 x i8]
define void @chosen(ptr %a, i64 %i, i64 %j, i64 %size) {
entry:
  %v = alloca [64 x i32], !lanewise.private !2
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr i32, ptr %a, i64 %id
  %own = load i32, ptr %p
  %c = icmp sgt i32 %own, 5
  %at = getelementptr i32, ptr %v, i64 %i
  %to = select i1 %c, ptr %at, ptr %v
  store i32 9, ptr %to
  %from = getelementptr i32, ptr %v, i64 %j
  %x = load i32, ptr %from
  store i32 %x, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !8
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
!2 = !{}
!3 = distinct !{!3, !1}
!4 = distinct !{!4, !1}
!5 = distinct !{!5, !1}
!6 = distinct !{!6, !1}
!7 = distinct !{!7, !1}
!8 = distinct !{!8, !1}
