; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Loops that wait for others of the group take turns; loops that end by themselves, or have a barrier in each round, do not.
; What follows turns is one region, behind the others, and values of its rounds are kept for each work-item.
; RUN: %opt --passes=take-turns %s | %filecheck %s
; RUN: %opt --emit=none --passes=take-turns,print-regions %s | %filecheck %s --check-prefix=REGIONS
; RUN: %opt --emit=none --passes=take-turns,print-live-values %s | %filecheck %s --check-prefix=VALUES
; RUN: %opt --passes=take-turns,lower-work-groups %s | %filecheck %s --check-prefix=LOWERED
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare void @_Z7barrierj(i32)
declare i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: @waits(
; CHECK: loop:
; CHECK-NEXT: %round = phi i32 [ %next.round, %[[GO:.*]] ], [ 0, %entry ]
; CHECK: %next.round = add i32 %round, 1
; CHECK: br i1 %turn.due, label %turn, label %[[GO]]
; CHECK: turn:
; CHECK-NEXT: call void @lanewise.turn()
; REGIONS: region 0: starts 0, stops 1 2, blocks
; REGIONS: region 1: starts 2, stops, returns, blocks
; REGIONS: region 2: starts 1, stops 1 2, blocks
; VALUES: across 1: %flag (recompute) %next.round (item
; LOWERED-LABEL: define dso_local void @waits(
; LOWERED: at.turn = load i32
; LOWERED: icmp eq i32 %at.turn, 1
; LOWERED: br i1 %{{.*}}, label %region.2, label %region.2.no.turns
define void @waits(ptr addrspace(3) %flags, ptr addrspace(1) %out) !kernel_arg_addr_space !0 {
entry:
  %id = call i64 @_Z12get_local_idj(i32 0)
  %flag = getelementptr i32, ptr addrspace(3) %flags, i64 %id
  br label %loop
loop:
  %seen = atomicrmw xchg ptr addrspace(3) %flag, i32 0 acquire
  %zero = icmp eq i32 %seen, 0
  br i1 %zero, label %loop, label %exit
exit:
  %next = getelementptr i32, ptr addrspace(3) %flag, i64 1
  store volatile i32 %seen, ptr addrspace(3) %next
  call void @_Z7barrierj(i32 1)
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %seen, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: @has_barriers(
; CHECK-NOT: lanewise.turn
define void @has_barriers(ptr addrspace(3) %flag) !kernel_arg_addr_space !1 {
entry:
  br label %loop
loop:
  call void @_Z7barrierj(i32 1)
  %seen = load volatile i32, ptr addrspace(3) %flag
  %zero = icmp eq i32 %seen, 0
  br i1 %zero, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: @counts(
; CHECK-NOT: call void @lanewise.turn
define void @counts(ptr addrspace(3) %p, i32 %n) !kernel_arg_addr_space !2 {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %more, %loop ]
  %seen = load volatile i32, ptr addrspace(3) %p
  %more = add i32 %k, 1
  %end = icmp eq i32 %more, %n
  br i1 %end, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: @two_entries(
; CHECK: irr.guard:
; CHECK-NEXT: %round = phi i32
; CHECK: call void @lanewise.turn()
define void @two_entries(ptr addrspace(1) %flag, i32 %way) !kernel_arg_addr_space !3 {
entry:
  switch i32 %way, label %first [ i32 1, label %second
                                  i32 3, label %second ]
first:
  %seen = load volatile i32, ptr addrspace(1) %flag
  %zero = icmp eq i32 %seen, 0
  br i1 %zero, label %second, label %exit
second:
  %seen.again = load volatile i32, ptr addrspace(1) %flag
  %zero.again = icmp eq i32 %seen.again, 0
  br i1 %zero.again, label %first, label %exit
exit:
  ret void
}

; Loops that look at local memory and write nothing wait for turns alone: one in each round. What is behind such a loop is
; not part of the regions before it.
; CHECK-LABEL: @looks(
; CHECK: loop:
; CHECK-NEXT: call void @lanewise.turn()
; CHECK-NOT: turn.due
; CHECK: again:
; CHECK-NEXT: call void @lanewise.turn()
; REGIONS: region 0: starts 0, stops 1, blocks body loop{{ *$}}
define void @looks(ptr addrspace(3) %flag, i32 %way) !kernel_arg_addr_space !2 {
entry:
  br label %loop
loop:
  %seen = load volatile i32, ptr addrspace(3) %flag
  %zero = icmp eq i32 %seen, 0
  br i1 %zero, label %loop, label %second
second:
  store i32 %way, ptr addrspace(3) %flag
  br label %again
again:
  fence acquire
  %other = load volatile i32, ptr addrspace(3) %flag
  %same = icmp eq i32 %other, %way
  br i1 %same, label %again, label %exit
exit:
  store i32 0, ptr addrspace(3) %flag
  ret void
}

!0 = !{i32 3, i32 1}
!1 = !{i32 3}
!2 = !{i32 3, i32 0}
!3 = !{i32 1, i32 0}
