; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Pairs of 32 bits that each lane loads from an address of its own: as numbers of 64 bits into halves of registers, in an order in
; which shuffles within 128 bits take the components out. Not for pairs of other sizes, nor for four components.
; RUN: %opt --passes=vectorise --width=8 %s | %filecheck %s
; CHECK-LABEL: define void @pairs
; CHECK: items.vector:
; CHECK-COUNT-8: load <2 x float>
; CHECK: insertelement <2 x double>
; CHECK: shufflevector <8 x float> %[[A:.*]], <8 x float> %[[B:.*]], <8 x i32> <i32 0, i32 2, i32 8, i32 10, i32 4, i32 6, i32 12, i32 14>
; CHECK: shufflevector <8 x float> %[[A]], <8 x float> %[[B]], <8 x i32> <i32 1, i32 3, i32 9, i32 11, i32 5, i32 7, i32 13, i32 15>
; CHECK-LABEL: define void @halves
; CHECK-NOT: insertelement <2 x double>
; CHECK-LABEL: define void @fours
; CHECK-NOT: insertelement <2 x double>
define void @pairs(ptr %a, ptr %b, ptr %index, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %q = getelementptr i32, ptr %index, i64 %id
  %i = load i32, ptr %q
  %e = sext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %e
  %v = load <2 x float>, ptr %p, align 2
  %e0 = extractelement <2 x float> %v, i64 0
  %e1 = extractelement <2 x float> %v, i64 1
  %s = fadd float %e0, %e1
  %r = getelementptr float, ptr %b, i64 %id
  store float %s, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @halves(ptr %a, ptr %b, ptr %index, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %q = getelementptr i32, ptr %index, i64 %id
  %i = load i32, ptr %q
  %e = sext i32 %i to i64
  %p = getelementptr i16, ptr %a, i64 %e
  %v = load <2 x i16>, ptr %p, align 2
  %e0 = extractelement <2 x i16> %v, i64 0
  %e1 = extractelement <2 x i16> %v, i64 1
  %s = add i16 %e0, %e1
  %r = getelementptr i16, ptr %b, i64 %id
  store i16 %s, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !2
exit:
  ret void
}
define void @fours(ptr %a, ptr %b, ptr %index, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %q = getelementptr i32, ptr %index, i64 %id
  %i = load i32, ptr %q
  %e = sext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %e
  %v = load <4 x float>, ptr %p, align 2
  %e0 = extractelement <4 x float> %v, i64 0
  %e1 = extractelement <4 x float> %v, i64 1
  %e2 = extractelement <4 x float> %v, i64 2
  %e3 = extractelement <4 x float> %v, i64 3
  %s = fadd float %e0, %e1
  %r = getelementptr float, ptr %b, i64 %id
  store float %s, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !3
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !1}
