; RUN: %llc -mcpu=x86-64-v4 %s -o - | %fault
; RUN: %opt --passes=store-lone-lanes --isa=x86-64-v4 --emit=asm %s | %filecheck %s --check-prefix=AVOIDED
; A masked store whose constant mask has one lane becomes a store of that element, also where a truncation has been
; merged into it: then in the width before the truncation. Upstream: llvm/llvm-project issue 179489; mended in 23.

; 8 bytes are written where the program stores 4.
; CHECK-LABEL: first:
; CHECK: vmovlps %xmm0, (%rdi)

; AVOIDED-LABEL: first:
; AVOIDED: {{vmovss|vmovd|movl}} %{{[a-z0-9]+}}, (%rdi)
define void @first(ptr %p, <8 x i64> %v) {
  %t = trunc <8 x i64> %v to <8 x i32>
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %t, ptr align 4 %p, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  ret void
}
