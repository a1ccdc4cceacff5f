; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Loops that compare and exchange until no other thread interferes become one atomic operation; loops that do anything
; else stay as they are.
; RUN: %opt --passes=simplify-exchange-loops %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; The value is loaded again in each iteration.
; CHECK-LABEL: define float @read_again(
; CHECK: %[[OLD:.*]] = atomicrmw fadd ptr addrspace(1) %p, float %v seq_cst, align 4
; CHECK-NOT: cmpxchg
; CHECK: ret float %[[OLD]]
define float @read_again(ptr addrspace(1) %p, float %v) {
entry:
  br label %loop
loop:
  %old = load volatile float, ptr addrspace(1) %p
  %new = fadd float %v, %old
  %old.bits = bitcast float %old to i32
  %new.bits = bitcast float %new to i32
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old.bits, i32 %new.bits seq_cst seq_cst, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = icmp eq i32 %seen, %old.bits
  br i1 %done, label %exit, label %loop
exit:
  ret float %old
}

; The next iteration expects what the exchange has found; the loop continues while its condition is true.
; CHECK-LABEL: define i32 @carried_on(
; CHECK: %[[OLD:.*]] = atomicrmw max ptr addrspace(1) %p, i32 %v monotonic, align 4
; CHECK-NOT: cmpxchg
; CHECK: ret i32 %[[OLD]]
define i32 @carried_on(ptr addrspace(1) %p, i32 %v) {
entry:
  %first = load i32, ptr addrspace(1) %p
  br label %loop
loop:
  %old = phi i32 [ %first, %entry ], [ %seen, %loop ]
  %new = call i32 @llvm.smax.i32(i32 %old, i32 %v)
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %new monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %again = icmp ne i32 %seen, %old
  br i1 %again, label %loop, label %exit
exit:
  ret i32 %old
}

; The exchange's own result says whether it succeeded, and *expected is written only on failure. Subtraction only in
; this order.
; CHECK-LABEL: define void @by_success(
; CHECK: atomicrmw sub ptr addrspace(1) %p, i32 %v monotonic, align 4
; CHECK-NOT: cmpxchg
; CHECK: ret void
define void @by_success(ptr addrspace(1) %p, i32 %v) {
entry:
  br label %loop
loop:
  %old = phi i32 [ 0, %entry ], [ %next, %loop ]
  %new = sub i32 %old, %v
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %new monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  %next = select i1 %done, i32 %old, i32 %seen
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; v - old is no atomic operation.
; CHECK-LABEL: define void @other_way_round(
; CHECK-NOT: atomicrmw
; CHECK: cmpxchg
define void @other_way_round(ptr addrspace(1) %p, i32 %v) {
entry:
  br label %loop
loop:
  %old = phi i32 [ 0, %entry ], [ %seen, %loop ]
  %new = sub i32 %v, %old
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %new monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = icmp eq i32 %seen, %old
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; The operand changes with each attempt.
; CHECK-LABEL: define void @changing_operand(
; CHECK-NOT: atomicrmw
; CHECK: cmpxchg
define void @changing_operand(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %old = phi i32 [ 0, %entry ], [ %seen, %loop ]
  %twice = shl i32 %old, 1
  %new = add i32 %old, %twice
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %new monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = icmp eq i32 %seen, %old
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; What the loop begins with is loaded through a volatile pointer, for the sake of the functions' types, and for nothing else.
; CHECK-LABEL: define void @first(
; CHECK-NOT: load
; CHECK: atomicrmw fadd ptr addrspace(1) %p, float %v monotonic, align 4
define void @first(ptr addrspace(1) %p, float %v) {
entry:
  %first = load volatile i32, ptr addrspace(1) %p
  br label %loop
loop:
  %bits = phi i32 [ %first, %entry ], [ %seen, %loop ]
  %old = bitcast i32 %bits to float
  %new = fadd float %old, %v
  %new.bits = bitcast float %new to i32
  %pair = cmpxchg ptr addrspace(1) %p, i32 %bits, i32 %new.bits monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = icmp eq i32 %seen, %bits
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; The value is used elsewhere, or it is one of another place.
; CHECK-LABEL: define i32 @used_first(
; CHECK: load volatile i32, ptr addrspace(1) %p
; CHECK: atomicrmw add
; CHECK-LABEL: define void @other_first(
; CHECK: load volatile i32, ptr addrspace(1) %q
; CHECK: atomicrmw add
define i32 @used_first(ptr addrspace(1) %p, i32 %v) {
entry:
  %first = load volatile i32, ptr addrspace(1) %p
  br label %loop
loop:
  %old = phi i32 [ %first, %entry ], [ %seen, %loop ]
  %new = add i32 %old, %v
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %new monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = icmp eq i32 %seen, %old
  br i1 %done, label %exit, label %loop
exit:
  ret i32 %first
}
define void @other_first(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %v) {
entry:
  %first = load volatile i32, ptr addrspace(1) %q
  br label %loop
loop:
  %old = phi i32 [ %first, %entry ], [ %seen, %loop ]
  %new = add i32 %old, %v
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %new monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = icmp eq i32 %seen, %old
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; A lock: the expected value is a constant, so the loop waits instead of changing what it finds.
; CHECK-LABEL: define void @lock(
; CHECK-NOT: atomicrmw
; CHECK: cmpxchg
define void @lock(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %pair = cmpxchg ptr addrspace(1) %p, i32 0, i32 1 acquire monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; Attempts are counted.
; CHECK-LABEL: define i32 @counted(
; CHECK-NOT: atomicrmw
; CHECK: cmpxchg
define i32 @counted(ptr addrspace(1) %p, i32 %v) {
entry:
  br label %loop
loop:
  %old = phi i32 [ 0, %entry ], [ %seen, %loop ]
  %attempts = phi i32 [ 0, %entry ], [ %more, %loop ]
  %more = add i32 %attempts, 1
  %new = add i32 %old, %v
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %new monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = icmp eq i32 %seen, %old
  br i1 %done, label %exit, label %loop
exit:
  ret i32 %attempts
}

; The load reads another place.
; CHECK-LABEL: define void @other_place(
; CHECK-NOT: atomicrmw
; CHECK: cmpxchg
define void @other_place(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %v) {
entry:
  br label %loop
loop:
  %old = load i32, ptr addrspace(1) %q
  %new = add i32 %old, %v
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %new monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

declare i32 @llvm.smax.i32(i32, i32)
