; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A flattened loop has one vector form, always with its mask.
; RUN: %opt --passes=vectorise %s | %filecheck %s
; CHECK: vectorise: f items: width 4
; CHECK-LABEL: define void @f(
; CHECK-NOT: items.rest
; CHECK: items.vector:
; CHECK: %[[LEFT:.*]] = sub nuw i64 %size, %id.vector
; CHECK: call i64 @llvm.umin.i64(i64 %[[LEFT]], i64 4)
; CHECK: icmp ult <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK: call void @llvm.masked.store.v4i32
; CHECK-NOT: items.tail
declare i32 @__lw_sub_group_reduce_add_uint(i32)

define void @f(ptr %a, ptr %b, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr %a, i64 %id
  %v = load i32, ptr %p
  %sum = call i32 @__lw_sub_group_reduce_add_uint(i32 %v)
  %new = mul i32 %sum, %v
  store i32 %new, ptr %p
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
!2 = !{!"lanewise.sub_group", i32 4, !"flattened"}
