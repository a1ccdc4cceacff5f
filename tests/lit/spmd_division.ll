; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Quotients of 32 bits through double: by the reciprocal of a uniform divisor, which is computed once for all lanes.
; RUN: %opt --passes=vectorise --width=8 --isa=x86-64-v3 %s | %filecheck %s
; CHECK: items.vector:
; CHECK: %[[R:.*]] = fdiv double 1.000000e+00, %{{.*}}
; CHECK: fmul double %[[R]], 0x3FF0000000000004
; CHECK: fmul <8 x double>
; CHECK: fptoui <8 x double> %{{.*}} to <8 x i32>
; CHECK: fdiv <8 x double>
; CHECK: %[[Q:.*]] = fptosi <8 x double> %{{.*}} to <8 x i32>
; CHECK: mul <8 x i32> %[[Q]]
; CHECK: sub <8 x i32>
; CHECK-NOT: div i32
; CHECK: items.vector.end:
define void @f(ptr %a, ptr %b, i32 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr i32, ptr %a, i64 %id
  %v = load i32, ptr %p
  %r = getelementptr i32, ptr %b, i64 %id
  %w = load i32, ptr %r
  %q = udiv i32 %v, %n
  %m = srem i32 %v, %w
  %s = add i32 %q, %m
  store i32 %s, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
