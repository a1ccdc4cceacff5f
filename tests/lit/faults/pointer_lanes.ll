; RUN: %llc -mcpu=x86-64-v2 %s -o - | %fault
; RUN: %opt --passes=align-pointer-lanes --isa=x86-64-v2 --emit=asm %s | %filecheck %s --check-prefix=AVOIDED
; ScalarizeMaskedMemIntrin takes the alignment of a lane from the size of the element in bits, which is 0 for
; pointers: each lane gets the alignment of the vector. Not reported. Seen in 22.1.

; Lanes 1 and 2, of which the first lies at 8, are stored by an instruction that faults where the address is no
; multiple of 16.
; CHECK-LABEL: later:
; CHECK: mov{{aps|apd|dqa}} %xmm{{[0-9]+}}, 8(%rdi)

; AVOIDED-LABEL: later:
; AVOIDED: mov{{ups|upd|dqu}} %xmm{{[0-9]+}}, 8(%rdi)
define void @later(ptr %p, <4 x ptr> %v) {
  call void @llvm.masked.store.v4p0.p0(<4 x ptr> %v, ptr align 32 %p, <4 x i1> <i1 false, i1 true, i1 true, i1 false>)
  ret void
}
