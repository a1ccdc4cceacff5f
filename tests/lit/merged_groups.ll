; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Groups next to each other in x run as one row if the kernel knows only global ids.
; RUN: %opt --merge-groups %s | %filecheck %s
; RUN: %opt --merge-groups --reqd-size=1,1,1 %s | %filecheck %s --check-prefix=SINGLE
; Groups of a single work-item, too: its id counts on from group to group.
; SINGLE-LABEL: define dso_local void @scale
; SINGLE: %strip.groups = call i64 @llvm.umin.i64
; SINGLE: %local.id.x = phi i64
; SINGLE: add i64 %group.base.x, %local.id.x
; CHECK-LABEL: define dso_local void @scale
; CHECK: range:
; CHECK: %strip.limit = call i64 @llvm.umax.i64
; CHECK: group:
; CHECK: %[[ROW:.*]] = sub nuw i64 %num.groups.x, %group.id.x
; CHECK: %strip.groups = call i64 @llvm.umin.i64(i64 %{{.*}}, i64 %strip.limit)
; CHECK: %[[FULL:.*]] = mul nuw i64 %enqueued.size.x, %strip.groups
; CHECK: %local.size.x = call i64 @llvm.umin.i64(i64 %[[FULL]]
; CHECK: group.end:
; CHECK: add nuw i64 %group.linear, %strip.groups
; CHECK: add nuw i64 %group.id.x, %strip.groups
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @_Z13get_global_idj(i32)
declare i64 @_Z12get_local_idj(i32)
declare i64 @_Z14get_local_sizej(i32)
declare void @_Z7barrierj(i32)
define void @scale(ptr addrspace(1) %x) !kernel_arg_addr_space !0 {
  %i = call i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %x, i64 %i
  store float 1.0, ptr addrspace(1) %p
  ret void
}
; The local id, the local size, and a barrier all show the border.
; CHECK-NOT: strip.groups
define void @sees_id(ptr addrspace(1) %x) !kernel_arg_addr_space !0 {
  %i = call i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %x, i64 %i
  store float 1.0, ptr addrspace(1) %p
  ret void
}
define void @sees_size(ptr addrspace(1) %x) !kernel_arg_addr_space !0 {
  %i = call i64 @_Z14get_local_sizej(i32 0)
  %p = getelementptr float, ptr addrspace(1) %x, i64 %i
  store float 1.0, ptr addrspace(1) %p
  ret void
}
define void @waits(ptr addrspace(1) %x) !kernel_arg_addr_space !0 {
  %i = call i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %x, i64 %i
  store float 1.0, ptr addrspace(1) %p
  call void @_Z7barrierj(i32 1)
  ret void
}
!0 = !{i32 1}
