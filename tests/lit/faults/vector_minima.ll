; RUN: %llc -mtriple=aarch64-unknown-linux-gnu %s -o - | %fault
; RUN: %opt --passes=keep-vector-minima --isa=armv9-a-sve256 --emit=asm %s | %filecheck %s --check-prefix=AVOIDED
; Minima of scalable vectors of one length, which LLVM takes apart where they are longer than 128 bits. Upstream:
; llvm/llvm-project pull request 185074, in 23.

; CHECK-LABEL: smaller:
; CHECK-NOT: fminnm z
; CHECK: fcsel
; CHECK: fcsel
; CHECK: ret

; AVOIDED-LABEL: smaller:
; AVOIDED-NOT: fcsel
; AVOIDED: fminnm z{{[0-9]+}}.s
; AVOIDED-NOT: fcsel
; AVOIDED: ret
define void @smaller(ptr %p, ptr %q) vscale_range(2,2) "target-features"="+v9a,+sve2" {
  %x = load <8 x float>, ptr %p, align 4
  %y = load <8 x float>, ptr %q, align 4
  %least = call <8 x float> @llvm.minimumnum.v8f32(<8 x float> %x, <8 x float> %y)
  store <8 x float> %least, ptr %p, align 4
  ret void
}
