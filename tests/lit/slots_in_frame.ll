; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where the size of a group is known and small, what lives across barriers is kept in variables of the range function,
; which hold nothing from one group to the next; otherwise in item scratch.
; RUN: %opt --reqd-size=16,2,1 --plain-launches %s | %filecheck %s
; RUN: %opt --reqd-size=8192,1,1 --plain-launches %s | %filecheck %s --check-prefix=LARGE
; RUN: %opt --plain-launches %s | %filecheck %s --check-prefix=UNKNOWN
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @_Z13get_global_idj(i32)
declare void @_Z7barrierj(i32)
declare i32 @__lw_work_group_reduce_add_int(i32)

; One slot of 4 bytes for 32 work-items: the operand is used afterwards, so it is kept anyway.
; CHECK: %slot.0 = alloca [128 x i8], align 64
; CHECK-NOT: %slot
; CHECK: group:
; CHECK: call void @llvm.lifetime.start.p0(ptr %slot.0)
; CHECK: call i32 @lanewise.work_group_reduce_add_int.of_known_size(
; CHECK: region.0.stop.1:
; CHECK: store i32
; CHECK-NOT: store i32
; CHECK: br label
; CHECK: group.end:
; CHECK: call void @llvm.lifetime.end.p0(ptr %slot.0)
; CHECK: define internal i32 @lanewise.work_group_reduce_add_int.of_known_size(
; CHECK: label %chunks, label %chunks.end, !llvm.loop ![[LOOP:[0-9]+]]
; May be unrolled: it has one property, that it has vectors already.
; CHECK: ![[LOOP]] = distinct !{![[LOOP]], ![[VECTORS:[0-9]+]]}
; CHECK: ![[VECTORS]] = !{!"llvm.loop.isvectorized", i32 1}
; LARGE-NOT: alloca [
; LARGE: getelementptr inbounds i8, ptr %item.scratch
; UNKNOWN-NOT: alloca [
; UNKNOWN: getelementptr inbounds i8, ptr %item.scratch
; UNKNOWN: call i32 @lanewise.work_group_reduce_add_int(
; UNKNOWN: label %chunks, label %chunks.end, !llvm.loop ![[LOOP:[0-9]+]]
; UNKNOWN: ![[LOOP]] = distinct !{![[LOOP]], !{{[0-9]+}}, !{{[0-9]+}}}
define void @k(ptr addrspace(1) %x) !kernel_arg_addr_space !0 {
  %g = call i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %g
  %v = load i32, ptr addrspace(1) %p
  %total = call i32 @__lw_work_group_reduce_add_int(i32 %v)
  %sum = add i32 %total, %v
  store i32 %sum, ptr addrspace(1) %p
  ret void
}
!0 = !{i32 1}
