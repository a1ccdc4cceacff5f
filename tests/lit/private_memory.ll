; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Private variables: one place for all work-items unless the content lives across a barrier, the address escapes, or an
; address that may be that of this or of another variable lives across one.
; RUN: %opt --emit=none --passes=print-live-values %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare void @_Z7barrierj(i32)
declare void @llvm.lifetime.start.p0(ptr)

; CHECK-DAG: ; variable %before: stack
; CHECK-DAG: ; variable %across: item scratch
; CHECK-DAG: ; variable %after: stack
; CHECK-DAG: ; variable %escapes: item scratch
; CHECK-DAG: ; variable %reborn: stack
; CHECK-DAG: ; variable %large: group scratch
; CHECK-DAG: ; variable %chosen: item scratch
; CHECK-DAG: ; variable %chosen.after: stack
; CHECK: ; item bytes {{[0-9]+}}
define void @k(ptr addrspace(1) %x) !kernel_arg_addr_space !0 {
  %before = alloca i32
  %across = alloca i32
  %after = alloca i32
  %escapes = alloca i32
  %reborn = alloca i32
  %large = alloca [20000 x i8]
  %box = alloca ptr
  %chosen = alloca i32
  %chosen.after = alloca i32
  store ptr %escapes, ptr %box
  call void @llvm.lifetime.start.p0(ptr %reborn)
  store i32 1, ptr %reborn
  store i32 1, ptr %before
  store i32 1, ptr %across
  store i8 1, ptr %large
  %any = load ptr, ptr addrspace(1) %x
  %c = icmp eq ptr %any, null
  %choice = select i1 %c, ptr %chosen, ptr %any
  call void @_Z7barrierj(i32 1)
  store i32 1, ptr %chosen
  store i32 2, ptr %choice
  store i32 1, ptr %chosen.after
  %choice.after = select i1 %c, ptr %chosen.after, ptr %any
  store i32 2, ptr %choice.after
  call void @llvm.lifetime.start.p0(ptr %reborn)
  %v = load i32, ptr %across
  store i32 %v, ptr %after
  store i32 %v, ptr %reborn
  ret void
}
!0 = !{i32 1}
