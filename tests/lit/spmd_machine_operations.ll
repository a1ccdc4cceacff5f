; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An operation of the built-in library for x86-64-v4 is widened like an intrinsic; a table stays one pointer.
; RUN: %opt --passes=vectorise --width=16 --isa=x86-64-v4 %s | %filecheck %s
; CHECK: vectorise: f items: width 16
; CHECK: %[[E:.*]] = call <16 x float> @__lw_op_getexp_f.16(<16 x float> %{{.*}})
; CHECK: %[[T:.*]] = call <16 x float> @__lw_op_lookup_f.16(ptr @table, <16 x i32> %{{.*}})
; CHECK: call <16 x float> @__lw_op_scalef_f.16(<16 x float> %[[T]], <16 x float> %[[E]])
@table = internal constant [16 x float] zeroinitializer
declare float @__lw_op_getexp_f(float) memory(none) nounwind willreturn
declare float @__lw_op_scalef_f(float, float) memory(none) nounwind willreturn
declare float @__lw_op_lookup_f(ptr, i32) memory(none) nounwind willreturn
define void @f(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr float, ptr %a, i64 %id
  %v = load float, ptr %p
  %e = call float @__lw_op_getexp_f(float %v)
  %bits = bitcast float %v to i32
  %t = call float @__lw_op_lookup_f(ptr @table, i32 %bits)
  %s = call float @__lw_op_scalef_f(float %t, float %e)
  store float %s, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
