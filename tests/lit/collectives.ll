; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Operations of the whole group: operands wait in item scratch, the group combines them a vector at a time, and the
; result is kept once where it is the same for all (and its uses are uniform), for each work-item where it is a scan.
; RUN: %opt --emit=none --passes=print-live-values %s | %filecheck %s
; RUN: %opt %s | %filecheck %s --check-prefix=CODE
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @_Z13get_global_idj(i32)
declare i32 @__lw_work_group_reduce_add_int(i32)
declare i32 @__lw_work_group_scan_exclusive_max_int(i32)
declare i32 @__lw_work_group_broadcast_int(i32, i64)

; CHECK: ; across 1: {{.*}}
; CHECK: ; across 2: {{.*}}%total (group)
; CHECK: ; across 3: {{.*}}%before (item

; CODE: collective.1:
; CODE: %[[TOTAL:.*]] = call i32 @lanewise.work_group_reduce_add_int(ptr
; CODE-NEXT: store i32 %[[TOTAL]], ptr %total.kept
; CODE-NEXT: br label %region.1
; CODE: collective.2:
; CODE: call void @lanewise.work_group_scan_exclusive_max_int(ptr
; CODE: collective.3:
; CODE: call i64 @llvm.umin.i64(i64 5,
; CODE: region.0.stop.1:
; CODE: store i32
; CODE: define internal i32 @lanewise.work_group_reduce_add_int(
; CODE: chunks:
; CODE: %carried = phi <16 x i32> [ zeroinitializer,
; CODE: load <16 x i32>
; CODE: add <16 x i32>
; CODE: rest:
; CODE: call <16 x i32> @llvm.masked.load
; CODE: define internal void @lanewise.work_group_scan_exclusive_max_int(
; CODE: %carried = phi i32 [ -2147483648,
; CODE: store <16 x i32>
define void @k(ptr addrspace(1) %x) !kernel_arg_addr_space !0 {
entry:
  %g = call i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %g
  %v = load i32, ptr addrspace(1) %p
  %total = call i32 @__lw_work_group_reduce_add_int(i32 %v)
  %before = call i32 @__lw_work_group_scan_exclusive_max_int(i32 %v)
  %fifth = call i32 @__lw_work_group_broadcast_int(i32 %before, i64 5)
  %some = add i32 %total, %before
  %sum = add i32 %some, %fifth
  store i32 %sum, ptr addrspace(1) %p
  ret void
}
!0 = !{i32 1}
