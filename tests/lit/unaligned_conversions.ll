; RUN: %opt --passes=unmask-bit-selects --isa=x86-64-v2 --emit=asm %s | %filecheck %s
; RUN: %opt --passes=unmask-bit-selects --isa=x86-64-v3 --emit=asm %s | %filecheck %s --check-prefix=V3
; Floats that are rounded and converted from where they are in memory: without AVX that is an operand at multiples of 16
; only.

; CHECK-LABEL: anywhere:
; CHECK: movup{{[sd]}} (%rdi), %[[X:xmm[0-9]+]]
; CHECK-NEXT: cvtps2dq %[[X]], %xmm0
; CHECK: retq
; V3-LABEL: anywhere:
; V3: vcvtps2dq (%rdi), %xmm0
define <4 x i32> @anywhere(ptr %p) {
  %x = load <4 x float>, ptr %p, align 4
  %rounded = call <4 x float> @llvm.rint.v4f32(<4 x float> %x)
  %r = fptosi <4 x float> %rounded to <4 x i32>
  ret <4 x i32> %r
}

; CHECK-LABEL: aligned:
; CHECK: cvtps2dq (%rdi), %xmm0
define <4 x i32> @aligned(ptr %p) {
  %x = load <4 x float>, ptr %p, align 16
  %rounded = call <4 x float> @llvm.rint.v4f32(<4 x float> %x)
  %r = fptosi <4 x float> %rounded to <4 x i32>
  ret <4 x i32> %r
}

; CHECK-LABEL: halves:
; CHECK: cvtps2dq (%rdi), %xmm{{[0-9]}}
; CHECK: movup{{[sd]}} 20(%rdi), %[[Y:xmm[0-9]+]]
; CHECK: cvtps2dq %[[Y]], %xmm{{[0-9]}}
define <4 x i32> @halves(ptr %p) {
  %x = load <4 x float>, ptr %p, align 16
  %other = getelementptr i8, ptr %p, i64 20
  %y = load <4 x float>, ptr %other, align 4
  %x.rounded = call <4 x float> @llvm.rint.v4f32(<4 x float> %x)
  %y.rounded = call <4 x float> @llvm.rint.v4f32(<4 x float> %y)
  %x.integer = fptosi <4 x float> %x.rounded to <4 x i32>
  %y.integer = fptosi <4 x float> %y.rounded to <4 x i32>
  %r = xor <4 x i32> %x.integer, %y.integer
  ret <4 x i32> %r
}
