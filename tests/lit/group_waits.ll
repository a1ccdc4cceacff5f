; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Loops that look at global memory until another group changes it, in the forms that optimised code has, and loops that
; look alike and do not wait.
; RUN: %opt --emit=none --passes=print-group-waits %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare void @_Z7barrierj(i32)

; CHECK: watches_a_flag: may wait
define void @watches_a_flag(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %seen = load volatile i32, ptr addrspace(1) %p
  %zero = icmp eq i32 %seen, 0
  br i1 %zero, label %loop, label %exit
exit:
  ret void
}

; CHECK: reads_local_memory: no wait
define void @reads_local_memory(ptr addrspace(3) %p) {
entry:
  br label %loop
loop:
  %seen = load volatile i32, ptr addrspace(3) %p
  %zero = icmp eq i32 %seen, 0
  br i1 %zero, label %loop, label %exit
exit:
  ret void
}

; The loop counts; what it reads decides nothing.
; CHECK: reads_and_counts: no wait
define void @reads_and_counts(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %seen = load volatile i32, ptr addrspace(1) %p
  %more = add i32 %sum, %seen
  %next = add i32 %k, 1
  %end = icmp eq i32 %next, %n
  br i1 %end, label %exit, label %loop
exit:
  ret void
}

; The value comes out of the loop by way of a branch.
; CHECK: decides_by_branch: may wait
define void @decides_by_branch(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %seen = load atomic i32, ptr addrspace(1) %p monotonic, align 4
  %zero = icmp eq i32 %seen, 0
  br i1 %zero, label %join, label %other
other:
  br label %join
join:
  %done = phi i1 [ false, %loop ], [ true, %other ]
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; The test is not reached as long as the flag is not set.
; CHECK: skips_the_test: may wait
define void @skips_the_test(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k, %loop ], [ %next, %step ]
  %seen = load volatile i32, ptr addrspace(1) %p
  %zero = icmp eq i32 %seen, 0
  br i1 %zero, label %loop, label %step
step:
  %next = add i32 %k, 1
  %end = icmp eq i32 %next, %n
  br i1 %end, label %exit, label %loop
exit:
  ret void
}

; Success as the comparison of what was found with what was expected.
; CHECK: updates_by_comparison: no wait
define void @updates_by_comparison(ptr addrspace(1) %p, i32 %v) {
entry:
  %first = load i32, ptr addrspace(1) %p
  br label %loop
loop:
  %old = phi i32 [ %first, %entry ], [ %seen, %loop ]
  %product = mul i32 %old, %v
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %product monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %failed = icmp ne i32 %seen, %old
  br i1 %failed, label %loop, label %exit
exit:
  ret void
}

; Success as the exchange says it, together with another reason to leave.
; CHECK: updates_or_gives_up: no wait
define void @updates_or_gives_up(ptr addrspace(1) %p, i32 %v, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %old = load volatile float, ptr addrspace(1) %p
  %bits = bitcast float %old to i32
  %product = mul i32 %bits, %v
  %pair = cmpxchg ptr addrspace(1) %p, i32 %bits, i32 %product seq_cst seq_cst, align 4
  %success = extractvalue { i32, i1 } %pair, 1
  %next = add i32 %k, 1
  %many = icmp eq i32 %next, %n
  %leave = select i1 %success, i1 true, i1 %many
  br i1 %leave, label %exit, label %loop
exit:
  ret void
}

; The first element of a vector; then the second one, which is not what the exchange has found.
; CHECK: updates_an_element: no wait
define void @updates_an_element(ptr addrspace(1) %p, i32 %v) {
entry:
  %first = load <2 x i32>, ptr addrspace(1) %p
  br label %loop
loop:
  %old = phi <2 x i32> [ %first, %entry ], [ %now, %loop ]
  %floats = bitcast <2 x i32> %old to <2 x float>
  %expected.float = extractelement <2 x float> %floats, i64 0
  %expected = bitcast float %expected.float to i32
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %v monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %now = insertelement <2 x i32> %old, i32 %seen, i64 0
  %success = extractvalue { i32, i1 } %pair, 1
  br i1 %success, label %exit, label %loop
exit:
  ret void
}
; CHECK: expects_another_element: may wait
define void @expects_another_element(ptr addrspace(1) %p, i32 %v) {
entry:
  br label %loop
loop:
  %old = load <2 x i32>, ptr addrspace(1) %p
  %expected = extractelement <2 x i32> %old, i64 1
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %v monotonic monotonic, align 4
  %success = extractvalue { i32, i1 } %pair, 1
  br i1 %success, label %exit, label %loop
exit:
  ret void
}

