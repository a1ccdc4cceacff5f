; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Combinations of the active lanes: others count as the identity of the operation, which its type decides. A reduction
; halves the vector and is one scalar; scans shift by 1, 2, 4...; clusters are butterflies.
; RUN: %opt --passes=vectorise --width=4 %s | %filecheck %s
; CHECK: vectorise: f items: width 4
; CHECK: items.vector:
; CHECK: %[[V:.*]] = load <4 x i32>
; CHECK: %[[C:.*]] = icmp sgt <4 x i32> %[[V]], splat (i32 5)

; signed minimum
; CHECK: %[[M:.*]] = select <4 x i1> %[[C]], <4 x i32> %[[V]], <4 x i32> splat (i32 2147483647)
; CHECK: %[[L:.*]] = shufflevector <4 x i32> %[[M]], <4 x i32> poison, <2 x i32> <i32 0, i32 1>
; CHECK: %[[H:.*]] = shufflevector <4 x i32> %[[M]], <4 x i32> poison, <2 x i32> <i32 2, i32 3>
; CHECK: call <2 x i32> @llvm.smin.v2i32(<2 x i32> %[[L]], <2 x i32> %[[H]])
; CHECK: call <1 x i32> @llvm.smin.v1i32
; CHECK: %[[MIN:.*]] = extractelement <1 x i32> {{.*}}, i64 0

; exclusive sum: the first lane gets zero
; CHECK: %[[S0:.*]] = select <4 x i1> %[[C]], <4 x i32> %[[V]], <4 x i32> zeroinitializer
; CHECK: shufflevector <4 x i32> %[[S0]], <4 x i32> zeroinitializer, <4 x i32> <i32 4, i32 0, i32 1, i32 2>
; CHECK: %[[S1:.*]] = add <4 x i32>
; CHECK: shufflevector <4 x i32> %[[S1]], <4 x i32> zeroinitializer, <4 x i32> <i32 4, i32 5, i32 0, i32 1>
; CHECK: %[[S2:.*]] = add <4 x i32>
; CHECK: shufflevector <4 x i32> %[[S2]], <4 x i32> zeroinitializer, <4 x i32> <i32 4, i32 0, i32 1, i32 2>

; inclusive unsigned maximum: no shift at the end
; CHECK: select <4 x i1> %[[C]], <4 x i32> %[[V]], <4 x i32> zeroinitializer
; CHECK: call <4 x i32> @llvm.umax.v4i32
; CHECK: call <4 x i32> @llvm.umax.v4i32
; CHECK-NOT: @llvm.umax

; conjunction in clusters of two: the second butterfly has no effect
; CHECK: select <4 x i1> %[[C]], <4 x i32> %[[V]], <4 x i32> splat (i32 -1)
; CHECK: shufflevector {{.*}} <4 x i32> <i32 1, i32 0, i32 3, i32 2>
; CHECK: and <4 x i32>
; CHECK: shufflevector {{.*}} <4 x i32> <i32 2, i32 3, i32 0, i32 1>
; CHECK: %[[WIDER:.*]] = and <4 x i32>
; CHECK: select i1 false, <4 x i32> %[[WIDER]]

; float maximum
; CHECK: select <4 x i1> %[[C]], <4 x float> {{.*}}, <4 x float> splat (float {{0xFFF0000000000000|-inf}})
; CHECK: call <2 x float> @llvm.maxnum.v2f32

declare i32 @__lw_sub_group_reduce_min_int(i32)
declare i32 @__lw_sub_group_scan_exclusive_add_int(i32)
declare i32 @__lw_sub_group_scan_inclusive_max_uint(i32)
declare i32 @__lw_sub_group_clustered_and_uint(i32, i32)
declare float @__lw_sub_group_reduce_max_float(float)

define void @f(ptr %a, ptr %b, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr %a, i64 %id
  %v = load i32, ptr %p
  %c = icmp sgt i32 %v, 5
  br i1 %c, label %then, label %items.end
then:
  %min = call i32 @__lw_sub_group_reduce_min_int(i32 %v)
  %scan = call i32 @__lw_sub_group_scan_exclusive_add_int(i32 %v)
  %max = call i32 @__lw_sub_group_scan_inclusive_max_uint(i32 %v)
  %and = call i32 @__lw_sub_group_clustered_and_uint(i32 %v, i32 2)
  %float = bitcast i32 %v to float
  %largest = call float @__lw_sub_group_reduce_max_float(float %float)
  %bits = bitcast float %largest to i32
  %s1 = add i32 %min, %scan
  %s2 = add i32 %s1, %max
  %s3 = add i32 %s2, %and
  %s4 = add i32 %s3, %bits
  store i32 %s4, ptr %p
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
