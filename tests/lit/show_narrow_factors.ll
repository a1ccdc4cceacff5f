; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Factors of 64 bits that fit into 32, where the code generator does not see it: shifts, or a mask, say so.
; RUN: %opt --passes=show-narrow-factors %s | %filecheck %s

; A counter that became 64 bits wide, and a number from in front of the loop.
; CHECK-LABEL: define <4 x i64> @counter(
; CHECK: %[[UP:.*]] = shl <4 x i64> %n.all, splat (i64 32)
; CHECK: %[[N:.*]] = ashr <4 x i64> %[[UP]], splat (i64 32)
; CHECK: mul <4 x i64> %[[N]], %x.wide
; CHECK: %[[UP:.*]] = shl <4 x i64> %k.all, splat (i64 32)
; CHECK: %[[K:.*]] = ashr <4 x i64> %[[UP]], splat (i64 32)
; CHECK: mul <4 x i64> %x.wide, %[[K]]
define <4 x i64> @counter(<4 x i32> %x, i32 %k) {
entry:
  %k.wide = sext i32 %k to i64
  %k.first = insertelement <4 x i64> poison, i64 %k.wide, i64 0
  %k.all = shufflevector <4 x i64> %k.first, <4 x i64> poison, <4 x i32> zeroinitializer
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %v = phi <4 x i32> [ %x, %entry ], [ %v.next, %loop ]
  %n = add nuw nsw i64 %i, 305419896
  %n.first = insertelement <4 x i64> poison, i64 %n, i64 0
  %n.all = shufflevector <4 x i64> %n.first, <4 x i64> poison, <4 x i32> zeroinitializer
  %x.wide = sext <4 x i32> %v to <4 x i64>
  %p = mul <4 x i64> %n.all, %x.wide
  %q = mul <4 x i64> %x.wide, %k.all
  %sum = add <4 x i64> %p, %q
  %high = lshr <4 x i64> %sum, splat (i64 32)
  %v.next = trunc <4 x i64> %high to <4 x i32>
  %i.next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %i.next, 16
  br i1 %end, label %done, label %loop
done:
  ret <4 x i64> %sum
}

; Numbers without sign, one from another block.
; CHECK-LABEL: define <4 x i64> @without_sign(
; CHECK: %[[X:.*]] = and <4 x i64> %x.wide, splat (i64 4294967295)
; CHECK: mul <4 x i64> %[[X]], %y.wide
define <4 x i64> @without_sign(<4 x i32> %x, <4 x i32> %y, i1 %c) {
  %x.wide = zext <4 x i32> %x to <4 x i64>
  br i1 %c, label %then, label %end
then:
  %y.wide = zext <4 x i32> %y to <4 x i64>
  %p = mul <4 x i64> %x.wide, %y.wide
  br label %end
end:
  %r = phi <4 x i64> [ %p, %then ], [ %x.wide, %0 ]
  ret <4 x i64> %r
}

; Near misses: the counter has no such bound; one factor has a sign and the other all 32 bits; all of it is in one block.
; CHECK-LABEL: define <4 x i64> @no_bound(
; CHECK-NOT: shl
; CHECK-LABEL: define <4 x i64> @different(
; CHECK-NOT: shl
; CHECK-NOT: 4294967295
; CHECK-LABEL: define <4 x i64> @in_sight(
; CHECK-NOT: shl
; CHECK: ret
define <4 x i64> @no_bound(<4 x i32> %x, i64 %count) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %v = phi <4 x i32> [ %x, %entry ], [ %v.next, %loop ]
  %n.first = insertelement <4 x i64> poison, i64 %i, i64 0
  %n.all = shufflevector <4 x i64> %n.first, <4 x i64> poison, <4 x i32> zeroinitializer
  %x.wide = sext <4 x i32> %v to <4 x i64>
  %p = mul <4 x i64> %n.all, %x.wide
  %v.next = trunc <4 x i64> %p to <4 x i32>
  %i.next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %i.next, %count
  br i1 %end, label %done, label %loop
done:
  ret <4 x i64> %p
}
define <4 x i64> @different(<4 x i32> %x, <4 x i32> %y) {
  %x.wide = zext <4 x i32> %x to <4 x i64>
  br label %then
then:
  %y.wide = sext <4 x i32> %y to <4 x i64>
  %p = mul <4 x i64> %x.wide, %y.wide
  ret <4 x i64> %p
}
define <4 x i64> @in_sight(<4 x i32> %x, <4 x i32> %y) {
  %x.wide = sext <4 x i32> %x to <4 x i64>
  %y.wide = sext <4 x i32> %y to <4 x i64>
  %p = mul <4 x i64> %x.wide, %y.wide
  ret <4 x i64> %p
}
