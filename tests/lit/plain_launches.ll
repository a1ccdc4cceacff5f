; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Code for launches without offset and with whole groups: both are constants, and sizes are known to be small.
; RUN: %opt --reqd-size=16,2,1 --plain-launches %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @_Z14get_local_sizej(i32)
declare i64 @_Z17get_global_offsetj(i32)
declare i64 @_Z15get_global_sizej(i32)

; CHECK-NOT: llvm.umin
; CHECK: %global.size.x = load i64, ptr {{.*}}, !range ![[range:[0-9]+]]
; CHECK-NOT: llvm.umin
; CHECK: store i64 16, ptr addrspace(1)
; CHECK: store i64 0, ptr addrspace(1)
; CHECK: store i64 %global.size.x, ptr addrspace(1)
; CHECK: ![[range]] = !{i64 1, i64 2147483648}
define void @k(ptr addrspace(1) %x) !kernel_arg_addr_space !0 {
  %a = call i64 @_Z14get_local_sizej(i32 0)
  store i64 %a, ptr addrspace(1) %x
  %b = call i64 @_Z17get_global_offsetj(i32 0)
  store i64 %b, ptr addrspace(1) %x
  %c = call i64 @_Z15get_global_sizej(i32 0)
  store i64 %c, ptr addrspace(1) %x
  ret void
}
!0 = !{i32 1}
