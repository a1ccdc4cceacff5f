; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A counter is uniform inside of its loop, but not behind it if work-items leave in different iterations.
; RUN: %opt --emit=none --passes=print-live-values %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @_Z12get_local_idj(i32)
declare void @_Z7barrierj(i32)

; CHECK: ; across 1: {{.*}}%i (item 0+8)
define void @k(ptr addrspace(1) %x) !kernel_arg_addr_space !0 {
entry:
  %l = call i64 @_Z12get_local_idj(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %c = icmp ult i64 %i, %l
  br i1 %c, label %loop, label %behind
behind:
  call void @_Z7barrierj(i32 1)
  store i64 %i, ptr addrspace(1) %x
  ret void
}
!0 = !{i32 1}
