; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Values across a barrier: the uniform counter is kept once per group, the address not at all, the loaded value per
; work-item.
; RUN: %opt --emit=none --passes=print-live-values %s | %filecheck %s
; RUN: %opt %s | %filecheck %s --check-prefix=CODE
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @_Z13get_global_idj(i32)
declare void @_Z7barrierj(i32)

; CHECK: ; across 1: %p (recompute) %i (group) %v (item 0+4)
; CHECK: ; item bytes 4
; The counter is loaded in front of the work-item loop, so that no work-item sees the update of another.
; CODE: region.1:
; CODE: load i32, ptr %i.kept
; CODE: region.1.items:
define void @k(ptr addrspace(1) %x, i32 %n) !kernel_arg_addr_space !0 {
entry:
  %g = call i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %g
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %work ]
  %v = load i32, ptr addrspace(1) %p
  %c = icmp slt i32 %i, %n
  br i1 %c, label %work, label %exit
work:
  call void @_Z7barrierj(i32 1)
  %sum = add i32 %v, %i
  store i32 %sum, ptr addrspace(1) %p
  %next = add i32 %i, 1
  br label %header
exit:
  ret void
}
!0 = !{i32 1, i32 0}
