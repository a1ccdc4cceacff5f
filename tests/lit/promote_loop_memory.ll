; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A place that a loop updates is a value in the loop, if no other access of the loop may meet it.
; RUN: %opt --passes=promote-loop-memory %s | %filecheck %s
; RUN: %opt --passes=promote-loop-memory --plain-launches --distinct-buffers %s | %filecheck --check-prefix=DISTINCT %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @id() memory(none) nounwind willreturn speculatable
declare void @barrier() convergent nounwind

; The loop may run no iteration: the place is read and written only if there is one.
; CHECK-LABEL: define void @local_and_global(
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %done
; CHECK: load float, ptr addrspace(1) %place
; CHECK-NOT: addrspace(1)
; CHECK: load float, ptr addrspace(3)
; CHECK-NOT: addrspace(1)
; CHECK: br i1
; CHECK: store float %{{.*}}, ptr addrspace(1) %place
; CHECK: done:
define void @local_and_global(ptr addrspace(1) %sums, ptr addrspace(3) %values, i32 %n) {
entry:
  %i = call i64 @id()
  br label %top
top:
  %j = phi i32 [ 0, %entry ], [ %next, %body ]
  %in = icmp slt i32 %j, %n
  br i1 %in, label %body, label %done
body:
  %from = getelementptr float, ptr addrspace(3) %values, i32 %j
  %value = load float, ptr addrspace(3) %from
  %place = getelementptr float, ptr addrspace(1) %sums, i64 %i
  %old = load float, ptr addrspace(1) %place
  %new = fadd float %old, %value
  store float %new, ptr addrspace(1) %place
  %next = add i32 %j, 1
  br label %top
done:
  ret void
}

; CHECK-LABEL: define void @restricted(
; CHECK: top:
; CHECK-NOT: store
; CHECK: br i1
; CHECK: store float %{{.*}}, ptr addrspace(1) %sums
define void @restricted(ptr addrspace(1) noalias %sums, ptr addrspace(1) noalias %values, i32 %n) {
entry:
  br label %top
top:
  %j = phi i32 [ 0, %entry ], [ %next, %top ]
  %from = getelementptr float, ptr addrspace(1) %values, i32 %j
  %value = load float, ptr addrspace(1) %from
  %old = load float, ptr addrspace(1) %sums
  %new = fadd float %old, %value
  store float %new, ptr addrspace(1) %sums
  %next = add i32 %j, 1
  %in = icmp slt i32 %next, %n
  br i1 %in, label %top, label %done
done:
  ret void
}

; Two buffers may be one, unless the launches say that they are not.
; CHECK-LABEL: define void @may_meet(
; CHECK: top:
; CHECK: store float
; CHECK: br i1
; DISTINCT-LABEL: define void @may_meet(
; DISTINCT: top:
; DISTINCT-NOT: store
; DISTINCT: br i1
; DISTINCT: store float
define void @may_meet(ptr addrspace(1) %sums, ptr addrspace(1) %values, i32 %n) !kernel_arg_addr_space !0 {
entry:
  br label %top
top:
  %j = phi i32 [ 0, %entry ], [ %next, %top ]
  %from = getelementptr float, ptr addrspace(1) %values, i32 %j
  %value = load float, ptr addrspace(1) %from
  %old = load float, ptr addrspace(1) %sums
  %new = fadd float %old, %value
  store float %new, ptr addrspace(1) %sums
  %next = add i32 %j, 1
  %in = icmp slt i32 %next, %n
  br i1 %in, label %top, label %done
done:
  ret void
}

; Others may read the sum after the barrier.
; CHECK-LABEL: define void @meets_at_a_barrier(
; CHECK: top:
; CHECK: store float
; CHECK: call void @barrier
; CHECK: br i1
define void @meets_at_a_barrier(ptr addrspace(1) noalias %sums, i32 %n) {
entry:
  br label %top
top:
  %j = phi i32 [ 0, %entry ], [ %next, %top ]
  %old = load float, ptr addrspace(1) %sums
  %new = fadd float %old, 1.0
  store float %new, ptr addrspace(1) %sums
  call void @barrier()
  %next = add i32 %j, 1
  %in = icmp slt i32 %next, %n
  br i1 %in, label %top, label %done
done:
  ret void
}

; What not every iteration stores may never be stored; others may write there.
; CHECK-LABEL: define void @stores_sometimes(
; CHECK: top:
; CHECK: then:
; CHECK: store float
; CHECK: done:
define void @stores_sometimes(ptr addrspace(1) noalias %sums, ptr addrspace(3) %values, i32 %n) {
entry:
  br label %top
top:
  %j = phi i32 [ 0, %entry ], [ %next, %latch ]
  %from = getelementptr float, ptr addrspace(3) %values, i32 %j
  %value = load float, ptr addrspace(3) %from
  %positive = fcmp ogt float %value, 0.0
  br i1 %positive, label %then, label %latch
then:
  %old = load float, ptr addrspace(1) %sums
  %new = fadd float %old, %value
  store float %new, ptr addrspace(1) %sums
  br label %latch
latch:
  %next = add i32 %j, 1
  %in = icmp slt i32 %next, %n
  br i1 %in, label %top, label %done
done:
  ret void
}

; Two fields of one structure, and a constant that may not change meanwhile.
; CHECK-LABEL: define void @fields(
; CHECK: top:
; CHECK-NOT: store
; CHECK: br i1
; CHECK-DAG: store float %{{.*}}, ptr addrspace(1) %sums
; CHECK-DAG: store float %{{.*}}, ptr addrspace(1) %second
define void @fields(ptr addrspace(1) %sums, ptr addrspace(3) %values, i32 %n) {
entry:
  %second = getelementptr i8, ptr addrspace(1) %sums, i64 4
  br label %top
top:
  %j = phi i32 [ 0, %entry ], [ %next, %top ]
  %from = getelementptr float, ptr addrspace(3) %values, i32 %j
  %value = load float, ptr addrspace(3) %from
  %old = load float, ptr addrspace(1) %sums
  %new = fadd float %old, %value
  store float %new, ptr addrspace(1) %sums
  %old2 = load float, ptr addrspace(1) %second
  %new2 = fmul float %old2, %value
  store float %new2, ptr addrspace(1) %second
  %next = add i32 %j, 1
  %in = icmp slt i32 %next, %n
  br i1 %in, label %top, label %done
done:
  ret void
}

; Volatile accesses stay.
; CHECK-LABEL: define void @volatile_place(
; CHECK: top:
; CHECK: store volatile
; CHECK: br i1
define void @volatile_place(ptr addrspace(1) noalias %sums, i32 %n) {
entry:
  br label %top
top:
  %j = phi i32 [ 0, %entry ], [ %next, %top ]
  %old = load volatile float, ptr addrspace(1) %sums
  %new = fadd float %old, 1.0
  store volatile float %new, ptr addrspace(1) %sums
  %next = add i32 %j, 1
  %in = icmp slt i32 %next, %n
  br i1 %in, label %top, label %done
done:
  ret void
}

!0 = !{i32 1, i32 1, i32 0}
