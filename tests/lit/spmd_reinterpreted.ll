; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A vector of the kernel reinterpreted as a scalar, and back: components are joined side by side, lane after lane.
; RUN: %opt --passes=vectorise --width=8 --isa=x86-64-v3 %s | %filecheck %s
; CHECK: items.vector:
; CHECK-NOT: extractelement
; CHECK: %[[J:.*]] = shufflevector <32 x i8> %{{.*}}, <32 x i8> poison, <32 x i32> <i32 0, i32 8, i32 16, i32 24, i32 1,
; CHECK: %[[W:.*]] = bitcast <32 x i8> %[[J]] to <8 x i32>
; CHECK: %[[T:.*]] = add <8 x i32> %[[W]],
; CHECK: %[[H:.*]] = bitcast <8 x i32> %[[T]] to <16 x i16>
; CHECK: shufflevector <16 x i16> %[[H]], <16 x i16> poison, <8 x i32> <i32 1, i32 3, i32 5,
; CHECK-NOT: extractelement
; CHECK: items.vector.end:
define void @f(ptr %a, ptr %b, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr <4 x i8>, ptr %a, i64 %id
  %v = load <4 x i8>, ptr %p
  %first = extractelement <4 x i8> %v, i64 0
  %changed = add i8 %first, 5
  %built = insertelement <4 x i8> %v, i8 %changed, i64 2
  %bits = bitcast <4 x i8> %built to i32
  %more.bits = add i32 %bits, 77
  %halves = bitcast i32 %more.bits to <2 x i16>
  %h = extractelement <2 x i16> %halves, i64 1
  %q = getelementptr i16, ptr %b, i64 %id
  store i16 %h, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
