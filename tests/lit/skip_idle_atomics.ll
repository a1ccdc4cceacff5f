; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Relaxed minima, maxima, and, or whose result is unused look at the memory first. Other operations, other orders and
; used results stay as they are.
; RUN: %opt --passes=skip-idle-atomics %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @largest(
; CHECK: %seen = load atomic i32, ptr addrspace(1) %p monotonic, align 4
; CHECK: %[[NEW:.*]] = select
; CHECK: %changes = icmp ne i32 %[[NEW]], %seen
; CHECK: br i1 %changes, label %[[LOCK:.*]], label %[[DONE:.*]]
; CHECK: [[LOCK]]:
; CHECK-NEXT: atomicrmw umax ptr addrspace(1) %p, i32 %v monotonic, align 4
; CHECK-NEXT: br label %[[DONE]]
; CHECK: [[DONE]]:
; CHECK-NEXT: ret void
define void @largest(ptr addrspace(1) %p, i32 %v) {
  %old = atomicrmw umax ptr addrspace(1) %p, i32 %v monotonic, align 4
  ret void
}

; CHECK-LABEL: define void @all_kinds(
; CHECK: load atomic i64
; CHECK: atomicrmw min ptr
; CHECK: load atomic i64
; CHECK: atomicrmw max ptr
; CHECK: load atomic i64
; CHECK: atomicrmw umin ptr
; CHECK: load atomic i64
; CHECK: atomicrmw and ptr
; CHECK: load atomic i64
; CHECK: atomicrmw or ptr
; CHECK: ret void
define void @all_kinds(ptr %p, i64 %v) {
  %a = atomicrmw min ptr %p, i64 %v monotonic, align 8
  %b = atomicrmw max ptr %p, i64 %v monotonic, align 8
  %c = atomicrmw umin ptr %p, i64 %v monotonic, align 8
  %d = atomicrmw and ptr %p, i64 %v monotonic, align 8
  %e = atomicrmw or ptr %p, i64 %v monotonic, align 8
  ret void
}

; CHECK-LABEL: define i32 @unchanged(
; CHECK-NOT: load
; CHECK: ret i32
define i32 @unchanged(ptr %p, i32 %v) {
  %a = atomicrmw add ptr %p, i32 %v monotonic, align 4
  %b = atomicrmw xor ptr %p, i32 %v monotonic, align 4
  %c = atomicrmw max ptr %p, i32 %v acquire, align 4
  %d = atomicrmw max ptr %p, i32 %v release, align 4
  %e = atomicrmw or ptr %p, i32 %v seq_cst, align 4
  %f = atomicrmw volatile max ptr %p, i32 %v monotonic, align 4
  %used = atomicrmw max ptr %p, i32 %v monotonic, align 4
  ret i32 %used
}
