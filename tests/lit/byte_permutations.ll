; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Pixels of three bytes, taken apart and put together: one permutation of bytes for each register where the processor has
; such (VBMI), several within 16 bytes and their combination elsewhere.
; RUN: %opt --passes=align-pointer-lanes --isa=x86-64-v4+avx512vbmi --emit=asm %s | %filecheck %s --check-prefix=VBMI
; RUN: %opt --passes=align-pointer-lanes --isa=x86-64-v4 --emit=asm %s | %filecheck %s --check-prefix=WITHOUT

; VBMI-LABEL: apart:
; VBMI: vperm{{b|i2b|t2b}}
; VBMI-NOT: vpshufb
; VBMI: retq
; WITHOUT-LABEL: apart:
; WITHOUT-NOT: vperm{{b|i2b|t2b}}
; WITHOUT: vpshufb
define <32 x i8> @apart(ptr %pixels) {
  %all = load <96 x i8>, ptr %pixels, align 1
  %green = shufflevector <96 x i8> %all, <96 x i8> poison, <32 x i32> <i32 1, i32 4, i32 7, i32 10, i32 13, i32 16, i32 19, i32 22, i32 25, i32 28, i32 31, i32 34, i32 37, i32 40, i32 43, i32 46, i32 49, i32 52, i32 55, i32 58, i32 61, i32 64, i32 67, i32 70, i32 73, i32 76, i32 79, i32 82, i32 85, i32 88, i32 91, i32 94>
  ret <32 x i8> %green
}

; VBMI-LABEL: together:
; VBMI: vperm{{b|i2b|t2b}}
; VBMI-NOT: vpshufb
; VBMI: retq
; WITHOUT-LABEL: together:
; WITHOUT-NOT: vperm{{b|i2b|t2b}}
; WITHOUT: vpshufb
define void @together(ptr %pixels, <16 x i8> %r, <16 x i8> %g, <16 x i8> %b) {
  %rg = shufflevector <16 x i8> %r, <16 x i8> %g, <48 x i32> <i32 0, i32 16, i32 poison, i32 1, i32 17, i32 poison, i32 2, i32 18, i32 poison, i32 3, i32 19, i32 poison, i32 4, i32 20, i32 poison, i32 5, i32 21, i32 poison, i32 6, i32 22, i32 poison, i32 7, i32 23, i32 poison, i32 8, i32 24, i32 poison, i32 9, i32 25, i32 poison, i32 10, i32 26, i32 poison, i32 11, i32 27, i32 poison, i32 12, i32 28, i32 poison, i32 13, i32 29, i32 poison, i32 14, i32 30, i32 poison, i32 15, i32 31, i32 poison>
  %wide = shufflevector <16 x i8> %b, <16 x i8> poison, <48 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %rgb = shufflevector <48 x i8> %rg, <48 x i8> %wide, <48 x i32> <i32 0, i32 1, i32 48, i32 3, i32 4, i32 49, i32 6, i32 7, i32 50, i32 9, i32 10, i32 51, i32 12, i32 13, i32 52, i32 15, i32 16, i32 53, i32 18, i32 19, i32 54, i32 21, i32 22, i32 55, i32 24, i32 25, i32 56, i32 27, i32 28, i32 57, i32 30, i32 31, i32 58, i32 33, i32 34, i32 59, i32 36, i32 37, i32 60, i32 39, i32 40, i32 61, i32 42, i32 43, i32 62, i32 45, i32 46, i32 63>
  store <48 x i8> %rgb, ptr %pixels, align 1
  ret void
}
