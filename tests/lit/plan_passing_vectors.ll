; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Work-items that load vectors of the source and store them elsewhere or with other components, with little arithmetic: as
; lanes of a vector they would take them apart and put them together again.
; RUN: %opt --passes=print-vector-plans --emit=none --isa=x86-64-v4 %s | %filecheck %s

; CHECK: {{^}}; rows items: scalar, work-items pass vectors of their own on
; CHECK-NEXT: {{^}}; transposed items: scalar, work-items pass vectors of their own on
; Near misses: neighbours' vectors as they are, bytes, and more to compute than to move.
; CHECK-NEXT: {{^}}; copied items: width
; CHECK-NEXT: {{^}}; bytes items: width
; CHECK-NEXT: {{^}}; computed items: width
define void @rows(ptr %in, ptr %out, i64 %size, i64 %pitch) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr <4 x float>, ptr %in, i64 %id
  %v = load <4 x float>, ptr %p
  %row = mul i64 %id, %pitch
  %q = getelementptr <4 x float>, ptr %out, i64 %row
  store <4 x float> %v, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @transposed(ptr %in, ptr %out, i64 %size, float %scale) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr <4 x float>, ptr %in, i64 %id
  %v = load <4 x float>, ptr %p
  %p1 = getelementptr i8, ptr %p, i64 65536
  %w = load <4 x float>, ptr %p1
  %a0 = extractelement <4 x float> %v, i32 0
  %b0 = extractelement <4 x float> %w, i32 0
  %a1 = extractelement <4 x float> %v, i32 1
  %b1 = extractelement <4 x float> %w, i32 1
  %m0 = fmul float %a0, %scale
  %m1 = fmul float %b0, %scale
  %m2 = fmul float %a1, %scale
  %m3 = fmul float %b1, %scale
  %r0 = insertelement <4 x float> poison, float %m0, i32 0
  %r1 = insertelement <4 x float> %r0, float %m1, i32 1
  %r2 = insertelement <4 x float> %r1, float %m2, i32 2
  %r3 = insertelement <4 x float> %r2, float %m3, i32 3
  %q = getelementptr <4 x float>, ptr %out, i64 %id
  store <4 x float> %r3, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @copied(ptr %in, ptr %out, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr <4 x float>, ptr %in, i64 %id
  %v = load <4 x float>, ptr %p
  %q = getelementptr <4 x float>, ptr %out, i64 %id
  store <4 x float> %v, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @bytes(ptr %in, ptr %out, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr <4 x i8>, ptr %in, i64 %id
  %v = load <4 x i8>, ptr %p
  %s = shufflevector <4 x i8> %v, <4 x i8> poison, <4 x i32> <i32 2, i32 1, i32 0, i32 3>
  %q = getelementptr <4 x i8>, ptr %out, i64 %id
  store <4 x i8> %s, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @computed(ptr %in, ptr %out, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr <4 x float>, ptr %in, i64 %id
  %v = load <4 x float>, ptr %p
  %s = fmul <4 x float> %v, %v
  %t = fadd <4 x float> %s, %v
  %u = fmul <4 x float> %t, %v
  %q = getelementptr <4 x float>, ptr %out, i64 %id
  store <4 x float> %u, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
