; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes with descending addresses: one access at the last lane's address, and a shuffle.
; RUN: %opt --passes=vectorise --width=4 %s | %filecheck %s
; CHECK: items.vector:
; CHECK: %[[P:.*]] = getelementptr i8, ptr %{{.*}}, i64 -12
; CHECK: load <4 x i32>, ptr %[[P]]
; CHECK: shufflevector <4 x i32> %{{.*}}, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
; CHECK: store <4 x i32>
; CHECK: items.vector.end:
define void @f(ptr %a, ptr %b, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %i = sub i64 1000, %id
  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p
  %r = getelementptr i32, ptr %b, i64 %id
  store i32 %v, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
