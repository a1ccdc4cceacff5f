; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Powers with a constant exponent become products, with the flags of the call; other exponents, and functions with a body,
; stay.
; RUN: %opt --passes=multiply-constant-powers %s | %filecheck %s
declare float @_Z3powff(float, float)
declare <4 x float> @_Z3powDv4_fS_(<4 x float>, <4 x float>)
declare double @_Z4powndi(double, i32)
declare float @_Z4powrff(float, float)

; CHECK-LABEL: define float @cube
; CHECK: %[[S:.*]] = fmul fast float %x, %x
; CHECK: fmul fast float %[[S]], %x
; CHECK-NOT: call
define float @cube(float %x) {
  %y = call fast float @_Z3powff(float %x, float 3.0)
  ret float %y
}
; CHECK-LABEL: define <4 x float> @fourth
; CHECK: %[[S:.*]] = fmul <4 x float> %x, %x
; CHECK: fmul <4 x float> %[[S]], %[[S]]
define <4 x float> @fourth(<4 x float> %x) {
  %y = call <4 x float> @_Z3powDv4_fS_(<4 x float> %x, <4 x float> splat (float 4.0))
  ret <4 x float> %y
}
; CHECK-LABEL: define float @root
; CHECK: %[[R:.*]] = call float @llvm.sqrt.f32(float %x)
; CHECK: fadd float %[[R]], 0.0
; CHECK: fcmp oeq float %x, 0xFFF0000000000000
; CHECK: select
define float @root(float %x) {
  %y = call float @_Z3powff(float %x, float 0.5)
  ret float %y
}
; CHECK-LABEL: define double @inverse
; CHECK: fdiv double 1.0
define double @inverse(double %x) {
  %y = call double @_Z4powndi(double %x, i32 -1)
  ret double %y
}
; CHECK-LABEL: define float @others
; CHECK: call float @_Z3powff(float %x, float 5.0
; CHECK: call float @_Z3powff(float %x, float %n)
; CHECK: call float @_Z4powrff(float %x, float 2.0
; CHECK: call <4 x float> @_Z3powDv4_fS_
; CHECK: call float @_Z3powXff
define float @others(float %x, float %n, <4 x float> %v) {
  %a = call float @_Z3powff(float %x, float 5.0)
  %b = call float @_Z3powff(float %x, float %n)
  %c = call float @_Z4powrff(float %x, float 2.0)
  %d = call <4 x float> @_Z3powDv4_fS_(<4 x float> %v, <4 x float> <float 2.0, float 2.0, float 3.0, float 2.0>)
  %d0 = extractelement <4 x float> %d, i32 0
  %e = call float @_Z3powXff(float %x, float 2.0)
  %r = fadd float %a, %b
  %s = fadd float %r, %c
  %t = fadd float %s, %d0
  %u = fadd float %t, %e
  ret float %u
}
define float @_Z3powXff(float %x, float %n) {
  ret float %n
}
