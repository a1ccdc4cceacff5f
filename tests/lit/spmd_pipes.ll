; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes take packets of a pipe together: one call for all active lanes, whose numbers follow each other.
; RUN: %opt --passes=vectorise --width=4 %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
; CHECK: vectorise: spin items: scalar, atomics in a loop
declare i64 @__lw_take_packets(ptr, i32, i32, i32)

; CHECK-LABEL: define void @reserve(
; CHECK: items.vector:
; CHECK: %[[ALL:.*]] = call i64 @__lw_take_packets(ptr %s, i32 0, i32 3, i32 4)
; CHECK: %[[FIRST:.*]] = and i64 %[[ALL]], 72057594037927935
; CHECK: insertelement <4 x i64> poison, i64 %[[FIRST]]
; CHECK: add <4 x i64> %{{.*}}, <i64 0, i64 3, i64 6, i64 9>
; CHECK: %[[TAKEN:.*]] = lshr i64 %[[ALL]], 56
; CHECK: icmp ult <4 x i64> <i64 0, i64 1, i64 2, i64 3>
; CHECK: items.rest:
; CHECK: call i4 @llvm.ctpop.i4
; CHECK: call i64 @__lw_take_packets(ptr %s, i32 0, i32 3, i32 %
; CHECK: ret void
define void @reserve(ptr %a, i64 %size, ptr %s) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %t = call i64 @__lw_take_packets(ptr %s, i32 0, i32 3, i32 1)
  %p = getelementptr i64, ptr %a, i64 %id
  store i64 %t, ptr %p
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Reservations of different sizes are made lane by lane.
; CHECK-LABEL: define void @sizes(
; CHECK: items.vector:
; CHECK-COUNT-4: call i64 @__lw_take_packets(ptr %s, i32 1, i32 %{{.*}}, i32 1)
; CHECK: ret void
define void @sizes(ptr %a, i64 %size, ptr %s) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i64, ptr %a, i64 %id
  %n = load i64, ptr %p
  %count = trunc i64 %n to i32
  %t = call i64 @__lw_take_packets(ptr %s, i32 1, i32 %count, i32 1)
  store i64 %t, ptr %p
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !4
exit:
  ret void
}

; A lane that gets no packet leaves the loop; handing one on is one atomic store per lane, to a dummy for lanes without.
; CHECK-LABEL: define void @drain(
; CHECK: loop.live:
; CHECK: call i4 @llvm.ctpop.i4
; CHECK: call i64 @__lw_take_packets(ptr %s, i32 1, i32 1, i32 %
; CHECK: select <4 x i1> %{{.*}}, <4 x ptr> %{{.*}}, <4 x ptr>
; CHECK-COUNT-4: store atomic i32 0, ptr %{{.*}} release, align 4
; CHECK: ret void
define void @drain(ptr %a, i64 %size, ptr %s) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  br label %loop
loop:
  %n = phi i64 [ 0, %items ], [ %n.next, %some ]
  %t = call i64 @__lw_take_packets(ptr %s, i32 1, i32 1, i32 1)
  %none = icmp ult i64 %t, 72057594037927936
  br i1 %none, label %items.end, label %some
some:
  %n.next = add i64 %n, %t
  %number = and i64 %t, 4294967295
  %word = getelementptr i32, ptr %s, i64 %number
  store atomic i32 0, ptr %word release, align 4
  br label %loop
items.end:
  %p = getelementptr i64, ptr %a, i64 %id
  store i64 %n, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !2
exit:
  ret void
}

; A lane that stays in the loop until there is room could wait for another lane.
; CHECK-LABEL: define void @spin(
; CHECK-NOT: x i64>
; CHECK: ret void
define void @spin(ptr %a, i64 %size, ptr %s) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  br label %loop
loop:
  %t = call i64 @__lw_take_packets(ptr %s, i32 1, i32 1, i32 1)
  %none = icmp ult i64 %t, 72057594037927936
  br i1 %none, label %loop, label %items.end
items.end:
  %p = getelementptr i64, ptr %a, i64 %id
  store i64 %t, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !3
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !1}
!4 = distinct !{!4, !1}
