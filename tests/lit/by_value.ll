; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Structs by value: read from the range's copy of the argument, or copied for each work-item that writes to them.
; RUN: %opt --emit=none --passes=print-work-items %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%S = type { i32, i32 }

; CHECK-LABEL: @reads.item(
; CHECK-SAME: "lanewise-constant"
; CHECK-NOT: memcpy
; CHECK: ret void
define void @reads(ptr byval(%S) align 4 %s, ptr addrspace(1) %x) !kernel_arg_addr_space !0 {
  %v = load i32, ptr %s
  store i32 %v, ptr addrspace(1) %x
  ret void
}

; CHECK-LABEL: @writes.item(
; CHECK: %s.copy = alloca %S
; CHECK: call void @llvm.memcpy{{.*}}(ptr align 4 %s.copy, ptr align 4 %s, i64 8
; CHECK: store i32 3, ptr %s.copy
define void @writes(ptr byval(%S) align 4 %s, ptr addrspace(1) %x) !kernel_arg_addr_space !0 {
  store i32 3, ptr %s
  ret void
}
!0 = !{i32 0, i32 1}
