; RUN: %llc -mcpu=x86-64-v4 %s -o - | %fault
; RUN: %opt --passes=verify --isa=x86-64-v4 --emit=asm %s | %filecheck %s --check-prefix=AVOIDED
; The peephole pass folds a masked load into an operation under the same mask (llvm/llvm-project pull request 161074).
; The pass for two-address instructions unfolds it again where the register that the operation keeps is used later,
; and loads the whole vector, which the program does not read. Not reported. Seen in 22.1.

; CHECK-LABEL: keeps_part:
; CHECK: vmovdqu (%rdi), %[[ALL:ymm[0-9]+]]{{$}}
; CHECK: vpaddq %[[ALL]], {{.*}} {%k1}

; AVOIDED-LABEL: keeps_part:
; AVOIDED-NOT: vmovdqu (%rdi)
; AVOIDED: (%rdi), {{.*}}{%k1}
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
