; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What is frozen because it may have overflowed is the same in all work-items of a group, as its operands are: one place
; for the group, and the sum with the local id is computed again. A frozen load is not.
; RUN: %opt --emit=none --passes=print-live-values %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @_Z12get_group_idj(i32)
declare i64 @_Z12get_local_idj(i32)
declare void @_Z7barrierj(i32)

; CHECK: ; across 1:
; CHECK-DAG: %tile (group)
; CHECK-DAG: %i (recompute)
; CHECK-DAG: %other (item 0+4)
; CHECK: ; item bytes 4
define void @k(ptr addrspace(1) %x, i32 %n) !kernel_arg_addr_space !0 {
entry:
  %g = call i64 @_Z12get_group_idj(i32 0)
  %l = call i64 @_Z12get_local_idj(i32 0)
  %group = trunc i64 %g to i32
  %sum = add nsw i32 %group, %n
  %frozen = freeze i32 %sum
  %tile = srem i32 %frozen, 7
  %local = trunc i64 %l to i32
  %i = add i32 %tile, %local
  %v = load i32, ptr addrspace(1) %x
  %other = freeze i32 %v
  call void @_Z7barrierj(i32 1)
  %e = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %e
  store i32 %other, ptr addrspace(1) %p
  ret void
}

!0 = !{i32 1, i32 0}
