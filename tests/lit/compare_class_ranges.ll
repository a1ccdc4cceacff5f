; RUN: %opt --passes=compare-class-ranges --isa=x86-64-v3 %s | %filecheck %s
; RUN: %opt --passes=compare-class-ranges --isa=x86-64-v4 %s | %filecheck %s --check-prefix=V4
; Neighbouring classes, of positive numbers or of both signs, are one comparison of encodings; with AVX-512 an instruction.

; V4-COUNT-6: call {{.*}} @llvm.is.fpclass

; CHECK-LABEL: define <8 x i1> @positive_finite(
; CHECK: %[[B:.*]] = bitcast <8 x float> %x to <8 x i32>
; CHECK: %[[S:.*]] = sub <8 x i32> %[[B]], splat (i32 1)
; CHECK: icmp ult <8 x i32> %[[S]], splat (i32 2139095039)
define <8 x i1> @positive_finite(<8 x float> %x) {
  %c = call <8 x i1> @llvm.is.fpclass.v8f32(<8 x float> %x, i32 384)
  ret <8 x i1> %c
}
; CHECK-LABEL: define i1 @normal(
; CHECK: %[[B:.*]] = bitcast double %x to i64
; CHECK: %[[A:.*]] = and i64 %[[B]], 9223372036854775807
; CHECK: %[[S:.*]] = sub i64 %[[A]], 4503599627370496
; CHECK: icmp ult i64 %[[S]], 9214364837600034816
define i1 @normal(double %x) {
  %c = call i1 @llvm.is.fpclass.f64(double %x, i32 264)
  ret i1 %c
}
; CHECK-LABEL: define i1 @infinite_or_nan(
; CHECK: %[[A:.*]] = and i32 %{{.*}}, 2147483647
; CHECK: %[[S:.*]] = sub i32 %[[A]], 2139095040
; CHECK: icmp ult i32 %[[S]], 8388608
define i1 @infinite_or_nan(float %x) {
  %c = call i1 @llvm.is.fpclass.f32(float %x, i32 519)
  ret i1 %c
}
; Near misses: one kind of NaN, negative numbers only, positive numbers with a gap.
; CHECK-LABEL: define i1 @others(
; CHECK-NOT: icmp
; CHECK: ret
define i1 @others(float %x) {
  %a = call i1 @llvm.is.fpclass.f32(float %x, i32 1)
  %b = call i1 @llvm.is.fpclass.f32(float %x, i32 24)
  %c = call i1 @llvm.is.fpclass.f32(float %x, i32 320)
  %d = or i1 %a, %b
  %e = or i1 %c, %d
  ret i1 %e
}

declare <8 x i1> @llvm.is.fpclass.v8f32(<8 x float>, i32 immarg)
declare i1 @llvm.is.fpclass.f64(double, i32 immarg)
declare i1 @llvm.is.fpclass.f32(float, i32 immarg)
