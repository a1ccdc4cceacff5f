; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; __local variables are laid out in local memory, also where a constant expression names them.
; RUN: %opt --emit=none --passes=print-work-items %s | %filecheck %s
; RUN: %opt %s | %filecheck %s --check-prefix=INFO
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@k.flag = internal addrspace(3) global i8 undef, align 1
@k.tile = internal addrspace(3) global [8 x i32] undef, align 16
@other = internal addrspace(3) global i32 undef, align 4

; CHECK-LABEL: @k.item
; CHECK-DAG: %k.flag = getelementptr inbounds i8, ptr addrspace(3) %local.memory, i64 0
; CHECK-DAG: %k.tile = getelementptr inbounds i8, ptr addrspace(3) %local.memory, i64 16
; CHECK: store i8 1, ptr addrspace(3) %k.flag
; CHECK: getelementptr {{.*}}ptr addrspace(3) %k.tile, i64 12
; INFO: ; kernel k: local 48, item 0, group 0
; INFO-NOT: @k.tile
define void @k(ptr addrspace(1) %out) !kernel_arg_addr_space !0 {
  store i8 1, ptr addrspace(3) @k.flag
  store i32 7, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @k.tile, i64 12)
  ret void
}
!0 = !{i32 1}
