; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes that use one address become one atomic operation; where that is not possible they run one after the other.
; RUN: %opt --passes=vectorise --width=4 %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; All lanes add the same value: only their number is needed.
; CHECK-LABEL: define void @count(
; CHECK: items.vector:
; CHECK: atomicrmw add ptr %c, i32 4 monotonic
; CHECK: items.rest:
; CHECK: call i4 @llvm.ctpop.i4
; CHECK: atomicrmw add ptr %c
; CHECK-NOT: atomicrmw
; CHECK: ret void
define void @count(ptr %a, i64 %size, ptr %c) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr %a, i64 %id
  %v = load i32, ptr %p
  %w = add i32 %v, 1
  store i32 %w, ptr %p
  %old = atomicrmw add ptr %c, i32 1 monotonic
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Under a mask, and with results: the old value and the number of active lanes before each lane.
; CHECK-LABEL: define void @ticket(
; CHECK: %[[M:.*]] = icmp sgt <4 x i32>
; CHECK: br i1 %{{.*}}, label %then.any
; CHECK: then.any:
; CHECK: call i4 @llvm.ctpop.i4
; CHECK-NEXT: zext
; CHECK-NEXT: %[[T:.*]] = mul i32 3
; CHECK-NEXT: %[[OLD:.*]] = atomicrmw add ptr %c, i32 %[[T]] acq_rel
; CHECK: zext <4 x i1> %{{.*}} to <4 x i8>
; CHECK: mul <4 x i32> %{{.*}}, splat (i32 3)
; CHECK: insertelement <4 x i32> poison, i32 %[[OLD]]
; CHECK: atomicrmw add
; CHECK-NOT: atomicrmw
; CHECK: ret void
define void @ticket(ptr %a, i64 %size, ptr %c) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr %a, i64 %id
  %v = load i32, ptr %p
  %k = icmp sgt i32 %v, 0
  store i32 0, ptr %p
  br i1 %k, label %then, label %items.end
then:
  %old = atomicrmw add ptr %c, i32 3 acq_rel
  store i32 %old, ptr %p
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Varying operands, without results: one reduction.
; CHECK-LABEL: define void @maximum(
; CHECK: %[[R:.*]] = call i32 @llvm.vector.reduce.smax.v4i32
; CHECK: atomicrmw max ptr %c, i32 %[[R]] seq_cst
; CHECK: atomicrmw max
; CHECK-NOT: atomicrmw
; CHECK: ret void
define void @maximum(ptr %a, i64 %size, ptr %c) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr %a, i64 %id
  %v = load i32, ptr %p
  %old = atomicrmw max ptr %c, i32 %v seq_cst
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Varying addresses: a test finds out whether they are the same.
; CHECK-LABEL: define void @histogram(
; CHECK: %[[S:.*]] = call i1 @llvm.vector.reduce.and.v4i1
; CHECK: br i1 %[[S]], label %together{{.*}}, label %apart
; CHECK: atomicrmw add ptr %{{.*}}, i32 4 monotonic
; Lanes that differ run in a loop that is not unrolled.
; CHECK: store <4 x ptr> %{{.*}}, ptr %slot
; CHECK: lane.loop:
; CHECK: %[[L:.*]] = phi i64 [ 0, %
; CHECK: %[[A:.*]] = getelementptr inbounds ptr, ptr %slot, i64 %[[L]]
; CHECK: %[[P:.*]] = load ptr, ptr %[[A]]
; CHECK: atomicrmw add ptr %[[P]], i32 1 monotonic
; CHECK: br i1 %{{.*}}, label %lane.loop, label %lanes.done, !llvm.loop ![[ROLLED:[0-9]+]]
; Under a mask, the loop goes over its bits.
; CHECK: store <4 x ptr> %{{.*}}, ptr %slot
; CHECK: %[[M:.*]] = phi i32 [ %{{.*}}, %
; CHECK: call i32 @llvm.cttz.i32(i32 %[[M]], i1 true)
; CHECK: atomicrmw add ptr %{{.*}}, i32 1 monotonic
; CHECK: sub i32 %[[M]], 1
; CHECK: ret void
define void @histogram(ptr %a, i64 %size, ptr %c) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr %a, i64 %id
  %v = load i32, ptr %p
  %w = zext i32 %v to i64
  %bin = getelementptr i32, ptr %c, i64 %w
  %old = atomicrmw add ptr %bin, i32 1 monotonic
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Sums of floats round one by one, in one compare-and-exchange loop.
; CHECK-LABEL: define void @floats(
; CHECK: load atomic i32, ptr %c monotonic
; CHECK: exchange:
; CHECK-COUNT-4: fadd float
; CHECK: cmpxchg ptr %c
; CHECK: cmpxchg ptr %c
; CHECK-NOT: cmpxchg
; CHECK: ret void
define void @floats(ptr %a, i64 %size, ptr %c) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr float, ptr %a, i64 %id
  %v = load float, ptr %p
  %old = atomicrmw fadd ptr %c, float %v monotonic
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Unless the program's options allow sums in another order.
; CHECK-LABEL: define void @any_order(
; CHECK: %[[SUM:.*]] = call reassoc float @llvm.vector.reduce.fadd.v4f32(float -0.{{0*}}e+00, <4 x float> %{{.*}})
; CHECK: atomicrmw fadd ptr %c, float %[[SUM]] monotonic
; CHECK-NOT: cmpxchg
; CHECK: ret void
define void @any_order(ptr %a, i64 %size, ptr %c) "lanewise-reassociates" {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr float, ptr %a, i64 %id
  %v = load float, ptr %p
  %old = atomicrmw fadd ptr %c, float %v monotonic
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Addresses that always differ are not compared.
; CHECK-LABEL: define void @neighbours(
; CHECK-NOT: reduce.and
; CHECK-COUNT-4: atomicrmw add ptr %{{.*}}, i32 1 monotonic
; CHECK: ret void
define void @neighbours(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr %a, i64 %id
  %old = atomicrmw add ptr %p, i32 1 monotonic
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Exchanges cannot be combined.
; CHECK-LABEL: define void @exchange(
; CHECK-COUNT-4: atomicrmw xchg ptr %c
; CHECK: ret void
define void @exchange(ptr %a, i64 %size, ptr %c) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr %a, i64 %id
  %v = load i32, ptr %p
  %old = atomicrmw xchg ptr %c, i32 %v monotonic
  store i32 %old, ptr %p
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; A load from one address is one load, whichever lanes are active.
; CHECK-LABEL: define void @flag(
; CHECK: load atomic i32, ptr %c acquire
; CHECK: load atomic i32, ptr %c acquire
; CHECK-NOT: load atomic
; CHECK: ret void
define void @flag(ptr %a, i64 %size, ptr %c) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr %a, i64 %id
  %v = load i32, ptr %p
  %s = load atomic i32, ptr %c acquire, align 4
  %w = add i32 %v, %s
  store i32 %w, ptr %p
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
; CHECK: ![[ROLLED]] = distinct !{![[ROLLED]], ![[NEVER:[0-9]+]]}
; CHECK: ![[NEVER]] = !{!"llvm.loop.unroll.disable"}
