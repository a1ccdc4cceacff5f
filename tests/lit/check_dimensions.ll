; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %opt --passes=check-accesses,lower-work-groups --checks=1 --merge-groups --print-changes --emit=none %s 2>&1 | %filecheck %s --allow-empty
; The ids in the report of a fault do not make another dimension the innermost loop.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @_Z13get_global_idj(i32)

; CHECK-NOT: exchange_dimensions
define void @row(ptr addrspace(1) %x, ptr addrspace(1) %y) !kernel_arg_addr_space !0 {
  %i = call i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %a = load float, ptr addrspace(1) %p
  %j = fptosi float %a to i64
  %q = getelementptr inbounds float, ptr addrspace(1) %y, i64 %j
  store float %a, ptr addrspace(1) %q
  ret void
}
!0 = !{i32 1, i32 1}
