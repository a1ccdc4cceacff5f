; RUN: %opt --passes=align-pointer-lanes %s | %filecheck %s
; RUN: %opt --passes=align-pointer-lanes --isa=x86-64-v2 --emit=asm %s | %filecheck %s --check-prefix=ASM
; Pointers under a mask, in which only the first one has the alignment of the vector.

; CHECK-LABEL: define void @three(
; CHECK: call void @llvm.masked.store.v4p0.p0(<4 x ptr> %v, ptr align 8 %p,
; ASM-LABEL: three:
; ASM-NOT: mov{{(aps|apd|dqa)}} %xmm{{[0-9]+}}, 8(
; ASM: retq
define void @three(ptr %p, <4 x ptr> %v) {
  call void @llvm.masked.store.v4p0.p0(<4 x ptr> %v, ptr align 32 %p, <4 x i1> <i1 true, i1 true, i1 true, i1 false>)
  ret void
}

; CHECK-LABEL: define <4 x ptr> @loaded(
; CHECK: call <4 x ptr> @llvm.masked.load.v4p0.p0(ptr align 8 %p,
define <4 x ptr> @loaded(ptr %p) {
  %v = call <4 x ptr> @llvm.masked.load.v4p0.p0(ptr align 32 %p, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x ptr> zeroinitializer)
  ret <4 x ptr> %v
}

; Less than a pointer's stays, and so do numbers.
; CHECK-LABEL: define void @others(
; CHECK: call void @llvm.masked.store.v4p0.p0(<4 x ptr> %v, ptr align 4 %p,
; CHECK: call void @llvm.masked.store.v4i64.p0(<4 x i64> %n, ptr align 32 %p,
define void @others(ptr %p, <4 x ptr> %v, <4 x i64> %n, <4 x i1> %m) {
  call void @llvm.masked.store.v4p0.p0(<4 x ptr> %v, ptr align 4 %p, <4 x i1> %m)
  call void @llvm.masked.store.v4i64.p0(<4 x i64> %n, ptr align 32 %p, <4 x i1> %m)
  ret void
}

declare void @llvm.masked.store.v4p0.p0(<4 x ptr>, ptr, <4 x i1>)
declare void @llvm.masked.store.v4i64.p0(<4 x i64>, ptr, <4 x i1>)
declare <4 x ptr> @llvm.masked.load.v4p0.p0(ptr, <4 x i1>, <4 x ptr>)
