; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Loops that compute a long chain and then mostly go on: two iterations side by side, if they load from one page. The chains are
; tied to each other, so that the code generator keeps their order.
; RUN: %opt --passes=pair-iterations --isa=x86-64-v4 %s | %filecheck %s
; RUN: %opt --passes=pair-iterations --isa=x86-64-v4 --emit=asm %s -o /dev/null
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @search(
; CHECK: loop.one.or.two:
; CHECK-NEXT: %misses = phi i32 [ 0, %0 ], [ %misses, %loop.two.end ], [ %[[MISSED:.*]], %latch ]
; CHECK-NEXT: %[[I:.*]] = phi i32 [ 0, %0 ], [ %[[AFTER:.*]], %loop.two.end ], [ %next, %latch ]
; CHECK: %[[NEXT:.*]] = add i32 %[[I]], 1
; CHECK: icmp ult i32 %[[NEXT]], %n
; CHECK: icmp ult i32 %misses, 4
; CHECK: xor i64
; CHECK: icmp ult i64 %{{.*}}, 4096
; CHECK: br i1 %pair, label %loop.two, label %loop
; CHECK: loop.two:
; CHECK: load <16 x i32>
; CHECK-NEXT: load <16 x i32>
; CHECK: bitreverse
; CHECK-NEXT: bitreverse
; CHECK: asm "", "=v,=v,0,1"
; CHECK: br i1 %{{.*}}, label %loop.two.end, label %loop
; CHECK: loop.two.end:
; CHECK-NEXT: %[[AFTER]] = add nuw i32 %[[NEXT]], 1
; CHECK: br i1 %{{.*}}, label %loop.one.or.two, label %exit
; CHECK: loop:
; CHECK-NEXT: %[[MISSED]] = phi i32 [ %misses, %loop.one.or.two ], [ %{{.*}}, %loop.two ]
; CHECK: br i1 %none, label %latch, label %found
define void @search(ptr %p, ptr %out, i32 %n, <16 x i32> %wanted) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %at = getelementptr inbounds <16 x i32>, ptr %p, i32 %i
  %v0 = load <16 x i32>, ptr %at, align 64
  %v1 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v0)
  %v2 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v1)
  %v3 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v2)
  %v4 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v3)
  %v5 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v4)
  %v6 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v5)
  %v7 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v6)
  %v8 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v7)
  %v9 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v8)
  %v10 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v9)
  %same = icmp eq <16 x i32> %v10, %wanted
  %bits = bitcast <16 x i1> %same to i16
  %none = icmp eq i16 %bits, 0
  br i1 %none, label %latch, label %found
found:
  store i32 %i, ptr %out
  br label %latch
latch:
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Values for what comes behind the loop, from either end; a bound that is loaded.
; CHECK-LABEL: define i32 @counts(
; CHECK: loop.one.or.two:
; CHECK: %[[SUM:.*]] = phi i32 [ 0, %0 ], [ %[[SUM]], %loop.two.end ], [ %sum.next, %latch ]
; CHECK: load i32, ptr %bound
; CHECK: exit:
; CHECK-NEXT: phi i32 [ %sum.next, %latch ], [ %[[SUM]], %loop.two.end ]
define i32 @counts(ptr %p, ptr %bound, <16 x i32> %wanted) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %sum = phi i32 [ 0, %0 ], [ %sum.next, %latch ]
  %at = getelementptr inbounds <16 x i32>, ptr %p, i32 %i
  %v0 = load <16 x i32>, ptr %at, align 64
  %v1 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v0)
  %v2 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v1)
  %v3 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v2)
  %v4 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v3)
  %v5 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v4)
  %v6 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v5)
  %v7 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v6)
  %v8 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v7)
  %v9 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v8)
  %v10 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v9)
  %same = icmp eq <16 x i32> %v10, %wanted
  %bits = bitcast <16 x i1> %same to i16
  %none = icmp eq i16 %bits, 0
  br i1 %none, label %latch, label %found
found:
  %more.sum = add i32 %sum, %i
  br label %latch
latch:
  %sum.next = phi i32 [ %sum, %loop ], [ %more.sum, %found ]
  %next = add nuw i32 %i, 1
  %n = load i32, ptr %bound
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %sum.next
}

; The end of a loop that may be left before: nothing of it is loaded too early.
; CHECK-LABEL: define void @leaves(
; CHECK: loop.one.or.two:
define void @leaves(ptr %p, ptr %out, i32 %n, <16 x i32> %wanted) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %at = getelementptr inbounds <16 x i32>, ptr %p, i32 %i
  %v0 = load <16 x i32>, ptr %at, align 64
  %v1 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v0)
  %v2 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v1)
  %v3 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v2)
  %v4 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v3)
  %v5 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v4)
  %v6 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v5)
  %v7 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v6)
  %v8 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v7)
  %v9 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v8)
  %v10 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v9)
  %same = icmp eq <16 x i32> %v10, %wanted
  %bits = bitcast <16 x i1> %same to i16
  %none = icmp eq i16 %bits, 0
  br i1 %none, label %latch, label %found
