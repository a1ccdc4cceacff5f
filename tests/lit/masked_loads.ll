; RUN: %opt --passes=unmask-bit-selects --isa=x86-64-v4 --emit=asm %s | %filecheck %s
; Loads under a mask, of which nothing else may be read, whatever is made of their values.

declare <4 x i64> @llvm.masked.load.v4i64.p0(ptr, <4 x i1>, <4 x i64>)

; Where the other lanes are a part of a vector that is used again.
; CHECK-LABEL: keeps_part:
; CHECK-NOT: vmovdqu (%rdi)
; CHECK: (%rdi), {{.*}}{%k1}
; CHECK-NOT: (%rdi)
; CHECK: retq
define void @keeps_part(ptr %p, <4 x i64> %y, <4 x i64> %x, <8 x i64> %z, <8 x i64> %keep, ptr %q) {
  %m = icmp sgt <4 x i64> %x, %y
  %part = shufflevector <8 x i64> %keep, <8 x i64> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v = call <4 x i64> @llvm.masked.load.v4i64.p0(ptr align 8 %p, <4 x i1> %m, <4 x i64> poison)
  %sum = add <4 x i64> %v, %x
  %r = select <4 x i1> %m, <4 x i64> %sum, <4 x i64> %part
  store <4 x i64> %r, ptr %q
  %other = add <8 x i64> %z, %keep
  %to = getelementptr i8, ptr %q, i64 64
  store <8 x i64> %other, ptr %to
  ret void
}

; Where nothing else is kept the load stays an operand.
; CHECK-LABEL: keeps_nothing:
; CHECK: vpaddq (%rdi), %ymm{{[0-9]+}}, %ymm0 {%k1} {z}
; CHECK: retq
define <4 x i64> @keeps_nothing(ptr %p, <4 x i64> %y, <4 x i64> %x) {
  %m = icmp sgt <4 x i64> %x, %y
  %v = call <4 x i64> @llvm.masked.load.v4i64.p0(ptr align 8 %p, <4 x i1> %m, <4 x i64> poison)
  %sum = add <4 x i64> %v, %x
  %r = select <4 x i1> %m, <4 x i64> %sum, <4 x i64> zeroinitializer
  ret <4 x i64> %r
}
