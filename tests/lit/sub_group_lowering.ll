; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A kernel with sub-groups of 8 gets two loop nests: rows where no sub-group has work-items of two rows, else one loop
; over the linear id. With sub-groups of one work-item the operations disappear.
; RUN: %opt --sub-group-size=8 %s | %filecheck %s
; RUN: %opt %s | %filecheck --check-prefix=ONE %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK: %sub.groups.in.rows = and i1
; CHECK: br i1 %sub.groups.in.rows, label %region.0.rows, label %region.0.flat
; CHECK: %sub.group.id = lshr i64 {{.*}}, 3, !lanewise.uniform
; CHECK: %sub.group.local.id = and i64 {{.*}}, 7, !lanewise.lane
; CHECK: call i32 @__lw_sub_group_reduce_add_uint(
; CHECK: call i32 @__lw_sub_group_reduce_add_uint(
; CHECK-DAG: !{!"lanewise.sub_group", i32 8}
; CHECK-DAG: !{!"lanewise.sub_group", i32 8, !"flattened"}

; ONE-NOT: sub.groups.in.rows
; ONE-NOT: call {{.*}}@__lw_sub_group
; ONE: br label %region.0
; ONE-NOT: lanewise.sub_group
define void @k(ptr addrspace(1) %x) !kernel_arg_addr_space !0 {
  %id = call i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %id
  %v = load i32, ptr addrspace(1) %p
  %sum = call i32 @__lw_sub_group_reduce_add_uint(i32 %v)
  %before = call i32 @__lw_sub_group_scan_exclusive_min_uint(i32 %v)
  %lane = call i32 @_Z22get_sub_group_local_idv()
  %number = call i32 @_Z16get_sub_group_idv()
  %s1 = add i32 %sum, %lane
  %s2 = add i32 %s1, %number
  %s3 = add i32 %s2, %before
  store i32 %s3, ptr addrspace(1) %p
  ret void
}
declare i64 @_Z13get_global_idj(i32)
declare i32 @__lw_sub_group_reduce_add_uint(i32)
declare i32 @__lw_sub_group_scan_exclusive_min_uint(i32)
declare i32 @_Z22get_sub_group_local_idv()
declare i32 @_Z16get_sub_group_idv()
!0 = !{i32 1}