found:
  store i32 %i, ptr %out
  br label %exit
latch:
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Not: a loop that may be left before its bound is loaded.
; CHECK-LABEL: define void @leaves_early(
; CHECK-NOT: one.or.two:
define void @leaves_early(ptr %p, ptr %out, ptr %bound, <16 x i32> %wanted) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %at = getelementptr inbounds <16 x i32>, ptr %p, i32 %i
  %v0 = load <16 x i32>, ptr %at, align 64
  %v1 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v0)
  %v2 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v1)
  %v3 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v2)
  %v4 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v3)
  %v5 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v4)
  %v6 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v5)
  %v7 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v6)
  %v8 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v7)
  %v9 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v8)
  %v10 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v9)
  %same = icmp eq <16 x i32> %v10, %wanted
  %bits = bitcast <16 x i1> %same to i16
  %none = icmp eq i16 %bits, 0
  br i1 %none, label %latch, label %found
found:
  store i32 %i, ptr %out
  br label %exit
latch:
  %next = add nuw i32 %i, 1
  %n = load i32, ptr %bound
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Not: something happens in every iteration.
; CHECK-LABEL: define void @stores(
; CHECK-NOT: one.or.two:
define void @stores(ptr %p, ptr %out, i32 %n, <16 x i32> %wanted) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %at = getelementptr inbounds <16 x i32>, ptr %p, i32 %i
  %v0 = load <16 x i32>, ptr %at, align 64
  %v1 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v0)
  %v2 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v1)
  %v3 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v2)
  %v4 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v3)
  %v5 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v4)
  %v6 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v5)
  %v7 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v6)
  %v8 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v7)
  %v9 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v8)
  %v10 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v9)
  store i32 %i, ptr %out
  %same = icmp eq <16 x i32> %v10, %wanted
  %bits = bitcast <16 x i1> %same to i16
  %none = icmp eq i16 %bits, 0
  br i1 %none, label %latch, label %found
found:
  store i32 %i, ptr %out
  br label %latch
latch:
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Not: the processor sees several short iterations at a time.
; CHECK-LABEL: define void @short(
; CHECK-NOT: one.or.two:
define void @short(ptr %p, ptr %out, i32 %n, <16 x i32> %wanted) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %at = getelementptr inbounds <16 x i32>, ptr %p, i32 %i
  %v0 = load <16 x i32>, ptr %at, align 64
  %v1 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v0)
  %v2 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v1)
  %same = icmp eq <16 x i32> %v2, %wanted
  %bits = bitcast <16 x i1> %same to i16
  %none = icmp eq i16 %bits, 0
  br i1 %none, label %latch, label %found
found:
  store i32 %i, ptr %out
  br label %latch
latch:
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Not: an address that is loaded.
; CHECK-LABEL: define void @indirect(
; CHECK-NOT: one.or.two:
define void @indirect(ptr %p, ptr %out, i32 %n, <16 x i32> %wanted) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %index.at = getelementptr inbounds i32, ptr %out, i32 %i
  %index = load i32, ptr %index.at
  %at = getelementptr inbounds <16 x i32>, ptr %p, i32 %index
  %v0 = load <16 x i32>, ptr %at, align 64
  %v1 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v0)
  %v2 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v1)
  %v3 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v2)
  %v4 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v3)
  %v5 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v4)
  %v6 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v5)
  %v7 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v6)
  %v8 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v7)
  %v9 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v8)
  %v10 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v9)
  %same = icmp eq <16 x i32> %v10, %wanted
  %bits = bitcast <16 x i1> %same to i16
  %none = icmp eq i16 %bits, 0
  br i1 %none, label %latch, label %found
found:
  store i32 %i, ptr %out
  br label %latch
latch:
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Not: the next iteration begins with the result.
; CHECK-LABEL: define void @carried(
; CHECK-NOT: one.or.two:
define void @carried(ptr %p, ptr %out, i32 %n, <16 x i32> %wanted) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %v0 = phi <16 x i32> [ %wanted, %0 ], [ %v10, %latch ]
  %v1 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v0)
  %v2 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v1)
  %v3 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v2)
  %v4 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v3)
  %v5 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v4)
  %v6 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v5)
  %v7 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v6)
  %v8 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v7)
  %v9 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v8)
  %v10 = call <16 x i32> @llvm.bitreverse.v16i32(<16 x i32> %v9)
  %same = icmp eq <16 x i32> %v10, %wanted
  %bits = bitcast <16 x i1> %same to i16
  %none = icmp eq i16 %bits, 0
  br i1 %none, label %latch, label %found
found:
  store i32 %i, ptr %out
  br label %latch
latch:
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
declare <16 x i32> @llvm.bitreverse.v16i32(<16 x i32>)
