; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Loops whose iterations become work-items: what each adds to a sum is stored, and added up behind the loop, in order.
; RUN: %opt --passes=spread-iterations %s | %filecheck %s
; RUN: %opt --passes=spread-iterations --isa=x86-64-v4 %s | %opt --passes=vectorise --isa=x86-64-v4 - | %filecheck %s --check-prefix=VECTOR
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Elements of an array that are the iteration's own, under a condition, and a mask of bits that is shifted each time.
; CHECK-LABEL: define float @forces(
; CHECK: %addends = alloca [256 x float], align 64
; CHECK: loop:
; CHECK: %iteration = phi i64 [ 0, %entry ], [ [[next:%[0-9]+]], %join ]
; CHECK: lshr i32 %mask,
; CHECK: then:
; CHECK: [[negated:%[0-9]+]] = fneg float %t
; CHECK: join:
; CHECK: [[addend:%.*]] = phi float [ [[negated]], %then ], [ -0.000000e+00, %loop ]
; CHECK: store float [[addend]], ptr
; CHECK: [[next]] = add nuw i64 %iteration, 1
; CHECK: br i1 {{.*}}, label %loop, label %loop.items.end, !llvm.loop ![[items:[0-9]+]]
; CHECK: loop.sums:
; CHECK: [[sum:%.*]] = phi float [ %before, %loop.items.end ], [ [[more:%[0-9]+]], %loop.sums ]
; CHECK: [[more]] = fadd float [[sum]],
; CHECK: ret float
; VECTOR-LABEL: define float @forces(
; VECTOR: call <16 x float> @llvm.masked.load
; VECTOR: loop.sums:
; VECTOR: fadd float
define float @forces(ptr addrspace(3) %p, ptr addrspace(1) %in, float %before, i32 %mask) {
entry:
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %j.next, %join ]
  %bits = phi i32 [ %mask, %entry ], [ %bits.next, %join ]
  %sum = phi float [ %before, %entry ], [ %sum.next, %join ]
  %index = zext nneg i32 %j to i64
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %index
  %t = load float, ptr addrspace(1) %from
  %odd = trunc i32 %bits to i1
  br i1 %odd, label %then, label %join
then:
  %to = getelementptr inbounds float, ptr addrspace(3) %p, i64 %index
  %old = load float, ptr addrspace(3) %to
  %new = fadd float %old, %t
  store float %new, ptr addrspace(3) %to
  %sum.then = fsub float %sum, %t
  br label %join
join:
  %sum.next = phi float [ %sum.then, %then ], [ %sum, %loop ]
  %bits.next = lshr i32 %bits, 1
  %j.next = add nuw nsw i32 %j, 1
  %more = icmp samesign ult i32 %j.next, 32
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum.next
}

; The next iteration reads what this one stores.
; CHECK-LABEL: define float @neighbours(
; CHECK-NOT: addends
; CHECK-LABEL: define float @elsewhere(
define float @neighbours(ptr addrspace(3) %p) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %from = getelementptr inbounds float, ptr addrspace(3) %p, i64 %j
  %t = load float, ptr addrspace(3) %from
  %j.next = add nuw nsw i64 %j, 1
  %to = getelementptr inbounds float, ptr addrspace(3) %p, i64 %j.next
  store float %t, ptr addrspace(3) %to
  %sum.next = fadd float %sum, %t
  %more = icmp ult i64 %j.next, 32
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum.next
}

; Nobody knows whether the two are different.
; CHECK-NOT: addends
; CHECK-LABEL: define float @seen(
define float @elsewhere(ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %from = getelementptr inbounds float, ptr addrspace(1) %p, i64 %j
  %t = load float, ptr addrspace(1) %from
  %to = getelementptr inbounds float, ptr addrspace(1) %q, i64 %j
  store float %t, ptr addrspace(1) %to
  %sum.next = fadd float %sum, %t
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 32
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum.next
}

; The sum so far is looked at.
; CHECK-NOT: addends
; CHECK-LABEL: define float @twice(
define float @seen(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %from = getelementptr inbounds float, ptr addrspace(1) %p, i64 %j
  %t = load float, ptr addrspace(1) %from
  %small = fcmp olt float %sum, 1.0
  %u = select i1 %small, float %t, float 1.0
  %sum.next = fadd float %sum, %u
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 32
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum.next
}

; Two numbers in an iteration would be added in another order.
; CHECK-NOT: addends
; CHECK-LABEL: define float @unknown(
define float @twice(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %from = getelementptr inbounds float, ptr addrspace(1) %p, i64 %j
  %t = load float, ptr addrspace(1) %from
  %once = fadd float %sum, %t
  %sum.next = fadd float %once, 1.0
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 32
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum.next
}

; As many iterations as nobody knows.
; CHECK-NOT: addends
; CHECK-LABEL: define i32 @integers(
define float @unknown(ptr addrspace(1) %p, i64 %n) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %from = getelementptr inbounds float, ptr addrspace(1) %p, i64 %j
  %t = load float, ptr addrspace(1) %from
  %sum.next = fadd float %sum, %t
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum.next
}

; LLVM's vectoriser adds integers in any order.
; CHECK-NOT: addends
; CHECK: ![[items]] = distinct !{![[items]], ![[mark:[0-9]+]]
; CHECK: ![[mark]] = !{!"lanewise.items"}
define i32 @integers(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j.next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %loop ]
  %from = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %j
  %t = load i32, ptr addrspace(1) %from
  %sum.next = add i32 %sum, %t
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 32
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %sum.next
}
