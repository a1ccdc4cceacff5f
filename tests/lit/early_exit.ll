; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Work-items that have returned are skipped; a branch that is provably uniform costs nothing.
; RUN: %opt --emit=none --passes=print-regions %s | %filecheck %s
; RUN: %opt %s | %filecheck %s --check-prefix=CODE
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @_Z13get_global_idj(i32)
declare i64 @_Z12get_group_idj(i32)
declare void @_Z7barrierj(i32)

; CHECK: ; region 0: starts 0, stops 1, returns, splits
; CHECK: ; region 1: starts 1, stops, returns, may have dead
; CODE: ; kernel varying: local 0, item 1,
; CODE: ; kernel uniform: local 0, item 0,
; CODE-LABEL: define {{.*}}@varying(
; CODE: region.0.stop.1:
; CODE: store i8 1,
; CODE: region.0.return:
; CODE: store i8 0,
; CODE: region.1.items:
; CODE: %alive = icmp ne i8
; CODE: br i1 %alive, label %region.1.alive, label %region.1.items.end
define void @varying(ptr addrspace(1) %x, i64 %n) !kernel_arg_addr_space !0 {
  %g = call i64 @_Z13get_global_idj(i32 0)
  %out = icmp uge i64 %g, %n
  br i1 %out, label %exit, label %work
work:
  call void @_Z7barrierj(i32 1)
  %p = getelementptr i8, ptr addrspace(1) %x, i64 %g
  store i8 1, ptr addrspace(1) %p
  br label %exit
exit:
  ret void
}

; CHECK: ; region 0: starts 0, stops 1, returns, blocks
; CODE-LABEL: define {{.*}}@uniform(
; CODE-NOT: alive
define void @uniform(ptr addrspace(1) %x, i64 %n) !kernel_arg_addr_space !0 {
  %g = call i64 @_Z12get_group_idj(i32 0)
  %out = icmp uge i64 %g, %n
  br i1 %out, label %exit, label %work
work:
  call void @_Z7barrierj(i32 1)
  %p = getelementptr i8, ptr addrspace(1) %x, i64 %g
  store i8 1, ptr addrspace(1) %p
  br label %exit
exit:
  ret void
}
!0 = !{i32 1, i32 0}
