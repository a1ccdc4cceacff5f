; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Work-items that part and meet again before it is decided whether there is another barrier all return, or none does. In
; `leaves` some of them skip the decision.
; RUN: %opt --emit=none --passes=print-regions %s | %filecheck %s
; RUN: %opt %s | %filecheck %s --check-prefix=CODE
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @_Z13get_global_idj(i32)
declare i64 @_Z12get_local_idj(i32)
declare void @_Z7barrierj(i32)

; CHECK: ; region 0: starts 0, stops 1, blocks
; CHECK: ; region 1: starts 1, stops 1, returns, blocks
; CODE-LABEL: define {{.*}}@meets(
; CODE-NOT: alive
define void @meets(ptr addrspace(1) %x, i64 %n) !kernel_arg_addr_space !0 {
entry:
  %id = call i64 @_Z12get_local_idj(i32 0)
  %first = icmp eq i64 %id, 3
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  call void @_Z7barrierj(i32 1)
  br i1 %first, label %write, label %latch
write:
  %p = getelementptr i8, ptr addrspace(1) %x, i64 %i
  store i8 1, ptr addrspace(1) %p
  br label %latch
latch:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK: ; region 1: starts 1, stops 1, returns, splits
; CODE-LABEL: define {{.*}}@leaves(
; CODE: alive
define void @leaves(ptr addrspace(1) %x, i64 %n) !kernel_arg_addr_space !0 {
entry:
  %id = call i64 @_Z12get_local_idj(i32 0)
  %first = icmp eq i64 %id, 3
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  call void @_Z7barrierj(i32 1)
  br i1 %first, label %write, label %latch
write:
  %p = getelementptr i8, ptr addrspace(1) %x, i64 %i
  store i8 1, ptr addrspace(1) %p
  br label %exit
latch:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The loop in between is left in different iterations, and what follows from its counter is decided differently.
; CHECK: ; region 1: starts 1, stops 1, returns, splits
; CODE-LABEL: define {{.*}}@meets_too_late(
; CODE: alive
define void @meets_too_late(ptr addrspace(1) %x, i64 %n) !kernel_arg_addr_space !0 {
entry:
  %id = call i64 @_Z12get_local_idj(i32 0)
  br label %loop
loop:
  call void @_Z7barrierj(i32 1)
  br label %count
count:
  %i = phi i64 [ 0, %loop ], [ %next, %count ]
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %id
  br i1 %again, label %count, label %latch
latch:
  %more = icmp ult i64 %i, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
!0 = !{i32 1, i32 0}
