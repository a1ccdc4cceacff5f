; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %opt --passes=place-variable-arrays %s | %filecheck %s
; Arrays whose length is a constant, or computed of one, begin their function.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @known(
; CHECK-NEXT: entry:
; CHECK-NEXT: %a = alloca [24 x float], align 16
; CHECK-NOT: stack
; CHECK: ret void
define void @known(ptr %p, i64 %i) {
entry:
  br label %block
block:
  %s = call ptr @llvm.stacksave.p0()
  %n = zext i32 24 to i64
  %a = alloca float, i64 %n, align 16
  %e = getelementptr float, ptr %a, i64 %i
  store float 1.0, ptr %e
  %v = load float, ptr %a
  call void @llvm.stackrestore.p0(ptr %s)
  store float %v, ptr %p
  ret void
}

; One that each iteration makes anew, and forgets.
; CHECK-LABEL: define void @forgotten(
; CHECK-NEXT: entry:
; CHECK-NEXT: %a = alloca [4 x i32]
define void @forgotten(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %a = alloca i32, i32 4
  %e = getelementptr i32, ptr %a, i32 %k
  store i32 %k, ptr %e
  %v = load i32, ptr %a
  store i32 %v, ptr %p
  %k1 = add i32 %k, 1
  %c = icmp slt i32 %k1, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @unknown(
; CHECK: %a = alloca i32, i32 %n
define void @unknown(ptr %p, i32 %n) {
  %a = alloca i32, i32 %n
  store i32 1, ptr %a
  %v = load i32, ptr %a
  store i32 %v, ptr %p
  ret void
}
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
