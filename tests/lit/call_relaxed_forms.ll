; RUN: %opt --passes=call-relaxed-forms %s | %filecheck %s
; Calls that Clang marks as approximate call the shorter function; other calls of the same function do not.

; CHECK-LABEL: define float @both(
; CHECK: %exact = call float @_Z3powff(float %x, float %e)
; CHECK: %near = call reassoc nsz arcp afn float @_Z16__lw_relaxed_powff(float %x, float %e)
define float @both(float %x, float %e) {
  %exact = call float @_Z3powff(float %x, float %e)
  %near = call reassoc nsz arcp afn float @_Z3powff(float %x, float %e)
  %sum = fadd float %exact, %near
  ret float %sum
}

; The library has no relaxed form of this function.
; CHECK-LABEL: define float @no_form(
; CHECK: call afn float @_Z5floorf(float %x)
define float @no_form(float %x) {
  %y = call afn float @_Z5floorf(float %x)
  ret float %y
}

declare float @_Z3powff(float, float)
declare float @_Z5floorf(float)
