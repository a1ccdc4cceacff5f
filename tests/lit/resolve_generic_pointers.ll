; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Generic pointers become those that they come from, also if a variable holds them in between; a pointer that may point
; to two address spaces stays generic.
; RUN: %opt --passes=resolve-generic-pointers %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @through_variable(
; CHECK-NOT: addrspace(4)
; CHECK: atomicrmw add ptr addrspace(3) %l, i32 1 monotonic
; CHECK: ret void
define void @through_variable(ptr addrspace(3) %l) {
  %v = alloca ptr addrspace(4)
  %generic.v = addrspacecast ptr %v to ptr addrspace(4)
  %g = addrspacecast ptr addrspace(3) %l to ptr addrspace(4)
  store ptr addrspace(4) %g, ptr addrspace(4) %generic.v
  %p = load ptr addrspace(4), ptr addrspace(4) %generic.v
  %old = atomicrmw add ptr addrspace(4) %p, i32 1 monotonic
  ret void
}

; CHECK-LABEL: define void @either(
; CHECK: select i1 %c, ptr addrspace(4)
; CHECK: store i32 1, ptr addrspace(4)
define void @either(ptr addrspace(3) %l, ptr addrspace(1) %a, i1 %c) {
  %g = addrspacecast ptr addrspace(3) %l to ptr addrspace(4)
  %h = addrspacecast ptr addrspace(1) %a to ptr addrspace(4)
  %p = select i1 %c, ptr addrspace(4) %g, ptr addrspace(4) %h
  store i32 1, ptr addrspace(4) %p
  ret void
}

; CHECK-LABEL: define void @loop(
; CHECK: phi ptr addrspace(1)
; CHECK: store i32 0, ptr addrspace(1)
; CHECK-NOT: addrspace(4)
; CHECK: ret void
define void @loop(ptr addrspace(1) %a, i64 %n) {
entry:
  %begin = addrspacecast ptr addrspace(1) %a to ptr addrspace(4)
  %end = getelementptr i32, ptr addrspace(4) %begin, i64 %n
  br label %body
body:
  %p = phi ptr addrspace(4) [ %begin, %entry ], [ %next, %body ]
  store i32 0, ptr addrspace(4) %p
  %next = getelementptr i32, ptr addrspace(4) %p, i64 1
  %done = icmp eq ptr addrspace(4) %next, %end
  br i1 %done, label %exit, label %body
exit:
  ret void
}
