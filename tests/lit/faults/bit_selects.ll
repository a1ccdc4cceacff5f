; RUN: %llc -mcpu=x86-64-v4 %s -o - | %fault
; RUN: %opt --passes=unmask-bit-selects --isa=x86-64-v4 --emit=asm %s | %filecheck %s --check-prefix=AVOIDED
; The selection of instructions moves the constant of a vpternlog under a mask from the first operand to the last, and
; reorders the table of truth for the opposite move. Upstream: llvm/llvm-project issue 157929; mended in 23.

; Lanes in %k take the low four bits of %x and the others of %y: y ^ (15 & (x ^ y)). The fault gives the bits of the
; constant where %y has bits: x ^ (y & (x ^ 15)), table 184.
; CHECK-LABEL: joined:
; CHECK: vpternlogd $184, {{.*}}(%rip){1to8}, %ymm2, %ymm1 {%k1}

; x ^ ((x ^ y) & mask) for the mask that is -16 in the lanes of %k.
; AVOIDED-LABEL: joined:
; AVOIDED: vpbroadcastd {{.*}}(%rip), %[[MASK:ymm[0-9]+]] {%k1} {z}
; AVOIDED-NOT: {%k1}
; AVOIDED: ret
define <8 x i32> @joined(<8 x i1> %k, <8 x i32> %x, <8 x i32> %y) {
  %low = and <8 x i32> %x, splat (i32 15)
  %high = and <8 x i32> %y, splat (i32 -16)
  %joined = or disjoint <8 x i32> %low, %high
  %r = select <8 x i1> %k, <8 x i32> %joined, <8 x i32> %x
  ret <8 x i32> %r
}
