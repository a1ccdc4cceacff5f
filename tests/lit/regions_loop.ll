; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One barrier in a loop: the region before it and the region after it both contain the loop's header.
; RUN: %opt --emit=none --passes=print-regions %s | %filecheck %s
; RUN: %opt --emit=none --passes=print-regions --copy-limit=0 %s | %filecheck %s --check-prefix=ONE
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare void @_Z7barrierj(i32)

; CHECK: ; region 0: starts 0, stops 1, returns, blocks body header
; CHECK: ; region 1: starts 1, stops 1, returns, blocks after.1 header
; ONE: ; region 0: starts 0 1, stops 1, returns, blocks
; ONE-NOT: region 1
define void @k(i32 %n) !kernel_arg_addr_space !0 {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %work ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %work, label %exit
work:
  call void @_Z7barrierj(i32 1)
  %next = add i32 %i, 1
  br label %header
exit:
  ret void
}
!0 = !{i32 0}
