; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; y is the first dimension where it walks through memory and the kernel cannot tell the order of its work-items.
; RUN: %opt --merge-groups %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @_Z13get_global_idj(i32)
declare i64 @_Z12get_local_idj(i32)
; CHECK-LABEL: define dso_local void @rows_in_x
; CHECK: %[[Y:.*]] = add i64 %group.base.x, %local.id.x
; CHECK: %[[X:.*]] = add i64 %group.base.y, %local.id.y
; CHECK: mul i64 %[[X]], %n
; CHECK: add i64 %{{.*}}, %[[Y]]
define void @rows_in_x(ptr addrspace(1) %out, i64 %n) !kernel_arg_addr_space !0 {
  %y = call i64 @_Z13get_global_idj(i32 1)
  %x = call i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %x, %n
  %at = add i64 %row, %y
  %p = getelementptr float, ptr addrspace(1) %out, i64 %at
  store float 1.0, ptr addrspace(1) %p
  ret void
}
; CHECK-LABEL: define dso_local void @rows_in_y
; CHECK: %[[Y:.*]] = add i64 %group.base.y, %local.id.y
; CHECK: %[[X:.*]] = add i64 %group.base.x, %local.id.x
; CHECK: mul i64 %[[Y]], %n
define void @rows_in_y(ptr addrspace(1) %out, i64 %n) !kernel_arg_addr_space !0 {
  %y = call i64 @_Z13get_global_idj(i32 1)
  %x = call i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %y, %n
  %at = add i64 %row, %x
  %p = getelementptr float, ptr addrspace(1) %out, i64 %at
  store float 1.0, ptr addrspace(1) %p
  ret void
}
; The local id shows how work-items are grouped.
; CHECK-LABEL: define dso_local void @sees_groups
; CHECK: mul i64 %{{.*}}, %n
; CHECK: add i64 %{{.*}}, %local.id.y
define void @sees_groups(ptr addrspace(1) %out, i64 %n) !kernel_arg_addr_space !0 {
  %x = call i64 @_Z13get_global_idj(i32 0)
  %y = call i64 @_Z12get_local_idj(i32 1)
  %row = mul i64 %x, %n
  %at = add i64 %row, %y
  %p = getelementptr float, ptr addrspace(1) %out, i64 %at
  store float 1.0, ptr addrspace(1) %p
  ret void
}
!0 = !{i32 1, i32 0}
