; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Quotients by divisors that differ, from estimates of their reciprocals: of 32 bits in double with two steps, of 16 bits
; in float with one. The reciprocal of a uniform divisor is divided for, once.
; RUN: %opt --passes=vectorise --width=16 --isa=x86-64-v4 %s | %filecheck %s
; CHECK: items.vector:
; CHECK: fdiv double 1.000000e+00, %{{.*}}
; CHECK: %[[R:.*]] = call <16 x double> @__lw_op_rcp14_d.16(<16 x double> %[[N:.*]])
; CHECK-NEXT: %[[M:.*]] = fneg <16 x double> %[[N]]
; CHECK: %[[E:.*]] = call <16 x double> @llvm.fma.v16f64(<16 x double> %[[M]], <16 x double> %[[R]], <16 x double> splat (double 0x3FF0000000010000))
; CHECK: %[[S:.*]] = call <16 x double> @llvm.fma.v16f64(<16 x double> %[[E]], <16 x double> %[[E]], <16 x double> %[[E]])
; CHECK: %[[I:.*]] = call <16 x double> @llvm.fma.v16f64(<16 x double> %[[S]], <16 x double> %[[R]], <16 x double> %[[R]])
; CHECK: %[[Q:.*]] = fmul <16 x double> %{{.*}}, %[[I]]
; CHECK: fptoui <16 x double> %[[Q]] to <16 x i32>
; CHECK: %[[R16:.*]] = call <16 x float> @__lw_op_rcp14_f.16
; CHECK: %[[E16:.*]] = call <16 x float> @llvm.fma.v16f32(<16 x float> %{{.*}}, <16 x float> %[[R16]],
; CHECK: call <16 x float> @llvm.fma.v16f32(<16 x float> %[[E16]], <16 x float> %[[R16]], <16 x float> %[[R16]])
; CHECK: fptosi <16 x float> %{{.*}} to <16 x i16>
; CHECK-NOT: rcp14
; CHECK: items.vector.end:
define void @f(ptr %a, ptr %b, ptr %c, i32 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr i32, ptr %a, i64 %id
  %v = load i32, ptr %p
  %r = getelementptr i32, ptr %b, i64 %id
  %w = load i32, ptr %r
  %q = udiv i32 %v, %n
  %m = udiv i32 %v, %w
  %s = add i32 %q, %m
  store i32 %s, ptr %p
  %r16 = getelementptr i16, ptr %c, i64 %id
  %w16 = load i16, ptr %r16
  %v16 = trunc i32 %v to i16
  %q16 = sdiv i16 %v16, %w16
  store i16 %q16, ptr %r16
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