; CHECK: updates_and_waits: may wait
define void @updates_and_waits(ptr addrspace(1) %p, i32 %v, i32 %n) {
entry:
  br label %loop
loop:
  %old = load volatile i32, ptr addrspace(1) %p
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %v seq_cst seq_cst, align 4
  %success = extractvalue { i32, i1 } %pair, 1
  %turn = icmp eq i32 %old, %n
  %leave = select i1 %success, i1 %turn, i1 false
  br i1 %leave, label %exit, label %loop
exit:
  ret void
}

; It goes on as long as nobody interferes.
; CHECK: waits_for_a_failure: may wait
define void @waits_for_a_failure(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %old = load volatile i32, ptr addrspace(1) %p
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %old seq_cst seq_cst, align 4
  %success = extractvalue { i32, i1 } %pair, 1
  br i1 %success, label %loop, label %exit
exit:
  ret void
}

; What is expected was read somewhere else.
; CHECK: waits_for_a_number: may wait
define void @waits_for_a_number(ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %old = load i32, ptr addrspace(1) %q
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old, i32 0 monotonic monotonic, align 4
  %success = extractvalue { i32, i1 } %pair, 1
  br i1 %success, label %exit, label %loop
exit:
  ret void
}

; CHECK: takes_work: no wait
define void @takes_work(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %k = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %more = icmp slt i32 %k, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK: adds_nothing: may wait
define void @adds_nothing(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %k = atomicrmw add ptr addrspace(1) %p, i32 0 monotonic
  %more = icmp slt i32 %k, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A plain load is a new one in each round only behind a fence.
; CHECK: searches: no wait
define void @searches(ptr addrspace(1) %p) {
entry:
  fence seq_cst
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %k
  %seen = load i32, ptr addrspace(1) %a
  %next = add i64 %k, 1
  %zero = icmp eq i32 %seen, 0
  br i1 %zero, label %loop, label %exit
exit:
  ret void
}
; CHECK: searches_behind_barriers: may wait
define void @searches_behind_barriers(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  call void @_Z7barrierj(i32 2)
  %seen = load i32, ptr addrspace(1) %p
  %zero = icmp eq i32 %seen, 0
  br i1 %zero, label %loop, label %exit
exit:
  ret void
}

; CHECK: through_private_memory: may wait
define void @through_private_memory(ptr addrspace(1) %p) {
entry:
  %done = alloca i32
  br label %loop
loop:
  %seen = load volatile i32, ptr addrspace(1) %p
  store i32 %seen, ptr %done
  %now = load i32, ptr %done
  %zero = icmp eq i32 %now, 0
  br i1 %zero, label %loop, label %exit
exit:
  ret void
}

; No natural loop: nothing is known of it.
; CHECK: two_entries: may wait
define void @two_entries(ptr addrspace(1) %p, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %seen = load volatile i32, ptr addrspace(1) %p
  %zero = icmp eq i32 %seen, 0
  br i1 %zero, label %b, label %exit
b:
  br label %a2
a2:
  br i1 %c, label %a, label %b
exit:
  ret void
}

declare i32 @status_of(ptr addrspace(1))
; CHECK: calls_the_unknown: may wait
define void @calls_the_unknown(ptr addrspace(1) %p) {
entry:
  %first = load volatile i32, ptr addrspace(1) %p
  br label %loop
loop:
  %seen = call i32 @status_of(ptr addrspace(1) %p)
  %zero = icmp eq i32 %seen, 0
  br i1 %zero, label %loop, label %exit
exit:
  ret void
}

; CHECK: watch: no wait
define i32 @watch(ptr addrspace(1) %p) {
  %seen = load volatile i32, ptr addrspace(1) %p
  ret i32 %seen
}
; CHECK: watches_by_a_call: may wait
define void @watches_by_a_call(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %seen = call i32 @watch(ptr addrspace(1) %p)
  %zero = icmp eq i32 %seen, 0
  br i1 %zero, label %loop, label %exit
exit:
  ret void
}
; CHECK: waits_in_a_call: may wait
define void @waits_in_a_call(ptr addrspace(1) %p) {
  call void @watches_a_flag(ptr addrspace(1) %p)
  ret void
}
