; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes that run a block under a mask together take a uniform branch together: it stays a branch.
; RUN: %opt --passes=vectorise --width=4 %s | %filecheck %s

; The values meet in a phi; nothing is blended but what the other lanes bring. The region is skipped where no lane is
; active, because it loads.
; CHECK-LABEL: define void @format(
; CHECK: then.some:
; CHECK-NEXT: br i1 %words, label %as.word.vector, label %as.byte.vector
; CHECK: then.none:
; CHECK-NEXT: phi <4 x i32> [ zeroinitializer, %{{.*}} ], [ %[[X:.*]], %then.together ]
; CHECK-NOT: select
; CHECK: then.together:
; CHECK-NEXT: %[[X]] = phi <4 x i32> [ %{{.*}}, %as.byte.vector ], [ %{{.*}}, %as.word.vector ]
; CHECK-NEXT: br label %then.none
; CHECK: as.word.vector:
; CHECK: br label %then.together
; CHECK: as.byte.vector:
; CHECK: br label %then.together
define void @format(ptr %a, ptr %b, i64 %size, i1 %words) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %join ]
  %q = getelementptr i32, ptr %b, i64 %id
  %at = load i32, ptr %q
  %inside = icmp sge i32 %at, 0
  store i32 7, ptr %q
  br i1 %inside, label %then, label %join
then:
  %wide = zext i32 %at to i64
  br i1 %words, label %as.word, label %as.byte
as.word:
  %p = getelementptr i32, ptr %a, i64 %wide
  %word = load i32, ptr %p
  br label %texel
as.byte:
  %p8 = getelementptr i8, ptr %a, i64 %wide
  %byte = load i8, ptr %p8
  %extended = zext i8 %byte to i32
  br label %texel
texel:
  %x = phi i32 [ %word, %as.word ], [ %extended, %as.byte ]
  %y = mul i32 %x, 3
  store i32 %y, ptr %q
  br label %join
join:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; The ways meet where the other lanes come to as well: one blend for all ways together. Cheap regions are not skipped,
; so their condition may be anything.
; CHECK-LABEL: define void @meets_others(
; CHECK: %[[C:.*]] = freeze i1 %kind
; CHECK: br i1 %[[C]], label %yes.vector, label %no.vector
; CHECK: then.together:
; CHECK-NEXT: %[[V:.*]] = phi <4 x i32>
; CHECK-NEXT: select <4 x i1> %{{.*}}, <4 x i32> %[[V]], <4 x i32> splat (i32 1)
; CHECK-NEXT: br label %join.vector
define void @meets_others(ptr %b, i64 %size, i1 %kind) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %join ]
  %q = getelementptr i32, ptr %b, i64 %id
  %at = load i32, ptr %q
  %inside = icmp sge i32 %at, 0
  br i1 %inside, label %then, label %join
then:
  br i1 %kind, label %yes, label %no
yes:
  %doubled = add i32 %at, %at
  br label %join
no:
  %tripled = mul i32 %at, 3
  br label %join
join:
  %v = phi i32 [ 1, %items ], [ %doubled, %yes ], [ %tripled, %no ]
  store i32 %v, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; In a divergent loop, too. What is uniform on both ways is so behind them.
; CHECK-LABEL: define void @in_loop(
; CHECK: top.live:
; CHECK: br i1 %{{.*}}, label %up.vector, label %down.vector
; CHECK: phi i32 [ 5, %down.vector ], [ 3, %up.vector ]
define void @in_loop(ptr %b, i64 %size, i1 %rises) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %done ]
  %q = getelementptr i32, ptr %b, i64 %id
  %start = load i32, ptr %q
  br label %top
top:
  %v = phi i32 [ %start, %items ], [ %v.next, %latch ]
  br label %step
step:
  br i1 %rises, label %up, label %down
up:
  %higher = add i32 %v, 7
  br label %latch
down:
  %lower = sub i32 %v, 9
  br label %latch
latch:
  %moved = phi i32 [ %higher, %up ], [ %lower, %down ]
  %by = phi i32 [ 3, %up ], [ 5, %down ]
  %v.next = mul i32 %moved, %by
  %again = icmp slt i32 %v.next, 1000
  br i1 %again, label %top, label %done
done:
  %r = phi i32 [ %v.next, %latch ]
  store i32 %r, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; A varying branch between: masks.
; CHECK-LABEL: define void @mixed(
; CHECK-NOT: .together
; CHECK: ret void
define void @mixed(ptr %b, i64 %size, i1 %kind) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %join ]
  %q = getelementptr i32, ptr %b, i64 %id
  %at = load i32, ptr %q
  %inside = icmp sge i32 %at, 0
  br i1 %inside, label %then, label %join
then:
  br i1 %kind, label %yes, label %no
yes:
  %large = icmp sgt i32 %at, 100
  br i1 %large, label %no, label %meet
no:
  %tripled = mul i32 %at, 3
  br label %meet
meet:
  %x = phi i32 [ %at, %yes ], [ %tripled, %no ]
  store i32 %x, ptr %q
  br label %join
join:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
