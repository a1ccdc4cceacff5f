; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Work-item queries become arithmetic on the context; out of range dimensions give what the specification says.
; RUN: %opt --emit=none --passes=print-work-items %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @_Z13get_global_idj(i32)
declare i64 @_Z14get_local_sizej(i32)
declare i64 @_Z12get_group_idj(i32)
declare i32 @_Z12get_work_dimv()
declare i64 @_Z19get_local_linear_idv()

; CHECK-LABEL: define internal void @k.item(ptr addrspace(1) %out, i32 %d, i64 %local.id.x
; CHECK: %global.id = add i64 %group.base.y, %local.id.y
; CHECK: store i64 %global.id
; CHECK: store i64 1, ptr addrspace(1) %out
; CHECK: store i64 0, ptr addrspace(1) %out
; CHECK: icmp eq i32 %d, 2
; CHECK: select i1 {{.*}}, i64 %group.id.z, i64 0
; CHECK: icmp eq i32 %d, 0
; CHECK: zext i32 %work.dim to i64
; CHECK: store i64 %local.linear
; CHECK-NOT: call
define void @k(ptr addrspace(1) %out, i32 %d) !kernel_arg_addr_space !0 {
  %a = call i64 @_Z13get_global_idj(i32 1)
  store i64 %a, ptr addrspace(1) %out
  %b = call i64 @_Z14get_local_sizej(i32 3)
  store i64 %b, ptr addrspace(1) %out
  %c = call i64 @_Z12get_group_idj(i32 -1)
  store i64 %c, ptr addrspace(1) %out
  %e = call i64 @_Z12get_group_idj(i32 %d)
  store i64 %e, ptr addrspace(1) %out
  %f = call i32 @_Z12get_work_dimv()
  %g = zext i32 %f to i64
  store i64 %g, ptr addrspace(1) %out
  %h = call i64 @_Z19get_local_linear_idv()
  store i64 %h, ptr addrspace(1) %out
  ret void
}
!0 = !{i32 1, i32 0}
