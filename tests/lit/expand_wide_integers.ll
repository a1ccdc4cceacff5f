; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %opt --passes=expand-wide-integers %s | %filecheck %s
; Divisions and conversions of integers of more than 64 bits, for which LLVM would call functions.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @k(
; CHECK: zext i100 %a to i128
; CHECK: udiv i64
; CHECK-NOT: {{[us]div i1[0-9][0-9]}}
; CHECK: call i100 @llvm.ctlz.i100
; CHECK-NOT: uitofp i100
; CHECK-NOT: fptosi
; CHECK: ret void
define void @k(ptr %p, float %f) !kernel_arg_addr_space !0 {
  %a = load i100, ptr %p
  %bp = getelementptr i8, ptr %p, i64 48
  %b = load i100, ptr %bp
  %q = udiv i100 %a, %b
  %d = uitofp i100 %a to double
  %i = fptosi float %f to i72
  %n = getelementptr i8, ptr %p, i64 16
  store i100 %q, ptr %n
  store double %d, ptr %p
  %t = trunc i72 %i to i64
  %m = getelementptr i8, ptr %p, i64 32
  store i64 %t, ptr %m
  ret void
}

; What fits in a register stays.
; CHECK-LABEL: define void @narrow(
; CHECK: sdiv i48
; CHECK: sitofp i48
define void @narrow(ptr %p) {
  %a = load i48, ptr %p
  %q = sdiv i48 %a, 7
  %d = sitofp i48 %q to double
  store double %d, ptr %p
  ret void
}
!0 = !{i32 0, i32 0}
