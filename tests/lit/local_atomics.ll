; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Atomics on local memory are plain: one thread runs the whole group. Those on global and unresolved pointers stay.
; RUN: %opt %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define dso_local void @k(
; CHECK-NOT: ptr addrspace(3) {{.*}} seq_cst
; CHECK: load i32, ptr addrspace(3)
; CHECK: add i32
; CHECK: store i32 {{.*}}, ptr addrspace(3)
; CHECK: icmp eq i32
; CHECK: select i1
; CHECK: atomicrmw add ptr addrspace(1) %global, i32 1 monotonic
; CHECK: atomicrmw add ptr addrspace(4) %any, i32 1 monotonic
; CHECK-NOT: cmpxchg
; CHECK: ret void
define void @k(ptr addrspace(3) %local, ptr addrspace(1) %global) !kernel_arg_addr_space !0 {
  %old = atomicrmw add ptr addrspace(3) %local, i32 1 monotonic
  %pair = cmpxchg ptr addrspace(3) %local, i32 0, i32 %old seq_cst seq_cst
  %seen = extractvalue { i32, i1 } %pair, 0
  %a = atomicrmw add ptr addrspace(1) %global, i32 1 monotonic
  %any = addrspacecast ptr addrspace(1) %global to ptr addrspace(4)
  %b = atomicrmw add ptr addrspace(4) %any, i32 1 monotonic
  ret void
}
!0 = !{i32 3, i32 1}
