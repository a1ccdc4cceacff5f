; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Addresses that a gather adds itself: a base and indices of 32 bits, in one block.
; LLVM has moved these out of a loop.
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

; One base, of which each lane is a constant away, plus a number for each lane: elements of the lanes' own arrays. Sums
; that fit into 32 bits are one index.
; CHECK-LABEL: define <8 x float> @own_elements(
; CHECK-NOT: <8 x ptr> %lanes
; CHECK: [[sum:%[0-9]+]] = add nsw <8 x i32> %part, <i32 0, i32 4, i32 8,
; CHECK-NEXT: [[index:%[0-9]+]] = sext <8 x i32> [[sum]] to <8 x i64>
; CHECK-NEXT: [[at:%.*]] = getelementptr i8, ptr %p, <8 x i64> [[index]]
; CHECK-NEXT: %v = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 [[at]],
; ASM-LABEL: own_elements:
; ASM: vgatherdps (%rdi,%ymm{{[0-9]+}}), %ymm
define <8 x float> @own_elements(ptr %p, <8 x i32> %i, <8 x i1> %m) {
  %lanes = getelementptr i8, ptr %p, <8 x i64> <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28>
  br label %next
next:
  %part = and <8 x i32> %i, splat (i32 448)
  %wide = zext nneg <8 x i32> %part to <8 x i64>
  %at = getelementptr i8, <8 x ptr> %lanes, <8 x i64> %wide
  %v = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %at, <8 x i1> %m, <8 x float> zeroinitializer)
  ret <8 x float> %v
}

; A sum that may need more bits stays as it is.
; CHECK-LABEL: define <8 x float> @far_elements(
; CHECK: %at = getelementptr i8, <8 x ptr> %lanes, <8 x i64> %wide
; CHECK-NEXT: call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %at,
define <8 x float> @far_elements(ptr %p, <8 x i32> %i, <8 x i1> %m) {
  %lanes = getelementptr i8, ptr %p, <8 x i64> <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28>
  %wide = sext <8 x i32> %i to <8 x i64>
  %at = getelementptr i8, <8 x ptr> %lanes, <8 x i64> %wide
  %v = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %at, <8 x i1> %m, <8 x float> zeroinitializer)
  ret <8 x float> %v
}
