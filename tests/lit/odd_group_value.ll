; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A truth value that is the same for the whole group, and lives across a barrier, is kept as a byte, of which there are
; vectors: the store stands in the loop over the work-items.
; RUN: %opt %s | %filecheck %s
; CHECK: %[[BYTE:.*]] = zext i1 %{{.*}} to i8
; CHECK: store i8 %[[BYTE]], ptr %some.kept
; CHECK-NOT: store i1
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @k(ptr addrspace(1) %x) !kernel_arg_addr_space !0 {
  %id = call i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %x, i64 %id
  %value = load i32, ptr addrspace(1) %p
  %any = call i32 @__lw_work_group_reduce_or_int(i32 %value)
  %some = icmp ne i32 %any, 0
  call void @_Z7barrierj(i32 1)
  %wide = zext i1 %some to i64
  store i64 %wide, ptr addrspace(1) %p
  ret void
}
declare i32 @__lw_work_group_reduce_or_int(i32)
declare i64 @_Z13get_global_idj(i32)
declare void @_Z7barrierj(i32)
!0 = !{i32 1}
