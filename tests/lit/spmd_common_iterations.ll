; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Work-items begin at their own numbers: what all of them do is a loop without masks, whose bound is less by the places of a row,
; and whose addresses do not wrap.
; RUN: %opt --isa=x86-64-v3 --width=8 --passes=vectorise %s | %filecheck %s
; RUN: %opt --isa=x86-64-v3 --width=8 --passes=vectorise,block-registers %s | %filecheck --check-prefix=BLOCKS %s

; CHECK-LABEL: define void @begins(
; CHECK: %[[SPAN:.*]] = trunc i64 {{.*}} to i32
; CHECK: call i32 @llvm.ssub.sat.i32(i32 %n, i32 %[[SPAN]])
; CHECK: %[[LIMIT:common.limit.*]] = select i1 %{{.*}}, i32 %{{.*}}, i32 -2147483648
; CHECK: loop.common.uniform:
; CHECK: %[[FIRST:i.common.first.*]] = phi i32
; CHECK: %[[STAYS:.*]] = icmp slt i32 %[[FIRST]], %[[LIMIT]]
; CHECK: br i1 %[[STAYS]], label %work.common.vector
; CHECK: work.common.vector:
; CHECK-NOT: masked
; CHECK: load <8 x float>
; CHECK-NOT: masked
; CHECK: loop.live:
; CHECK: masked

; Vectors share the loop without masks, and the one behind it, which goes on as long as a lane of one of them is active.
; BLOCKS-LABEL: define void @begins(
; BLOCKS: items.vector.columns.loop.common.uniform:
; BLOCKS: items.vector.columns.loop.live:
; BLOCKS-COUNT-2: phi <8 x i1>
; BLOCKS: br i1 %{{.*}}, label %items.vector.columns.loop.live, label %items.vector.columns.loop.end
; BLOCKS: items.vector.columns.work.common.vector:
; BLOCKS-COUNT-2: load <8 x float>
define void @begins(ptr %a, ptr %out, i64 %size, i32 %n, i32 %step) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %x = trunc i64 %id to i32
  br label %loop
loop:
  %i = phi i32 [ %x, %items ], [ %on, %work ]
  %s = phi float [ 0.0, %items ], [ %t, %work ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %work, label %done
work:
  %e = sext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %e
  %v = load float, ptr %p
  %t = fadd float %s, %v
  %on = add nsw i32 %i, %step
  br label %loop
done:
  %o = getelementptr float, ptr %out, i64 %id
  store float %s, ptr %o
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; They end at their own numbers: the first one's counts, unless another one's wraps.
; CHECK-LABEL: define void @ends(
; CHECK: %[[END:end.first.*]] = add i32 %n,
; CHECK: icmp ule i32 %[[END]],
; CHECK: %[[LIMIT:common.limit.*]] = select i1 %{{.*}}, i32 %[[END]], i32 0
; CHECK: loop.common.uniform:
; CHECK: icmp ult i32 %{{.*}}, %[[LIMIT]]
; CHECK: loop.live:
define void @ends(ptr %a, ptr %out, i64 %size, i32 %n) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %x = trunc i64 %id to i32
  %end = add i32 %n, %x
  br label %loop
loop:
  %i = phi i32 [ 0, %items ], [ %on, %work ]
  %s = phi float [ 0.0, %items ], [ %t, %work ]
  %c = icmp ugt i32 %i, %end
  br i1 %c, label %done, label %work
work:
  %e = zext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %e
  %v = load float, ptr %p
  %t = fadd float %s, %v
  %on = add i32 %i, 1
  br label %loop
done:
  %o = getelementptr float, ptr %out, i64 %id
  store float %s, ptr %o
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !2
exit:
  ret void
}

; Near misses: what is stored before the test would be stored twice, and a number that is not a line has no first one.
; CHECK-LABEL: define void @stores_before(
; CHECK-NOT: common
; CHECK-LABEL: define void @of_no_line(
; CHECK-NOT: common
define void @stores_before(ptr %a, ptr %out, i64 %size, i32 %n, i32 %step) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %x = trunc i64 %id to i32
  %o = getelementptr i32, ptr %out, i64 %id
  br label %loop
loop:
  %i = phi i32 [ %x, %items ], [ %on, %work ]
  store i32 %i, ptr %o
  %c = icmp slt i32 %i, %n
  br i1 %c, label %work, label %items.end
work:
  %on = add nsw i32 %i, %step
  br label %loop
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !3
exit:
  ret void
}

define void @of_no_line(ptr %a, ptr %out, i64 %size, i32 %n, i32 %step) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %x = trunc i64 %id to i32
  %y = xor i32 %x, 5
  br label %loop
loop:
  %i = phi i32 [ %y, %items ], [ %on, %work ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %work, label %items.end
work:
  %e = sext i32 %i to i64
  %o = getelementptr i32, ptr %out, i64 %e
  store i32 %i, ptr %o
  %on = add nsw i32 %i, %step
  br label %loop
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !4
exit:
  ret void
}
; Data says when lanes leave: some vectors would wait for others for long, so they run by themselves.
; BLOCKS-LABEL: define void @until_data_ends(
; BLOCKS-NOT: columns
; BLOCKS-LABEL: define void @asks_at_end(
define void @until_data_ends(ptr %a, ptr %out, i64 %size, i64 %step) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  br label %loop
loop:
  %i = phi i64 [ %id, %items ], [ %on, %work ]
  %s = phi float [ 0.0, %items ], [ %t, %work ]
  %c = fcmp olt float %s, 9.0
  br i1 %c, label %work, label %done
work:
  %p = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %p
  %t = fadd float %s, %v
  %on = add i64 %i, %step
  br label %loop
done:
  %o = getelementptr float, ptr %out, i64 %id
  store float %s, ptr %o
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !5
exit:
  ret void
}

; A loop that asks at its end whether there is a next iteration, and inside whether there is a second element: the copy
; asks for both before each iteration, and a work-item may have done its last one there.
; The loop may be left before it asks at its end, so the bound that the copy asks for may have no value.
; CHECK-LABEL: define void @asks_at_end(
; CHECK: loop.preheader.vector:
; CHECK: %[[BOUND:.*]] = freeze i32 %n
; CHECK: call i32 @llvm.usub.sat.i32(i32 %[[BOUND]],
; CHECK: %[[BOUND:.*]] = freeze i32 %n
; CHECK: call i32 @llvm.usub.sat.i32(i32 %[[BOUND]],
; CHECK: loop.common.head.uniform:
; CHECK: %[[FIRST:i.common.first.*]] = phi i32
; CHECK: %[[ONE:.*]] = icmp ult i32 %[[FIRST]], %common.limit
; CHECK: %[[SUM:.*]] = add i32 %[[FIRST]],
; CHECK: %[[TWO:.*]] = icmp ult i32 %[[SUM]], %common.limit
; CHECK: and i1 %[[ONE]], %[[TWO]]
; CHECK: loop.common.vector:
; CHECK-NOT: masked
; CHECK: load <8 x float>
; CHECK-NOT: masked
; CHECK: load <8 x float>
; CHECK-NOT: masked
; CHECK: loop.rest.vector:

; The second element's place differs from work-item to work-item in another way.
; CHECK-LABEL: define void @asks_inside_for_another(
; CHECK: loop.preheader.vector:
; CHECK: call i32 @llvm.usub.sat.i32(
; CHECK-NOT: call i32 @llvm.usub.sat.i32(
; CHECK: loop.common.head.uniform:
; CHECK-NOT: and i1
; CHECK: loop.common.vector:
define void @asks_at_end(ptr %a, ptr %out, i64 %size, i32 %n, i32 %far, i32 %step) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %x = trunc i64 %id to i32
  %any = icmp ult i32 %x, %n
  br i1 %any, label %loop, label %items.end
loop:
  %i = phi i32 [ %x, %items ], [ %on, %end ]
  %s = phi float [ 0.0, %items ], [ %u, %end ]
  %e = zext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %e
  %v = load float, ptr %p
  %t = fadd float %s, %v
  %j = add i32 %i, %far
  %there = icmp ult i32 %j, %n
  br i1 %there, label %second, label %end
second:
  %f = zext i32 %j to i64
  %q = getelementptr float, ptr %a, i64 %f
  %w = load float, ptr %q
  %tw = fadd float %t, %w
  br label %end
end:
  %u = phi float [ %t, %loop ], [ %tw, %second ]
  %on = add i32 %i, %step
  %c = icmp ult i32 %on, %n
  br i1 %c, label %loop, label %done
done:
  %o = getelementptr float, ptr %out, i64 %id
  store float %u, ptr %o
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !6
exit:
  ret void
}

define void @asks_inside_for_another(ptr %a, ptr %out, i64 %size, i32 %n, i32 %step) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %x = trunc i64 %id to i32
  %any = icmp ult i32 %x, %n
  br i1 %any, label %loop, label %items.end
loop:
  %i = phi i32 [ %x, %items ], [ %on, %end ]
  %s = phi float [ 0.0, %items ], [ %u, %end ]
  %e = zext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %e
  %v = load float, ptr %p
  %t = fadd float %s, %v
  %j = add i32 %i, %x
  %there = icmp ult i32 %j, %n
  br i1 %there, label %second, label %end
second:
  %tw = fadd float %t, 1.0
  br label %end
end:
  %u = phi float [ %t, %loop ], [ %tw, %second ]
  %on = add i32 %i, %step
  %c = icmp ult i32 %on, %n
  br i1 %c, label %loop, label %done
done:
  %o = getelementptr float, ptr %out, i64 %id
  store float %u, ptr %o
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !7
exit:
  ret void
}

; Two inner tests of one number: it is made from the first work-item's once.
; CHECK-LABEL: define void @asks_twice_for_one(
; CHECK-COUNT-3: call i32 @llvm.usub.sat.i32(
; CHECK: loop.common.vector:
; CHECK: %[[J:.*]] = add i32 %i.common.first{{.*}}, %far
; CHECK: %[[WIDE:.*]] = zext i32 %[[J]] to i64
; CHECK: %[[AT:.*]] = add nuw i64 %[[WIDE]],
; CHECK: second.common.vector:
; CHECK: getelementptr float, ptr %a, i64 %[[AT]]
; CHECK-NOT: masked
; CHECK: loop.rest.vector:
define void @asks_twice_for_one(ptr %a, ptr %out, i64 %size, i32 %n, i32 %far, i32 %m, i32 %step) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %x = trunc i64 %id to i32
  %any = icmp ult i32 %x, %n
  br i1 %any, label %loop, label %items.end
loop:
  %i = phi i32 [ %x, %items ], [ %on, %end ]
  %s = phi float [ 0.0, %items ], [ %u, %end ]
  %e = zext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %e
  %v = load float, ptr %p
  %t = fadd float %s, %v
  %j = add i32 %i, %far
  %there = icmp ult i32 %j, %n
  br i1 %there, label %second, label %end
second:
  %f = zext i32 %j to i64
  %q = getelementptr float, ptr %a, i64 %f
  %w = load float, ptr %q
  %tw = fadd float %t, %w
  %more.there = icmp ult i32 %j, %m
  br i1 %more.there, label %third, label %end
third:
  %w.again = load float, ptr %q
  %th = fadd float %tw, %w.again
  br label %end
end:
  %u = phi float [ %t, %loop ], [ %tw, %second ], [ %th, %third ]
  %on = add i32 %i, %step
  %c = icmp ult i32 %on, %n
  br i1 %c, label %loop, label %done
done:
  %o = getelementptr float, ptr %out, i64 %id
  store float %u, ptr %o
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !8
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !1}
!4 = distinct !{!4, !1}
!5 = distinct !{!5, !1}
!6 = distinct !{!6, !1}
!7 = distinct !{!7, !1}
!8 = distinct !{!8, !1}
