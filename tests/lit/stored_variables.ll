; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Variables of the program become addresses in its storage; a constant is a value where it is only loaded from.
; RUN: %opt --emit=none --passes=print-work-items %s | %filecheck %s
; RUN: %opt %s | %filecheck %s --check-prefix=RANGE
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@lanewise.variable.0 = external addrspace(1) global i32, !lanewise.stored !1
@lanewise.variable.1 = external addrspace(2) constant ptr addrspace(1), !lanewise.stored !2
@table = internal addrspace(1) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4], !lanewise.stored !3

; CHECK-LABEL: @k.item
; CHECK-DAG: %lanewise.variable.0 = getelementptr inbounds i8, ptr addrspace(1) %variables, i64 8
; CHECK-DAG: [[P:%.*]] = getelementptr inbounds i8, ptr addrspace(1) %variables, i64 16
; CHECK-DAG: [[PC:%.*]] = addrspacecast ptr addrspace(1) [[P]] to ptr addrspace(2)
; CHECK-DAG: [[TABLE:%.*]] = getelementptr inbounds i8, ptr addrspace(1) %variables, i64 32
; CHECK: load i32, ptr addrspace(1) %lanewise.variable.0
; CHECK: load ptr addrspace(1), ptr addrspace(2) [[PC]]
; CHECK: [[E:%.*]] = getelementptr i8, ptr addrspace(1) @table, i64 4
; CHECK: load i32, ptr addrspace(1) [[E]]
; CHECK: store ptr addrspace(1) [[TABLE]], ptr addrspace(1) %out
; RANGE-LABEL: void @k(
; RANGE: [[ADDRESS:%.*]] = getelementptr inbounds i8, ptr %args, i64 8
; RANGE: %variables = load ptr addrspace(1), ptr [[ADDRESS]], align 8, !invariant.load
define void @k(ptr addrspace(1) %out) !kernel_arg_addr_space !0 {
  %a = load i32, ptr addrspace(1) @lanewise.variable.0
  %b = load ptr addrspace(1), ptr addrspace(2) @lanewise.variable.1
  %c = load i32, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @table, i64 4)
  %s = add i32 %a, %c
  store i32 %s, ptr addrspace(1) %b
  store ptr addrspace(1) @table, ptr addrspace(1) %out
  ret void
}
!0 = !{i32 1}
!1 = !{i64 8}
!2 = !{i64 16}
!3 = !{i64 32}
