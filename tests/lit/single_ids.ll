; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where groups are known to be one work-item wide, all work-items decide the same by that id: no "alive" byte.
; RUN: %opt --reqd-size=16,1,1 %s | %filecheck %s --check-prefix=ONE
; RUN: %opt --reqd-size=16,2,1 %s | %filecheck %s --check-prefix=TWO
; RUN: %opt %s | %filecheck %s --check-prefix=TWO
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @_Z13get_global_idj(i32)
declare i64 @_Z12get_local_idj(i32)
declare void @_Z7barrierj(i32)

; ONE-LABEL: define {{.*}}@k(
; ONE-NOT: alive
; TWO-LABEL: define {{.*}}@k(
; TWO: alive
define void @k(ptr addrspace(1) %x, i64 %n) !kernel_arg_addr_space !0 {
  %y = call i64 @_Z13get_global_idj(i32 1)
  %out = icmp uge i64 %y, %n
  br i1 %out, label %exit, label %work
work:
  call void @_Z7barrierj(i32 1)
  %p = getelementptr i8, ptr addrspace(1) %x, i64 %y
  store i8 1, ptr addrspace(1) %p
  br label %exit
exit:
  ret void
}
!0 = !{i32 1, i32 0}
