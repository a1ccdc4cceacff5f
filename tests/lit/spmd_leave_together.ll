; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes leave early one by one, and those that are left all at once when a counter ends: a branch, behind which what
; they keep is computed once. In the loop all lanes that are left keep what those that leave by themselves would, of which
; nobody needs to know which they are; and nothing where that would be zero.
; RUN: %opt --passes=vectorise --width=8 %s | %filecheck %s

; CHECK-LABEL: define void @search(
; CHECK: [[TOP:top.live.*]]:
; CHECK: %live = phi <8 x i1>
; CHECK: %[[PLACE:place.left.*]] = phi <8 x i32>
; CHECK: %[[FOUND:found.left.*]] = phi <8 x i1> [ zeroinitializer, %{{.*}} ], [ %[[FOUND]], %{{.*}} ]
; CHECK: br i1 %at.end{{.*}}, label %loop.leave, label %loop.stay
; CHECK: loop.stay:
; CHECK-NOT: phi
; CHECK: select <8 x i1> %live, <8 x i32> %{{.*}}, <8 x i32> %[[PLACE]]
; CHECK-NOT: %[[FOUND]],
; CHECK: br i1 %{{.*}}, label %[[TOP]], label %loop.end
define void @search(ptr %a, ptr %b, i64 %size, i32 %count) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %done ]
  %p = getelementptr i32, ptr %a, i64 %id
  %x = load i32, ptr %p
  br label %top
top:
  %n = phi i32 [ 0, %items ], [ %n.next, %again ]
  %v = phi i32 [ %x, %items ], [ %v.next, %again ]
  %at.end = icmp eq i32 %n, %count
  br i1 %at.end, label %done, label %again.or.not
again.or.not:
  %hit = icmp sgt i32 %v, 100
  br i1 %hit, label %done, label %again
again:
  %n.next = add i32 %n, 1
  %v.next = mul i32 %v, 3
  br label %top
done:
  %place = phi i32 [ -1, %top ], [ %n, %again.or.not ]
  %found = phi i1 [ %at.end, %top ], [ %at.end, %again.or.not ]
  %q = getelementptr i32, ptr %b, i64 %id
  %r = select i1 %found, i32 7, i32 %place
  store i32 %r, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Near miss: with two ways out under masks a lane that stays at the first must not keep what it would take there, because
; zeros at the second are not kept.
; CHECK-LABEL: define void @two_ways(
; CHECK: [[TOP2:top.live.*]]:
; CHECK: %live = phi <8 x i1>
; CHECK: %[[PLACE2:place.left.*]] = phi <8 x i32>
; CHECK-NOT: select <8 x i1> %live, <8 x i32>
; CHECK: %[[LEAVING:.*]] = select <8 x i1> %live, <8 x i1> %{{.*}}, <8 x i1> zeroinitializer
; CHECK: select <8 x i1> %[[LEAVING]], <8 x i32> %{{.*}}, <8 x i32> %[[PLACE2]]
; CHECK: br i1 %{{.*}}, label %[[TOP2]], label %loop.end
define void @two_ways(ptr %a, ptr %b, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %done ]
  %p = getelementptr i32, ptr %a, i64 %id
  %x = load i32, ptr %p
  br label %top
top:
  %n = phi i32 [ 1, %items ], [ %n.next, %again ]
  %v = phi i32 [ %x, %items ], [ %v.next, %again ]
  %negative = icmp slt i32 %v, 0
  br i1 %negative, label %done, label %again.or.not
again.or.not:
  %hit = icmp sgt i32 %v, 100
  br i1 %hit, label %done, label %again
again:
  %n.next = add i32 %n, 1
  %v.next = mul i32 %v, 3
  br label %top
done:
  %place = phi i32 [ %n, %top ], [ 0, %again.or.not ]
  %q = getelementptr i32, ptr %b, i64 %id
  store i32 %place, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
