; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The neighbour's row in a tile, which ends at a border that the group knows: `ty + 1 < last ? ty + 1 : last`. The
; optimiser makes that llvm.smin. It is computed again after the barrier, so that its shape (one number for a row) stays
; known; from a place per work-item it would be a gather. A minimum with a number from memory, and one of floats, are
; kept.
; RUN: %opt --emit=none --passes=print-live-values %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @_Z12get_local_idj(i32)
declare i64 @_Z12get_group_idj(i32)
declare void @_Z7barrierj(i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.abs.i32(i32, i1)
declare float @llvm.minnum.f32(float, float)

; CHECK: ; across 1: %south (recompute) %apart (recompute) %read (item 0+4) %floats (item 4+4) %rest (group)
; CHECK: ; item bytes 8
define void @k(ptr addrspace(1) %x, i32 %rows) !kernel_arg_addr_space !0 {
entry:
  %l64 = call i64 @_Z12get_local_idj(i32 1)
  %l = trunc i64 %l64 to i32
  %g64 = call i64 @_Z12get_group_idj(i32 1)
  %g = trunc i64 %g64 to i32
  %rest = udiv i32 %rows, %g
  %last = call i32 @llvm.smax.i32(i32 %rest, i32 15)
  %next = add i32 %l, 1
  %south = call i32 @llvm.smin.i32(i32 %next, i32 %last)
  %apart = call i32 @llvm.abs.i32(i32 %next, i1 true)
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %l64
  %v = load i32, ptr addrspace(1) %p
  %read = call i32 @llvm.smin.i32(i32 %v, i32 %last)
  %f = sitofp i32 %l to float
  %floats = call float @llvm.minnum.f32(float %f, float 3.0)
  call void @_Z7barrierj(i32 1)
  %q = getelementptr i32, ptr addrspace(1) %x, i32 %south
  %back = fptosi float %floats to i32
  %s1 = add i32 %read, %back
  %s2 = add i32 %s1, %apart
  store i32 %s2, ptr addrspace(1) %q
  ret void
}
!0 = !{i32 1, i32 0}
