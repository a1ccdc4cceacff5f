; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %opt --passes=check-accesses --checks=1 %s | %filecheck %s
; RUN: %opt --passes=check-accesses,lower-work-groups --checks=1 %s | %filecheck %s --check-prefix=LOWERED
; RUN: %opt --passes=check-accesses --checks=2 %s | %filecheck %s --check-prefix=RACE
; Accesses are tested in line where the object of the pointer is known, and by the runtime elsewhere.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; The bounds of an argument are loaded once. A read that fails gives zero.
; CHECK-LABEL: define void @buffers(
; CHECK-DAG: %[[TABLE:.*]] = call ptr @__lw_check_bounds()
; CHECK-DAG: %[[BEGIN:.*]] = load i64, ptr %{{.*}}, {{.*}}!invariant.load
; CHECK: %p = getelementptr i32, ptr addrspace(1) %x, i64 %i
; CHECK: %check.offset = sub i64 %{{.*}}, %
; CHECK: %[[LIMIT:.*]] = call i64 @llvm.usub.sat.i64(i64 %{{.*}}, i64 3)
; CHECK: %[[OK:.*]] = icmp ult i64 %check.offset, %[[LIMIT]]
; CHECK: br i1 %[[OK]], label %[[ACCESS:.*]], label %[[FAULT:.*]], !prof
; CHECK: [[ACCESS]]:
; CHECK-NEXT: %v = load i32, ptr addrspace(1) %p
; CHECK: [[FAULT]]:
; CHECK: call i64 @__lw_check(i64 17179877392, ptr @check.place, i64 %{{.*}}, i64 %
; CHECK: %v.checked = phi i32 [ %v, %[[ACCESS]] ], [ 0, %[[FAULT]] ]
; CHECK: store i32 %v.checked
; LOWERED-LABEL: define {{.*}}void @buffers(
; LOWERED: %check.bounds = load ptr, ptr %{{.*}}, !invariant.load
; LOWERED: call i64 %check(ptr %{{.*}}, i64 17179877392, ptr @check.place
; RACE-LABEL: define void @buffers(
; RACE-DAG: call ptr @__lw_check_races()
; RACE-DAG: %[[ID:.*]] = call i64 @__lw_check_id(i64 1)
; RACE: br i1 %check.watched
; RACE: %[[WRITTEN:.*]] = load i64, ptr addrspace(1) %check.record
; RACE: xor i64 %[[WRITTEN]], %
; RACE: call i64 @__lw_check_shared(
; RACE: %v = load i32
; RACE: store i64 %{{.*}}, ptr addrspace(1) %check.record
; RACE: store i32 %v
; RACE: load i64, ptr addrspace(1) %check.record
; RACE: call i64 @__lw_check_shared(
define void @buffers(ptr addrspace(1) %x, i64 %i) !kernel_arg_addr_space !0 {
  %p = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %i
  %v = load i32, ptr addrspace(1) %p
  store i32 %v, ptr addrspace(1) %x
  ret void
}

; What is inside for every value is not tested, and private memory is nobody else's.
; CHECK-LABEL: define void @inside(
; CHECK-NOT: br
; CHECK: ret void
; RACE-LABEL: define void @inside(
; RACE-NOT: __lw_check_shared
; RACE: ret void
define void @inside(i64 %i) !kernel_arg_addr_space !1 {
  %a = alloca [4 x i32]
  %p = getelementptr inbounds i32, ptr %a, i64 3
  store i32 1, ptr %p
  ret void
}

; CHECK-LABEL: define void @unknown(
; CHECK: load ptr addrspace(1)
; CHECK: %[[FOUND:.*]] = call i64 @__lw_check(i64 1717{{[0-9]+}}, ptr @check.place{{.*}}, i64 0)
; CHECK: icmp ne i64 %[[FOUND]], 0
define void @unknown(ptr addrspace(1) %x, i64 %i) !kernel_arg_addr_space !0 {
  %q = load ptr addrspace(1), ptr addrspace(1) %x
  store i32 1, ptr addrspace(1) %q
  ret void
}
!0 = !{i32 1, i32 0}
!1 = !{i32 0}
