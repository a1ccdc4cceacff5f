; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A part of a struct that lives across a barrier is kept as an integer of whole bytes, of which there are vectors.
; RUN: %opt %s | %filecheck %s
; CHECK: %[[WIDE:.*]] = zext i48 %{{.*}} to i64
; CHECK: store i64 %[[WIDE]]
; CHECK: %[[BACK:.*]] = load i64
; CHECK: trunc i64 %[[BACK]] to i48
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @k(ptr addrspace(1) %x) !kernel_arg_addr_space !0 {
  %id = call i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %x, i64 %id
  %v = load i48, ptr addrspace(1) %p
  call void @_Z7barrierj(i32 1)
  %q = getelementptr i8, ptr addrspace(1) %p, i64 1
  store i48 %v, ptr addrspace(1) %q
  ret void
}
declare i64 @_Z13get_global_idj(i32)
declare void @_Z7barrierj(i32)
!0 = !{i32 1}
