; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Values that lanes take from each other. A ballot contains only active lanes; a broadcast is one element, uniform for
; all; a shuffle with known indices is one instruction, other shuffles go through memory.
; RUN: %opt --passes=vectorise --width=4 %s | %filecheck %s
; CHECK: vectorise: f items: width 4
; CHECK: items.vector:
; CHECK: %[[V:.*]] = load <4 x i32>
; CHECK: %[[C:.*]] = icmp sgt <4 x i32> %[[V]], splat (i32 5)

; CHECK: %[[P:.*]] = icmp ne <4 x i32> %[[V]], zeroinitializer
; CHECK: %[[A:.*]] = select <4 x i1> %[[C]], <4 x i1> %[[P]], <4 x i1> zeroinitializer
; CHECK: %[[B:.*]] = bitcast <4 x i1> %[[A]] to i4
; CHECK: zext i4 %[[B]] to i64

; CHECK: extractelement <4 x i32> %[[V]], i32 2

; CHECK: shufflevector <4 x i32> %[[V]], <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>

; CHECK: store <4 x i32> %[[V]], ptr %[[PLACE:.*]], align 64
; CHECK: %[[WITHIN:.*]] = and <4 x i32> %[[V]], splat (i32 3)
; CHECK: extractelement <4 x i32> %[[WITHIN]]
; CHECK: load i32, ptr

declare i64 @__lw_sub_group_ballot(i32)
declare i32 @__lw_sub_group_broadcast_uint(i32, i32)
declare i32 @__lw_sub_group_shuffle_uint(i32, i32)

define void @f(ptr %a, ptr %b, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr %a, i64 %id
  %v = load i32, ptr %p
  %lane = and i64 %id, 3, !lanewise.lane !3
  %c = icmp sgt i32 %v, 5
  br i1 %c, label %then, label %items.end
then:
  %ballot = call i64 @__lw_sub_group_ballot(i32 %v)
  %third = call i32 @__lw_sub_group_broadcast_uint(i32 %v, i32 2)
  %number = trunc i64 %lane to i32
  %other = xor i32 %number, 1
  %partner = call i32 @__lw_sub_group_shuffle_uint(i32 %v, i32 %other)
  %any = call i32 @__lw_sub_group_shuffle_uint(i32 %v, i32 %v)
  %low = trunc i64 %ballot to i32
  %s1 = add i32 %low, %third
  %s2 = add i32 %s1, %partner
  %s3 = add i32 %s2, %any
  store i32 %s3, ptr %p
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1, !2}
!1 = !{!"lanewise.items"}
!2 = !{!"lanewise.sub_group", i32 4}
!3 = !{}
