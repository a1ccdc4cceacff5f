; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; reqd_work_group_size makes the enqueued size a constant; the last group may still be smaller.
; RUN: %opt --reqd-size=16,2,1 %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @_Z23get_enqueued_local_sizej(i32)
declare i64 @_Z14get_local_sizej(i32)

; CHECK: %local.size.x = call i64 @llvm.umin.i64(i64 16, i64
; CHECK: store i64 16, ptr addrspace(1)
; CHECK: store i64 %local.size.y, ptr addrspace(1)
define void @k(ptr addrspace(1) %x) !kernel_arg_addr_space !0 {
  %a = call i64 @_Z23get_enqueued_local_sizej(i32 0)
  store i64 %a, ptr addrspace(1) %x
  %b = call i64 @_Z14get_local_sizej(i32 1)
  store i64 %b, ptr addrspace(1) %x
  ret void
}
!0 = !{i32 1}
