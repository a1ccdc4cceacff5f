; RUN: %opt --passes=keep-vector-minima --isa=armv9-a-sve256 %s | %filecheck %s
; Minima and maxima of long scalable vectors by the operations that have instructions. A signalling NaN is made quiet
; before, as the first operation ignores it; what arithmetic has computed is none.

; CHECK-LABEL: define <8 x float> @memory(
; CHECK: %[[FROZEN:.*]] = freeze <8 x float> %x
; CHECK: %[[BITS:.*]] = bitcast <8 x float> %[[FROZEN]] to <8 x i32>
; CHECK: %[[WITH:.*]] = or <8 x i32> %[[BITS]], splat (i32 4194304)
; CHECK: %[[NAN:.*]] = fcmp uno <8 x float> %[[FROZEN]], %[[FROZEN]]
; CHECK: %[[CAST:.*]] = bitcast <8 x i32> %[[WITH]] to <8 x float>
; CHECK: %[[QUIET:.*]] = select <8 x i1> %[[NAN]], <8 x float> %[[CAST]], <8 x float> %[[FROZEN]]
; CHECK: call <8 x float> @llvm.minnum.v8f32(<8 x float> %[[QUIET]], <8 x float> splat (float 1.000000e+00))
; CHECK-NOT: minimumnum
define <8 x float> @memory(<8 x float> %x) vscale_range(2,2) {
  %r = call <8 x float> @llvm.minimumnum.v8f32(<8 x float> %x, <8 x float> splat (float 1.0))
  ret <8 x float> %r
}

; CHECK-LABEL: define <4 x double> @computed(
; CHECK-NOT: select
; CHECK: call <4 x double> @llvm.maxnum.v4f64(<4 x double> %s, <4 x double> %m)
define <4 x double> @computed(<4 x double> %x, <4 x double> %y) vscale_range(2,2) {
  %s = fadd <4 x double> %x, %y
  %m = fmul <4 x double> %x, %y
  %r = call <4 x double> @llvm.maximumnum.v4f64(<4 x double> %s, <4 x double> %m)
  ret <4 x double> %r
}

; Where there are no NaNs, none is made quiet.
; CHECK-LABEL: define <16 x float> @numbers(
; CHECK-NEXT: call nnan <16 x float> @llvm.minnum.v16f32(<16 x float> %x, <16 x float> %y)
define <16 x float> @numbers(<16 x float> %x, <16 x float> %y) vscale_range(2,2) {
  %r = call nnan <16 x float> @llvm.minimumnum.v16f32(<16 x float> %x, <16 x float> %y)
  ret <16 x float> %r
}

; Left as they are: vectors of 128 bits, and functions for no scalable vectors of more.
; CHECK-LABEL: define <4 x float> @short(
; CHECK: call <4 x float> @llvm.minimumnum.v4f32(
define <4 x float> @short(<4 x float> %x, <4 x float> %y) vscale_range(2,2) {
  %r = call <4 x float> @llvm.minimumnum.v4f32(<4 x float> %x, <4 x float> %y)
  ret <4 x float> %r
}
; CHECK-LABEL: define <8 x float> @others(
; CHECK: call <8 x float> @llvm.minimumnum.v8f32(
define <8 x float> @others(<8 x float> %x, <8 x float> %y) {
  %r = call <8 x float> @llvm.minimumnum.v8f32(<8 x float> %x, <8 x float> %y)
  ret <8 x float> %r
}
