; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: (%opt %s 2>&1 || echo refused) | %filecheck %s
; CHECK: error: kernel 'k': private array of variable size
; CHECK: refused
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @k(i32 %n) !kernel_arg_addr_space !0 {
  %a = alloca i32, i32 %n
  store i32 1, ptr %a
  ret void
}
!0 = !{i32 0}
