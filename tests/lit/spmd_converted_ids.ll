; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Ids of 64 bits become floating-point numbers from their lower 32 bits, where a test in front of the loop says that they are
; small: without AVX-512 a conversion from 64 bits is one instruction for each lane.
; RUN: %opt --passes=vectorise --width=4 --isa=x86-64-v3 %s | %filecheck %s
; The tail runs all work-items, one by one, where the test fails: there the first lane is converted from 64 bits.
; CHECK-LABEL: define void @converted(
; CHECK: icmp ule i64 %{{.*}}, 2146435072
; CHECK: items.vector:
; CHECK: %[[N:.*]] = trunc i64 %{{.*}} to i32
; CHECK: sitofp <4 x i32> %{{.*}} to <4 x float>
; CHECK-NOT: uitofp
; CHECK: items.rest:
; CHECK: %[[FEW:.*]] = sitofp <4 x i32> %{{.*}} to <4 x float>
; CHECK: %[[ONE:.*]] = uitofp i64 %{{.*}} to float
; CHECK: insertelement <4 x float> %[[FEW]], float %[[ONE]], i64 0
; CHECK-NOT: uitofp <4 x i64>
; CHECK: br i1
define void @converted(ptr %out, i64 %group, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %global = add i64 %group, %id
  %x = uitofp i64 %global to float
  %r = getelementptr float, ptr %out, i64 %id
  store float %x, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
; What is added in the loop may be anything: no test says that the sum is small.
; CHECK-LABEL: define void @any_sum(
; CHECK: uitofp <4 x i64>
define void @any_sum(ptr %in, ptr %out, i64 %group, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %far = load i64, ptr %in
  %global = add i64 %far, %id
  %x = uitofp i64 %global to float
  %r = getelementptr float, ptr %out, i64 %id
  store float %x, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
; Nor of a multiple.
; CHECK-LABEL: define void @multiple(
; CHECK: sitofp <4 x i64>
define void @multiple(ptr %out, i64 %group, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %global = add i64 %group, %id
  %far = mul i64 %global, 6
  %x = sitofp i64 %far to float
  %r = getelementptr float, ptr %out, i64 %id
  store float %x, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
