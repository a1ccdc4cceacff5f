; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Addresses that LLVM has moved out of a loop: a base and constant indices, which a gather adds itself.
; RUN: %opt --passes=sink-gather-addresses %s | %filecheck %s
; RUN: %opt --passes=sink-gather-addresses --isa=x86-64-v4 --emit=asm %s | %filecheck %s --check-prefix=ASM

; CHECK-LABEL: define void @moved(
; CHECK: loop:
; CHECK: [[at:%[0-9]+]] = getelementptr i8, ptr %p, <8 x i64>
; CHECK-NEXT: %v = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 [[at]],
; CHECK: [[to:%[0-9]+]] = getelementptr i8, ptr %p, <8 x i64>
; CHECK-NEXT: call void @llvm.masked.scatter.v8f32.v8p0({{.*}}<8 x ptr> align 4 [[to]],
; ASM-LABEL: moved:
; ASM: vgatherdps (%rdi,%ymm{{[0-9]+}}), %ymm
; ASM: vscatterdps %ymm{{[0-9]+}}, (%rdi,%ymm
define void @moved(ptr %p, i32 %n, <8 x i1> %m) {
  %at = getelementptr i8, ptr %p, <8 x i64> <i64 0, i64 36, i64 72, i64 108, i64 144, i64 180, i64 216, i64 252>
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %v = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %at, <8 x i1> %m, <8 x float> zeroinitializer)
  %w = fadd <8 x float> %v, splat (float 1.0)
  call void @llvm.masked.scatter.v8f32.v8p0(<8 x float> %w, <8 x ptr> align 4 %at, <8 x i1> %m)
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Addresses that have nothing in common stay where they are, and so do those of the same block.
; CHECK-LABEL: define <8 x float> @others(
; CHECK-NEXT: %at = getelementptr i8, <8 x ptr> %p, i64 4
; CHECK-NEXT: br label %next
; CHECK: next:
; CHECK-NEXT: %v = call
; CHECK-NEXT: %near = getelementptr
; CHECK-NEXT: %w = call
define <8 x float> @others(<8 x ptr> %p, ptr %q, <8 x i64> %i, <8 x i1> %m) {
  %at = getelementptr i8, <8 x ptr> %p, i64 4
  br label %next
next:
  %v = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %at, <8 x i1> %m, <8 x float> zeroinitializer)
  %near = getelementptr i8, ptr %q, <8 x i64> %i
  %w = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %near, <8 x i1> %m, <8 x float> %v)
  ret <8 x float> %w
}
