; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %opt --passes=check-undefined --checks=4 %s | %filecheck %s
; What nobody has written is followed to branches, addresses and global memory.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @output(
; CHECK: %a.shadow = alloca [4 x i8]
; CHECK: call void @llvm.memset{{.*}}(ptr {{.*}}%a.shadow, i8 -1, i64 4
; CHECK: %v = load i32, ptr %a
; CHECK-NEXT: %[[S:.*]] = load i32, ptr %a.shadow
; CHECK: %w = and i32 %v, 7
; CHECK: %[[BAD:.*]] = icmp ne i32 %{{.*}}, 0
; CHECK: br i1 %[[BAD]]
; CHECK: call i64 @__lw_check(
; CHECK: store i32 %w, ptr addrspace(1) %x
define void @output(ptr addrspace(1) %x) !kernel_arg_addr_space !0 {
  %a = alloca i32
  %v = load i32, ptr %a
  %w = and i32 %v, 7
  store i32 %w, ptr addrspace(1) %x
  ret void
}

; An argument is defined.
; CHECK-LABEL: define void @defined(
; CHECK-NOT: br
; CHECK: ret void
define void @defined(ptr addrspace(1) %x, i32 %n) !kernel_arg_addr_space !1 {
  store i32 %n, ptr addrspace(1) %x
  ret void
}
!0 = !{i32 1}
!1 = !{i32 1, i32 0}
