; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A relaxed exchange of a value for one that was computed from it looks at the memory only, where the two are the same. Not
; where the new value comes from elsewhere (a list, a lock), is never the same, or where the order is another one.
; RUN: %opt --passes=skip-idle-atomics %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @add(
; CHECK: loop:
; CHECK-NEXT: %bits = phi i32 [ %first, %entry ], [ %[[SEEN:.*]], %[[DONE:.*]] ]
; CHECK: %changes = icmp ne i32 %made, %bits
; CHECK-NEXT: br i1 %changes, label %[[LOCK:.*]], label %[[LOOK:.*]]
; CHECK: [[LOCK]]:
; CHECK-NEXT: %pair = cmpxchg ptr addrspace(1) %p, i32 %bits, i32 %made monotonic monotonic, align 4
; CHECK-NEXT: %[[FOUND:.*]] = extractvalue { i32, i1 } %pair, 0
; CHECK-NEXT: %[[SUCCESS:.*]] = extractvalue { i32, i1 } %pair, 1
; CHECK-NEXT: br label %[[DONE]]
; CHECK: [[LOOK]]:
; CHECK-NEXT: %[[NOW:.*]] = load atomic i32, ptr addrspace(1) %p monotonic, align 4
; CHECK-NEXT: %is.there = icmp eq i32 %[[NOW]], %bits
; CHECK-NEXT: br label %[[DONE]]
; CHECK: [[DONE]]:
; CHECK-NEXT: %[[SEEN]] = phi i32 [ %[[FOUND]], %[[LOCK]] ], [ %[[NOW]], %[[LOOK]] ]
; CHECK-NEXT: %[[ENDS:.*]] = phi i1 [ %[[SUCCESS]], %[[LOCK]] ], [ %is.there, %[[LOOK]] ]
; CHECK-NEXT: br i1 %[[ENDS]], label %exit, label %loop
define void @add(ptr addrspace(1) %p, float %v) {
entry:
  %first = load i32, ptr addrspace(1) %p
  br label %loop
loop:
  %bits = phi i32 [ %first, %entry ], [ %seen, %loop ]
  %old = bitcast i32 %bits to float
  %twice = fmul float %old, 1.5
  %new = fadd float %twice, %v
  %made = bitcast float %new to i32
  %pair = cmpxchg ptr addrspace(1) %p, i32 %bits, i32 %made monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; One of two numbers that are read together is exchanged.
; CHECK-LABEL: define i32 @one_of_two(
; CHECK: load atomic i32
; CHECK: ret i32
define i32 @one_of_two(ptr addrspace(1) %p, float %v) {
  %both = load <2 x float>, ptr addrspace(1) %p
  %old = extractelement <2 x float> %both, i64 0
  %rest = extractelement <2 x float> %both, i64 1
  %sum = fadd float %old, %v
  %new = fadd float %sum, %rest
  %bits = bitcast <2 x float> %both to <2 x i32>
  %expected = extractelement <2 x i32> %bits, i64 0
  %made = bitcast float %new to i32
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %made monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  ret i32 %seen
}

; CHECK-LABEL: define void @unchanged(
; CHECK-NOT: load
; CHECK-NOT: br
; CHECK: ret void
define void @unchanged(ptr addrspace(1) %p, ptr addrspace(3) %l, i64 %v, i64 %old, i64 %mine) {
  %max = call i64 @llvm.umax.i64(i64 %old, i64 %v)
  %a = cmpxchg ptr addrspace(1) %p, i64 %old, i64 %max acquire monotonic, align 8
  %b = cmpxchg ptr addrspace(1) %p, i64 %old, i64 %max release monotonic, align 8
  %c = cmpxchg ptr addrspace(1) %p, i64 %old, i64 %max seq_cst seq_cst, align 8
  %d = cmpxchg volatile ptr addrspace(1) %p, i64 %old, i64 %max monotonic monotonic, align 8
  %next = add i64 %old, 1
  %e = cmpxchg ptr addrspace(1) %p, i64 %old, i64 %next monotonic monotonic, align 8
  %f = cmpxchg ptr addrspace(1) %p, i64 %old, i64 %mine monotonic monotonic, align 8
  %g = cmpxchg ptr addrspace(1) %p, i64 0, i64 1 monotonic monotonic, align 8
  %h = cmpxchg ptr addrspace(3) %l, i64 %old, i64 %max monotonic monotonic, align 8
  ret void
}
declare i64 @llvm.umax.i64(i64, i64)
