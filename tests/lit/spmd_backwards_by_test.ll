; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Descending indices of 32 bits: n - id - 1, which LLVM writes as n + ~id. Where the index does not wrap within the
; vector, one access at the last lane's address, and a shuffle.
; RUN: %opt --passes=vectorise --width=4 %s | %filecheck %s

; CHECK-LABEL: define void @signed(
; CHECK: items.vector:
; CHECK: %[[I:.*]] = add i32 %n, %{{.*}}
; CHECK: %[[HOLDS:.*]] = icmp sge i32 %[[I]], -2147483645
; CHECK: br i1 %[[HOLDS]], label %consecutive, label %scattered
; CHECK: consecutive:
; CHECK: %[[P:.*]] = getelementptr i8, ptr %{{.*}}, i64 -12
; CHECK: load <4 x i32>, ptr %[[P]]
; CHECK: shufflevector <4 x i32> %{{.*}}, <4 x i32> {{.*}}, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
; CHECK: scattered:
; CHECK: call <4 x i32> @llvm.masked.gather
define void @signed(ptr %a, ptr %b, i32 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %x = trunc i64 %id to i32
  %not = xor i32 %x, -1
  %i = add i32 %n, %not
  %e = sext i32 %i to i64
  %p = getelementptr i32, ptr %a, i64 %e
  %v = load i32, ptr %p
  %r = getelementptr i32, ptr %b, i64 %id
  store i32 %v, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; A store of vectors, at an index without a sign: lane 0 is at least three above zero. The components stay in order.
; CHECK-LABEL: define void @vectors(
; CHECK: icmp uge i32 %{{.*}}, 3
; CHECK: consecutive:
; CHECK: shufflevector <8 x i16> %{{.*}}, <8 x i16> poison, <8 x i32> <i32 3, i32 7, i32 2, i32 6, i32 1, i32 5, i32 0, i32 4>
; CHECK: %[[Q:.*]] = getelementptr i8, ptr %{{.*}}, i64 -12
; CHECK: store <8 x i16> %{{.*}}, ptr %[[Q]]
; CHECK: scattered:
; CHECK-COUNT-4: store <2 x i16>
define void @vectors(ptr %a, ptr %b, i32 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %x = trunc i64 %id to i32
  %p = getelementptr <2 x i16>, ptr %a, i64 %id
  %v = load <2 x i16>, ptr %p
  %i = sub i32 %n, %x
  %e = zext i32 %i to i64
  %r = getelementptr <2 x i16>, ptr %b, i64 %e
  store <2 x i16> %v, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !2
exit:
  ret void
}

; Only what follows a condition: the mask changes its order too.
; CHECK-LABEL: define void @masked(
; CHECK: %[[M:.*]] = shufflevector <4 x i1> %{{.*}}, <4 x i1> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
; CHECK: call <4 x i32> @llvm.masked.load{{.*}}(ptr {{.*}}%{{.*}}, <4 x i1> %[[M]]
define void @masked(ptr %a, ptr %b, i32 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %end ]
  %r = getelementptr i32, ptr %b, i64 %id
  %c = load i32, ptr %r
  %odd = trunc i32 %c to i1
  br i1 %odd, label %then, label %end
then:
  %x = trunc i64 %id to i32
  %not = xor i32 %x, -1
  %i = add i32 %n, %not
  %e = sext i32 %i to i64
  %p = getelementptr i32, ptr %a, i64 %e
  %v = load i32, ptr %p
  store i32 %v, ptr %r
  br label %end
end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !3
exit:
  ret void
}

; Near misses: other bits than all are inverted, lanes are two elements apart, and each access counts by itself.
; CHECK-LABEL: define void @others(
; CHECK: items.vector:
; CHECK-NOT: consecutive
; CHECK-NOT: load <4 x i32>
; CHECK: items.vector.end:
define void @others(ptr %a, ptr %b, i32 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %x = trunc i64 %id to i32
  %some = xor i32 %x, -2
  %i = add i32 %n, %some
  %e = sext i32 %i to i64
  %p = getelementptr i32, ptr %a, i64 %e
  %v = load i32, ptr %p
  %not = xor i32 %x, -1
  %j = add i32 %n, %not
  %f = sext i32 %j to i64
  %q = getelementptr i64, ptr %a, i64 %f
  %w = load i32, ptr %q
  %o = load volatile i32, ptr %p
  %s = add i32 %v, %w
  %t = add i32 %s, %o
  %r = getelementptr i64, ptr %b, i64 %id
  store i32 %t, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !4
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !1}
!4 = distinct !{!4, !1}
