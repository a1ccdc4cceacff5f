; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Atomic operations without results are collected over the vectors of a loop as long as they stay at one address. Not where a
; work-item might see its own operation, or others could wait for it.
; RUN: %opt --passes=vectorise,collect-atomics --width=4 %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; The vectors' values are combined lane by lane, and reduced when the address changes and behind the loop.
; CHECK-LABEL: define void @bins(
; CHECK: items.vector:
; CHECK-DAG: %[[SUM:pending.*]] = phi <4 x i32> [ zeroinitializer, %{{.*}} ], [ %[[LAST:.*]], %items.end.vector ]
; CHECK-DAG: %[[AT:pending.at.*]] = phi ptr addrspace(1) [ null, %{{.*}} ], [ %[[LASTAT:.*]], %items.end.vector ]
; CHECK: icmp ne ptr addrspace(1) %[[LASTAT]], null
; CHECK: %[[ALL:.*]] = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %[[LAST]])
; CHECK-NEXT: atomicrmw add ptr addrspace(1) %[[LASTAT]], i32 %[[ALL]] monotonic
; CHECK: together:
; CHECK: %[[OTHER:.*]] = icmp ne ptr addrspace(1) %[[AT]], %[[BIN:.*]]
; CHECK: %[[BEFORE:.*]] = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %[[SUM]])
; CHECK-NEXT: atomicrmw add ptr addrspace(1) %[[AT]], i32 %[[BEFORE]] monotonic
; CHECK: %[[KEPT:.*]] = select i1 %[[OTHER]], <4 x i32> zeroinitializer, <4 x i32> %[[SUM]]
; CHECK-NEXT: add <4 x i32> %[[KEPT]],
define void @bins(ptr addrspace(1) %a, i64 %size, ptr addrspace(1) %c) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %id
  %v = load i32, ptr addrspace(1) %p
  %far = zext i32 %v to i64
  %bin = getelementptr i32, ptr addrspace(1) %c, i64 %far
  %old = atomicrmw add ptr addrspace(1) %bin, i32 %v monotonic
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; What is subtracted is added up; one number for all lanes needs no vector.
; CHECK-LABEL: define void @counts_down(
; CHECK: %[[SUM:pending.*]] = phi i32 [ 0, %{{.*}} ], [ %[[LAST:.*]], %items.end.vector ]
; CHECK: %[[LAST]] = add i32 %[[SUM]], 12
; CHECK: atomicrmw sub ptr addrspace(1) %{{.*}}, i32 %[[LAST]] monotonic
define void @counts_down(ptr addrspace(1) %a, i64 %size, ptr addrspace(1) %c) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %id
  %v = load i32, ptr addrspace(1) %p
  store i32 0, ptr addrspace(1) %p
  %old = atomicrmw sub ptr addrspace(1) %c, i32 3 monotonic
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Of floats only where options let sums be computed in any order.
; CHECK-LABEL: define void @any_order(
; CHECK: phi <4 x float> [ splat (float -0.000000e+00),
; CHECK-LABEL: define void @in_order(
; CHECK-NOT: pending
; CHECK: ret void
define void @any_order(ptr addrspace(1) %a, i64 %size, ptr addrspace(1) %c) "lanewise-reassociates" {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %id
  %v = load i32, ptr addrspace(1) %p
  %f = bitcast i32 %v to float
  %old = atomicrmw fadd ptr addrspace(1) %c, float %f monotonic
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @in_order(ptr addrspace(1) %a, i64 %size, ptr addrspace(1) %c) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %id
  %v = load i32, ptr addrspace(1) %p
  %f = bitcast i32 %v to float
  %old = atomicrmw fadd ptr addrspace(1) %c, float %f monotonic
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; The work-item stores behind it.
; CHECK-LABEL: define void @stores(
; CHECK-NOT: pending
; CHECK: ret void
define void @stores(ptr addrspace(1) %a, i64 %size, ptr addrspace(1) %c) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %id
  %v = load i32, ptr addrspace(1) %p
  %old = atomicrmw add ptr addrspace(1) %c, i32 %v monotonic
  store i32 %v, ptr addrspace(1) %p
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; An operation of another kind may be at the same address.
; CHECK-LABEL: define void @kinds(
; CHECK-NOT: pending
; CHECK: ret void
define void @kinds(ptr addrspace(1) %a, i64 %size, ptr addrspace(1) %c) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %id
  %v = load i32, ptr addrspace(1) %p
  %old = atomicrmw add ptr addrspace(1) %c, i32 %v monotonic
  %older = atomicrmw umax ptr addrspace(1) %c, i32 %v monotonic
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; A work-item of the loop could wait for the operations of others.
; CHECK-LABEL: define void @waits(
; CHECK-NOT: pending
; CHECK: ret void
define void @waits(ptr addrspace(1) %a, i64 %size, ptr addrspace(1) %c) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %id
  %v = load i32, ptr addrspace(1) %p
  %flag = load atomic volatile i32, ptr addrspace(1) %c monotonic, align 4
  %old = atomicrmw add ptr addrspace(1) %c, i32 %v monotonic
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; The operation gives others an order.
; CHECK-LABEL: define void @releases(
; CHECK-NOT: pending
; CHECK: ret void
define void @releases(ptr addrspace(1) %a, i64 %size, ptr addrspace(1) %c) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %id
  %v = load i32, ptr addrspace(1) %p
  %old = atomicrmw add ptr addrspace(1) %c, i32 %v release
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; The result is used.
; CHECK-LABEL: define void @result(
; CHECK-NOT: pending
; CHECK: ret void
define void @result(ptr addrspace(1) %a, i64 %size, ptr addrspace(1) %c) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %id
  %v = load i32, ptr addrspace(1) %p
  %old = atomicrmw add ptr addrspace(1) %c, i32 %v monotonic
  store i32 %old, ptr addrspace(1) %p
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Memory that no other thread uses: no lock, and nothing to save.
; CHECK-LABEL: define void @own(
; CHECK-NOT: pending
; CHECK: ret void
define void @own(ptr addrspace(1) %a, i64 %size, ptr addrspace(1) %c) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %id
  %v = load i32, ptr addrspace(1) %p
  %old = atomicrmw add ptr addrspace(1) %c, i32 %v syncscope("singlethread") monotonic
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
