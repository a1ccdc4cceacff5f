; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A second vector in flight for straight code that waits for its own results. Not for a short chain, which the processor
; overlaps with the next one by itself, nor for as many operations side by side, nor where loads of single
; lanes keep it busy; not with vectors of 128 bits, and with 512 bits, of which it starts fewer, only for the longest.
; RUN: %opt --passes=print-vector-plans --isa=x86-64-v3 --emit=none %s | %filecheck %s
; RUN: %opt --passes=print-vector-plans --isa=x86-64-v4 --emit=none %s | %filecheck %s --check-prefix=V4
; RUN: %opt --passes=print-vector-plans --isa=x86-64-v2 --emit=none %s | %filecheck %s --check-prefix=V2
; CHECK: {{^}}; chain items: width 16,
; CHECK-NEXT: {{^}}; short items: width 8,
; CHECK-NEXT: {{^}}; beside items: width 8,
; CHECK-NEXT: {{^}}; some items: width 16,
; CHECK-NEXT: {{^}}; gathers items: width 8,
; CHECK-NEXT: {{^}}; between items: width 16,
; V4: {{^}}; chain items: width 32,
; V4-NEXT: {{^}}; short items: width 16,
; V4-NEXT: {{^}}; beside items: width 16,
; V4-NEXT: {{^}}; some items: width 32,
; V4-NEXT: {{^}}; gathers items: width 16,
; V4-NEXT: {{^}}; between items: width 16,
; V2: {{^}}; chain items: width 4,
define void @chain(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr float, ptr %a, i64 %id
  %v = load float, ptr %p
  %c0 = fmul float %v, %v
  %c1 = fadd float %c0, 1.0
  %c2 = fmul float %c1, %v
  %c3 = fadd float %c2, 1.0
  %c4 = fmul float %c3, %v
  %c5 = fadd float %c4, 1.0
  %c6 = fmul float %c5, %v
  %c7 = fadd float %c6, 1.0
  %c8 = fmul float %c7, %v
  %c9 = fadd float %c8, 1.0
  %c10 = fmul float %c9, %v
  %c11 = fadd float %c10, 1.0
  %c12 = fmul float %c11, %v
  %c13 = fadd float %c12, 1.0
  %c14 = fmul float %c13, %v
  %c15 = fadd float %c14, 1.0
  %c16 = fmul float %c15, %v
  %c17 = fadd float %c16, 1.0
  %c18 = fmul float %c17, %v
  %c19 = fadd float %c18, 1.0
  %c20 = fmul float %c19, %v
  %c21 = fadd float %c20, 1.0
  %c22 = fmul float %c21, %v
  %c23 = fadd float %c22, 1.0
  %c24 = fmul float %c23, %v
  %c25 = fadd float %c24, 1.0
  %c26 = fmul float %c25, %v
  %c27 = fadd float %c26, 1.0
  %c28 = fmul float %c27, %v
  %c29 = fadd float %c28, 1.0
  %c30 = fmul float %c29, %v
  %c31 = fadd float %c30, 1.0
  %c32 = fmul float %c31, %v
  %c33 = fadd float %c32, 1.0
  %c34 = fmul float %c33, %v
  %c35 = fadd float %c34, 1.0
  %c36 = fmul float %c35, %v
  %c37 = fadd float %c36, 1.0
  %c38 = fmul float %c37, %v
  %c39 = fadd float %c38, 1.0
  store float %c39, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @short(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr float, ptr %a, i64 %id
  %v = load float, ptr %p
  %c0 = fmul float %v, %v
  %c1 = fadd float %c0, 1.0
  %c2 = fmul float %c1, %v
  %c3 = fadd float %c2, 1.0
  %c4 = fmul float %c3, %v
  %c5 = fadd float %c4, 1.0
  %c6 = fmul float %c5, %v
  %c7 = fadd float %c6, 1.0
  %c8 = fmul float %c7, %v
  %c9 = fadd float %c8, 1.0
  %c10 = fmul float %c9, %v
  %c11 = fadd float %c10, 1.0
  %c12 = fmul float %c11, %v
  %c13 = fadd float %c12, 1.0
  %c14 = fmul float %c13, %v
  %c15 = fadd float %c14, 1.0
  %c16 = fmul float %c15, %v
  %c17 = fadd float %c16, 1.0
  %c18 = fmul float %c17, %v
  %c19 = fadd float %c18, 1.0
  store float %c19, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @beside(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr float, ptr %a, i64 %id
  %v = load float, ptr %p
  %m0 = fmul float %v, 2.0
  %m1 = fmul float %v, 3.0
  %m2 = fmul float %v, 4.0
  %m3 = fmul float %v, 5.0
  %m4 = fmul float %v, 6.0
  %m5 = fmul float %v, 7.0
  %m6 = fmul float %v, 8.0
  %m7 = fmul float %v, 9.0
  %m8 = fmul float %v, 10.0
  %m9 = fmul float %v, 11.0
  %m10 = fmul float %v, 12.0
  %m11 = fmul float %v, 13.0
  %m12 = fmul float %v, 14.0
  %m13 = fmul float %v, 15.0
  %m14 = fmul float %v, 16.0
  %m15 = fmul float %v, 17.0
  %m16 = fmul float %v, 18.0
  %m17 = fmul float %v, 19.0
  %m18 = fmul float %v, 20.0
  %m19 = fmul float %v, 21.0
  %m20 = fmul float %v, 22.0
  %m21 = fmul float %v, 23.0
  %m22 = fmul float %v, 24.0
  %m23 = fmul float %v, 25.0
  %m24 = fmul float %v, 26.0
  %m25 = fmul float %v, 27.0
  %m26 = fmul float %v, 28.0
  %m27 = fmul float %v, 29.0
  %m28 = fmul float %v, 30.0
  %m29 = fmul float %v, 31.0
  %m30 = fmul float %v, 32.0
  %m31 = fmul float %v, 33.0
  %m32 = fmul float %v, 34.0
  %m33 = fmul float %v, 35.0
  %m34 = fmul float %v, 36.0
  %m35 = fmul float %v, 37.0
  %m36 = fmul float %v, 38.0
  %m37 = fmul float %v, 39.0
  %m38 = fmul float %v, 40.0
  %m39 = fmul float %v, 41.0
  %s0 = fadd float %m0, %m1
  %s1 = fadd float %m2, %m3
  %s2 = fadd float %m4, %m5
  %s3 = fadd float %m6, %m7
  %s4 = fadd float %m8, %m9
  %s5 = fadd float %m10, %m11
  %s6 = fadd float %m12, %m13
  %s7 = fadd float %m14, %m15
  %s8 = fadd float %m16, %m17
  %s9 = fadd float %m18, %m19
  %s10 = fadd float %m20, %m21
  %s11 = fadd float %m22, %m23
  %s12 = fadd float %m24, %m25
  %s13 = fadd float %m26, %m27
  %s14 = fadd float %m28, %m29
  %s15 = fadd float %m30, %m31
  %s16 = fadd float %m32, %m33
  %s17 = fadd float %m34, %m35
  %s18 = fadd float %m36, %m37
  %s19 = fadd float %m38, %m39
  %s20 = fadd float %s0, %s1
  %s21 = fadd float %s2, %s3
  %s22 = fadd float %s4, %s5
  %s23 = fadd float %s6, %s7
  %s24 = fadd float %s8, %s9
  %s25 = fadd float %s10, %s11
  %s26 = fadd float %s12, %s13
  %s27 = fadd float %s14, %s15
  %s28 = fadd float %s16, %s17
  %s29 = fadd float %s18, %s19
  %s30 = fadd float %s20, %s21
  %s31 = fadd float %s22, %s23
  %s32 = fadd float %s24, %s25
  %s33 = fadd float %s26, %s27
  %s34 = fadd float %s28, %s29
  %s35 = fadd float %s30, %s31
  %s36 = fadd float %s32, %s33
  %s37 = fadd float %s35, %s36
  %s38 = fadd float %s37, %s34
  store float %s38, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @some(ptr %a, ptr %b, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr float, ptr %a, i64 %id
  %v = load float, ptr %p
  %c0 = fmul float %v, %v
  %c1 = fadd float %c0, 1.0
  %c2 = fadd float %c1, 2.0
  %c3 = fadd float %c2, 3.0
  %c4 = fadd float %c3, 4.0
  %c5 = fadd float %c4, 5.0
  %c6 = fadd float %c5, 6.0
  %c7 = fadd float %c6, 7.0
  %c8 = fadd float %c7, 8.0
  %c9 = fadd float %c8, 9.0
  %c10 = fadd float %c9, 10.0
  %m0 = fmul float %v, 2.0
  %m1 = fmul float %v, 3.0
  %m2 = fmul float %v, 4.0
  %m3 = fmul float %v, 5.0
  %m4 = fmul float %v, 6.0
  %m5 = fmul float %v, 7.0
  %m6 = fmul float %v, 8.0
  %m7 = fmul float %v, 9.0
  %m8 = fmul float %v, 10.0
  %m9 = fmul float %v, 11.0
  %m10 = fmul float %v, 12.0
  %m11 = fmul float %v, 13.0
  %m12 = fmul float %v, 14.0
  %m13 = fmul float %v, 15.0
  %m14 = fmul float %v, 16.0
  %m15 = fmul float %v, 17.0
  %m16 = fmul float %v, 18.0
  %m17 = fmul float %v, 19.0
  %m18 = fmul float %v, 20.0
  %m19 = fmul float %v, 21.0
  %m20 = fmul float %v, 22.0
  %m21 = fmul float %v, 23.0
  %m22 = fmul float %v, 24.0
  %m23 = fmul float %v, 25.0
  %m24 = fmul float %v, 26.0
  %m25 = fmul float %v, 27.0
  %i0 = fptosi float %m0 to i32
  %q0 = getelementptr float, ptr %b, i64 0
  %w0 = load float, ptr %q0
  %r0 = getelementptr float, ptr %p, i64 1
  store float %w0, ptr %r0
  %i1 = fptosi float %m1 to i32
  %q1 = getelementptr float, ptr %b, i64 1
  %w1 = load float, ptr %q1
  %r1 = getelementptr float, ptr %p, i64 2
  store float %w1, ptr %r1
  %i2 = fptosi float %m2 to i32
  %q2 = getelementptr float, ptr %b, i64 2
  %w2 = load float, ptr %q2
  %r2 = getelementptr float, ptr %p, i64 3
  store float %w2, ptr %r2
  %n3 = getelementptr float, ptr %p, i64 103
  store float %m3, ptr %n3
  %n4 = getelementptr float, ptr %p, i64 104
  store float %m4, ptr %n4
  %n5 = getelementptr float, ptr %p, i64 105
  store float %m5, ptr %n5
  %n6 = getelementptr float, ptr %p, i64 106
  store float %m6, ptr %n6
  %n7 = getelementptr float, ptr %p, i64 107
  store float %m7, ptr %n7
  %n8 = getelementptr float, ptr %p, i64 108
  store float %m8, ptr %n8
  %n9 = getelementptr float, ptr %p, i64 109
  store float %m9, ptr %n9
  %n10 = getelementptr float, ptr %p, i64 110
  store float %m10, ptr %n10
  %n11 = getelementptr float, ptr %p, i64 111
  store float %m11, ptr %n11
  %n12 = getelementptr float, ptr %p, i64 112
  store float %m12, ptr %n12
  %n13 = getelementptr float, ptr %p, i64 113
  store float %m13, ptr %n13
  %n14 = getelementptr float, ptr %p, i64 114
  store float %m14, ptr %n14
  %n15 = getelementptr float, ptr %p, i64 115
  store float %m15, ptr %n15
  %n16 = getelementptr float, ptr %p, i64 116
  store float %m16, ptr %n16
  %n17 = getelementptr float, ptr %p, i64 117
  store float %m17, ptr %n17
  %n18 = getelementptr float, ptr %p, i64 118
  store float %m18, ptr %n18
  %n19 = getelementptr float, ptr %p, i64 119
  store float %m19, ptr %n19
  %n20 = getelementptr float, ptr %p, i64 120
  store float %m20, ptr %n20
  %n21 = getelementptr float, ptr %p, i64 121
  store float %m21, ptr %n21
  %n22 = getelementptr float, ptr %p, i64 122
  store float %m22, ptr %n22
  %n23 = getelementptr float, ptr %p, i64 123
  store float %m23, ptr %n23
  %n24 = getelementptr float, ptr %p, i64 124
  store float %m24, ptr %n24
  %n25 = getelementptr float, ptr %p, i64 125
  store float %m25, ptr %n25
  store float %c10, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @gathers(ptr %a, ptr %b, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr float, ptr %a, i64 %id
  %v = load float, ptr %p
  %c0 = fmul float %v, %v
  %c1 = fadd float %c0, 1.0
  %c2 = fadd float %c1, 2.0
  %c3 = fadd float %c2, 3.0
  %c4 = fadd float %c3, 4.0
  %c5 = fadd float %c4, 5.0
  %c6 = fadd float %c5, 6.0
  %c7 = fadd float %c6, 7.0
  %c8 = fadd float %c7, 8.0
  %c9 = fadd float %c8, 9.0
  %c10 = fadd float %c9, 10.0
  %m0 = fmul float %v, 2.0
  %m1 = fmul float %v, 3.0
  %m2 = fmul float %v, 4.0
  %m3 = fmul float %v, 5.0
  %m4 = fmul float %v, 6.0
  %m5 = fmul float %v, 7.0
  %m6 = fmul float %v, 8.0
  %m7 = fmul float %v, 9.0
  %m8 = fmul float %v, 10.0
  %m9 = fmul float %v, 11.0
  %m10 = fmul float %v, 12.0
  %m11 = fmul float %v, 13.0
  %m12 = fmul float %v, 14.0
  %m13 = fmul float %v, 15.0
  %m14 = fmul float %v, 16.0
  %m15 = fmul float %v, 17.0
  %m16 = fmul float %v, 18.0
  %m17 = fmul float %v, 19.0
  %m18 = fmul float %v, 20.0
  %m19 = fmul float %v, 21.0
  %m20 = fmul float %v, 22.0
  %m21 = fmul float %v, 23.0
  %m22 = fmul float %v, 24.0
  %m23 = fmul float %v, 25.0
  %m24 = fmul float %v, 26.0
  %m25 = fmul float %v, 27.0
  %i0 = fptosi float %m0 to i32
  %q0 = getelementptr float, ptr %b, i32 %i0
  %w0 = load float, ptr %q0
  %r0 = getelementptr float, ptr %p, i64 1
  store float %w0, ptr %r0
  %i1 = fptosi float %m1 to i32
  %q1 = getelementptr float, ptr %b, i32 %i1
  %w1 = load float, ptr %q1
  %r1 = getelementptr float, ptr %p, i64 2
  store float %w1, ptr %r1
  %i2 = fptosi float %m2 to i32
  %q2 = getelementptr float, ptr %b, i32 %i2
  %w2 = load float, ptr %q2
  %r2 = getelementptr float, ptr %p, i64 3
  store float %w2, ptr %r2
  %n3 = getelementptr float, ptr %p, i64 103
  store float %m3, ptr %n3
  %n4 = getelementptr float, ptr %p, i64 104
  store float %m4, ptr %n4
  %n5 = getelementptr float, ptr %p, i64 105
  store float %m5, ptr %n5
  %n6 = getelementptr float, ptr %p, i64 106
  store float %m6, ptr %n6
  %n7 = getelementptr float, ptr %p, i64 107
  store float %m7, ptr %n7
  %n8 = getelementptr float, ptr %p, i64 108
  store float %m8, ptr %n8
  %n9 = getelementptr float, ptr %p, i64 109
  store float %m9, ptr %n9
  %n10 = getelementptr float, ptr %p, i64 110
  store float %m10, ptr %n10
  %n11 = getelementptr float, ptr %p, i64 111
  store float %m11, ptr %n11
  %n12 = getelementptr float, ptr %p, i64 112
  store float %m12, ptr %n12
  %n13 = getelementptr float, ptr %p, i64 113
  store float %m13, ptr %n13
  %n14 = getelementptr float, ptr %p, i64 114
  store float %m14, ptr %n14
  %n15 = getelementptr float, ptr %p, i64 115
  store float %m15, ptr %n15
  %n16 = getelementptr float, ptr %p, i64 116
  store float %m16, ptr %n16
  %n17 = getelementptr float, ptr %p, i64 117
  store float %m17, ptr %n17
  %n18 = getelementptr float, ptr %p, i64 118
  store float %m18, ptr %n18
  %n19 = getelementptr float, ptr %p, i64 119
  store float %m19, ptr %n19
  %n20 = getelementptr float, ptr %p, i64 120
  store float %m20, ptr %n20
  %n21 = getelementptr float, ptr %p, i64 121
  store float %m21, ptr %n21
  %n22 = getelementptr float, ptr %p, i64 122
  store float %m22, ptr %n22
  %n23 = getelementptr float, ptr %p, i64 123
  store float %m23, ptr %n23
  %n24 = getelementptr float, ptr %p, i64 124
  store float %m24, ptr %n24
  %n25 = getelementptr float, ptr %p, i64 125
  store float %m25, ptr %n25
  store float %c10, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @between(ptr %a, ptr %b, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr float, ptr %a, i64 %id
  %q = getelementptr i32, ptr %b, i64 %id
  %c0 = load float, ptr %p
  %x = trunc i64 %id to i32
  %c1 = fmul float %c0, %c0
  %c2 = fadd float %c1, 1.0
  %c3 = fmul float %c2, %c0
  %c4 = fadd float %c3, 3.0
  %c5 = fmul float %c4, %c0
  %c6 = fadd float %c5, 5.0
  %c7 = fmul float %c6, %c0
  %c8 = fadd float %c7, 7.0
  %c9 = fmul float %c8, %c0
  %c10 = fadd float %c9, 9.0
  %c11 = fmul float %c10, %c0
  %c12 = fadd float %c11, 11.0
  %c13 = fmul float %c12, %c0
  %c14 = fadd float %c13, 13.0
  %c15 = fmul float %c14, %c0
  %c16 = fadd float %c15, 15.0
  %i0 = xor i32 %x, 3
  %i1 = mul i32 %x, 4
  %i2 = xor i32 %x, 5
  %i3 = mul i32 %x, 6
  %i4 = xor i32 %x, 7
  %i5 = mul i32 %x, 8
  %i6 = xor i32 %x, 9
  %i7 = mul i32 %x, 10
  %i8 = xor i32 %x, 11
  %i9 = mul i32 %x, 12
  %i10 = xor i32 %x, 13
  %i11 = mul i32 %x, 14
  %i12 = xor i32 %x, 15
  %i13 = mul i32 %x, 16
  %i14 = xor i32 %x, 17
  %i15 = mul i32 %x, 18
  %i16 = xor i32 %x, 19
  %i17 = mul i32 %x, 20
  %i18 = xor i32 %x, 21
  %i19 = mul i32 %x, 22
  %i20 = xor i32 %x, 23
  %i21 = mul i32 %x, 24
  %i22 = xor i32 %x, 25
  %i23 = mul i32 %x, 26
  %i24 = xor i32 %x, 27
  %i25 = mul i32 %x, 28
  %i26 = xor i32 %x, 29
  %i27 = mul i32 %x, 30
  %i28 = xor i32 %x, 31
  %i29 = mul i32 %x, 32
  %i30 = xor i32 %x, 33
  %i31 = mul i32 %x, 34
  %t0 = xor i32 %i0, %i1
  %t1 = xor i32 %i2, %i3
  %t2 = xor i32 %i4, %i5
  %t3 = xor i32 %i6, %i7
  %t4 = xor i32 %i8, %i9
  %t5 = xor i32 %i10, %i11
  %t6 = xor i32 %i12, %i13
  %t7 = xor i32 %i14, %i15
  %t8 = xor i32 %i16, %i17
  %t9 = xor i32 %i18, %i19
  %t10 = xor i32 %i20, %i21
  %t11 = xor i32 %i22, %i23
  %t12 = xor i32 %i24, %i25
  %t13 = xor i32 %i26, %i27
  %t14 = xor i32 %i28, %i29
  %t15 = xor i32 %i30, %i31
  %t16 = xor i32 %t0, %t1
  %t17 = xor i32 %t2, %t3
  %t18 = xor i32 %t4, %t5
  %t19 = xor i32 %t6, %t7
  %t20 = xor i32 %t8, %t9
  %t21 = xor i32 %t10, %t11
  %t22 = xor i32 %t12, %t13
  %t23 = xor i32 %t14, %t15
  %t24 = xor i32 %t16, %t17
  %t25 = xor i32 %t18, %t19
  %t26 = xor i32 %t20, %t21
  %t27 = xor i32 %t22, %t23
  %t28 = xor i32 %t24, %t25
  %t29 = xor i32 %t26, %t27
  %t30 = xor i32 %t28, %t29
  store float %c16, ptr %p
  store i32 %t30, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
