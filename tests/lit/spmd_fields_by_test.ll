; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Fields of structures whose index may wrap: one test for all of them, and each lane by itself where it fails.
; RUN: %opt --passes=vectorise --width=4 --isa=x86-64-v3 %s | %filecheck %s

; CHECK-LABEL: define void @wraps(
; CHECK: items.vector:
; CHECK: %[[FITS:.*]] = icmp ule i32 %{{.*}}, -10
; CHECK: br i1 %[[FITS]], label %together, label %apart
; CHECK: together:
; CHECK: load <12 x i8>
; CHECK: apart:
; CHECK-COUNT-12: load i8, ptr
; CHECK: accessed:
; CHECK: br i1 %{{.*}}, label %[[TOGETHER:.*]], label %[[APART:.*]], !lanewise.forms
; CHECK: [[TOGETHER]]:
; CHECK: store <12 x i8>
; CHECK: [[APART]]:
; CHECK-COUNT-12: store i8
; CHECK: label %items.vector.end
define void @wraps(ptr noalias %a, ptr noalias %b, i32 %base, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %x = trunc i64 %id to i32
  %pixel = mul i32 %x, 3
  %i = add i32 %pixel, %base
  %e = zext i32 %i to i64
  %p0 = getelementptr i8, ptr %a, i64 %e
  %p1 = getelementptr i8, ptr %p0, i64 1
  %p2 = getelementptr i8, ptr %p0, i64 2
  %v0 = load i8, ptr %p0
  %v2 = load i8, ptr %p2
  %v1 = load i8, ptr %p1
  %q0 = getelementptr i8, ptr %b, i64 %e
  %q1 = getelementptr i8, ptr %q0, i64 1
  %q2 = getelementptr i8, ptr %q0, i64 2
  store i8 %v2, ptr %q0
  store i8 %v1, ptr %q1
  store i8 %v0, ptr %q2
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; An index of 16 bits wraps to what may be another lane's structure.
; CHECK-LABEL: define void @narrow(
; CHECK: items.vector:
; CHECK-NOT: load <
; CHECK: items.vector.end:
define void @narrow(ptr noalias %a, ptr noalias %b, i16 %base, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %x = trunc i64 %id to i16
  %pair = shl i16 %x, 1
  %i = add i16 %pair, %base
  %e = zext i16 %i to i64
  %p0 = getelementptr i8, ptr %a, i64 %e
  %p1 = getelementptr i8, ptr %p0, i64 1
  %v0 = load i8, ptr %p0
  %v1 = load i8, ptr %p1
  %s = add i8 %v0, %v1
  %q = getelementptr i8, ptr %b, i64 %id
  store i8 %s, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
