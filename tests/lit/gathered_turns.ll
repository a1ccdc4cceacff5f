; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The work-items of a sub-group that is a vector take turns where all of them come by: those that are due leave the loop, and
; all enter the region behind the turn, together. Where they all wait, the turn stays in the loop.
; RUN: %opt --sub-group-size=8 --passes=take-turns,lower-work-groups %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i32 @_Z22get_sub_group_local_idv()
declare i32 @__lw_sub_group_broadcast_uint(i32, i32)

; CHECK-LABEL: define dso_local void @first(
; CHECK: region.0.together:
; CHECK-NEXT: [[AT:%.*]] = phi i32 [ 1, %region.0.turn ], [ 0, %region.0.body ], [ %{{.*}}, %region.0. ]
; CHECK: icmp ne i32 [[AT]], 0
; CHECK: call i64 @__lw_sub_group_ballot(
; CHECK: br i1 %any, label %region.0.turn2, label %region.0.turns.over
; CHECK: br i1 %turn.due, label %region.0.turn, label %region.0.
; CHECK: region.1.items:
; CHECK: %at.turn = load i32
; CHECK: icmp eq i32 %at.turn, 1
; CHECK: call i64 @__lw_sub_group_ballot(
; CHECK-NEXT: [[ANY:%.*]] = icmp ne i64
; CHECK-NEXT: br i1 [[ANY]], label %region.1.resume.1, label %region.1.items.end
define void @first(ptr addrspace(3) %flag, ptr addrspace(1) %out) !kernel_arg_addr_space !0 {
entry:
  %lane = call i32 @_Z22get_sub_group_local_idv()
  %is.first = icmp eq i32 %lane, 0
  br i1 %is.first, label %loop, label %together
loop:
  %seen = atomicrmw xchg ptr addrspace(3) %flag, i32 0 acquire
  %zero = icmp eq i32 %seen, 0
  br i1 %zero, label %loop, label %together
together:
  %found = phi i32 [ 0, %entry ], [ %seen, %loop ]
  %all = call i32 @__lw_sub_group_broadcast_uint(i32 %found, i32 0)
  store i32 %all, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define dso_local void @all(
; CHECK: region.0.loop:
; CHECK-NOT: __lw_sub_group_ballot
; CHECK: br i1 %turn.due, label %region.0.turn, label %region.0.
; CHECK-NOT: __lw_sub_group_ballot
; CHECK: region.0.stop.1:
; CHECK: region.1.items:
; CHECK: call i64 @__lw_sub_group_ballot(
define void @all(ptr addrspace(3) %flag, ptr addrspace(1) %out) !kernel_arg_addr_space !0 {
entry:
  br label %loop
loop:
  %mine = atomicrmw xchg ptr addrspace(3) %flag, i32 0 acquire
  %seen = call i32 @__lw_sub_group_broadcast_uint(i32 %mine, i32 0)
  %zero = icmp eq i32 %seen, 0
  br i1 %zero, label %loop, label %exit
exit:
  store i32 %seen, ptr addrspace(1) %out
  ret void
}

!0 = !{i32 3, i32 1}
