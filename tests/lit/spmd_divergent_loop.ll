; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop that lanes leave in different iterations runs while one is active; values that leave it are kept per lane.
; RUN: %opt --passes=vectorise --width=8 %s | %filecheck %s
; CHECK: vectorise: f items: width 8
; CHECK: items.vector:
; CHECK: load <8 x i32>, ptr
; CHECK: loop.live:
; CHECK: %live = phi <8 x i1> [ splat (i1 true), %{{.*}} ], [ %[[NEXT:.*]], %loop.live ]
; CHECK: %[[KEPT:.*]] = phi <8 x i32> [ zeroinitializer
; CHECK: %[[LIVE:.*]] = call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> %[[NEXT]])
; CHECK: br i1 %[[LIVE]], label %loop.live
; CHECK: store <8 x i32>
; CHECK: add nuw i64 %{{.*}}, 8
define void @f(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr %a, i64 %id
  %n = load i32, ptr %p
  br label %loop
loop:
  %i = phi i32 [ 0, %items ], [ %i.next, %loop ]
  %s = phi i32 [ 1, %items ], [ %s.next, %loop ]
  %i.next = add i32 %i, 1
  %s.next = mul i32 %s, %n
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %items.end
items.end:
  store i32 %s.next, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
