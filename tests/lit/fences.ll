; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Fences: within a group only the compiler has to keep the order.
; RUN: %opt --emit=none --passes=print-work-items %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare void @_Z9mem_fencej(i32)
declare void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32, i32, i32)

; CHECK-LABEL: @k.item
; CHECK: fence syncscope("singlethread") acq_rel
; CHECK: fence acq_rel
; CHECK: fence syncscope("singlethread") seq_cst
; CHECK: fence seq_cst
; CHECK-NEXT: ret void
define void @k() !kernel_arg_addr_space !0 {
  call void @_Z9mem_fencej(i32 1)
  call void @_Z9mem_fencej(i32 2)
  call void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 3, i32 5, i32 1)
  call void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 2, i32 5, i32 2)
  call void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 2, i32 0, i32 2)
  ret void
}
!0 = !{}
