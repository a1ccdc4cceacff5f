; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Tests of a loop that hold in its first and last iteration, without a wrap between them, hold in all: they are asked once
; in front of it.
; RUN: %opt --isa=x86-64-v3 --passes=hoist-range-tests %s | %filecheck %s

declare i32 @llvm.ssub.sat.i32(i32, i32)
declare void @near(i32)
declare void @far(i32)

; CHECK-LABEL: define void @interior(
; CHECK: entry:
; CHECK: %[[BOUND:.*]] = call i32 @llvm.ssub.sat.i32(i32 %last, i32 6)
; CHECK: %[[FIRST:.*]] = add i32 %x, -7
; CHECK: %[[LAST:.*]] = add i32 %x, 7
; CHECK: icmp sge i32 %[[FIRST]], 0
; CHECK: icmp sge i32 %[[LAST]], 0
; CHECK: icmp sle i32 %[[FIRST]], %[[LAST]]
; CHECK: icmp slt i32 %[[FIRST]], %[[BOUND]]
; CHECK: icmp slt i32 %[[LAST]], %[[BOUND]]
; CHECK: %[[ALL:.*]] = freeze i1
; CHECK: loop:
; CHECK: %[[TEST:.*]] = select i1 %[[ALL]], i1 true, i1 %holds
; CHECK: br i1 %[[TEST]], label %inside, label %outside
define void @interior(i32 %x, i32 %last) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = add i32 %x, %i
  %at = add i32 %sum, -7
  %least = icmp sge i32 %at, 0
  %bound = call i32 @llvm.ssub.sat.i32(i32 %last, i32 6)
  %most = icmp slt i32 %at, %bound
  %both = and i1 %least, %most
  %holds = freeze i1 %both
  br i1 %holds, label %inside, label %outside
inside:
  call void @near(i32 %at)
  br label %latch
outside:
  call void @far(i32 %at)
  br label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 15
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The number of iterations is known when the loop begins, and must be below half of all numbers. Numbers count down, and
; are compared without sign.
; CHECK-LABEL: define void @down(
; CHECK: %[[TURNS:.*]] = icmp ule i32 %{{.*}}, 16777216
; CHECK: icmp ult
; CHECK: icmp uge
; CHECK: loop:
; CHECK: select i1 %{{.*}}, i1 true, i1 %holds
define void @down(i32 %x, i32 %limit, i32 %n) {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit
loop:
  %i = phi i32 [ %n, %entry ], [ %next, %latch ]
  %at = add i32 %x, %i
  %holds = icmp ult i32 %at, %limit
  br i1 %holds, label %inside, label %outside
inside:
  call void @near(i32 %at)
  br label %latch
outside:
  call void @far(i32 %at)
  br label %latch
latch:
  %next = add nsw i32 %i, -1
  %more = icmp sgt i32 %next, 0
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Not an order: between the first and the last iteration it may hold once.
; CHECK-LABEL: define void @equal(
; CHECK-NOT: select i1
; CHECK: ret void
define void @equal(i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %holds = icmp ne i32 %i, %x
  br i1 %holds, label %inside, label %latch
inside:
  call void @near(i32 %i)
  br label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 15
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; What is compared comes from memory, or does not count by a constant, or its limit changes.
; CHECK-LABEL: define void @unknown(
; CHECK-NOT: select i1
; CHECK: ret void
define void @unknown(ptr %p, i32 %last) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %q = getelementptr i32, ptr %p, i32 %i
  %at = load i32, ptr %q
  %square = mul i32 %i, %i
  %a = icmp slt i32 %at, %last
  br i1 %a, label %one, label %two
one:
  %b = icmp slt i32 %square, %last
  br i1 %b, label %two, label %latch
two:
  %c = icmp slt i32 %i, %at
  br i1 %c, label %inside, label %latch
inside:
  call void @near(i32 %at)
  br label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 15
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A narrow number comes around before the loop ends.
; CHECK-LABEL: define void @narrow(
; CHECK-NOT: select i1
; CHECK: ret void
define void @narrow(i8 %last) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c = phi i8 [ 0, %entry ], [ %c.next, %latch ]
  %holds = icmp slt i8 %c, %last
  br i1 %holds, label %inside, label %latch
inside:
  call void @near(i32 %i)
  br label %latch
latch:
  %c.next = add i8 %c, 64
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 400
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Nobody knows when it ends.
; CHECK-LABEL: define void @endless(
; CHECK-NOT: select i1
; CHECK: ret void
define void @endless(ptr %p, i32 %last) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %holds = icmp slt i32 %i, %last
  br i1 %holds, label %inside, label %latch
inside:
  call void @near(i32 %i)
  br label %latch
latch:
  %next = add nsw i32 %i, 1
  %q = load i32, ptr %p
  %more = icmp ult i32 %q, 15
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
