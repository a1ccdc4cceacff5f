; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Bits of an index of 32 bits that are extended: the test compares indices, and checks that the last lane's does not wrap;
; the fast path uses a scalar address. Where the processor has gathers, the slow path is one.
; RUN: %opt --passes=vectorise --width=4 --isa=x86-64-v4 %s | %filecheck %s
; CHECK: items.vector:
; CHECK: %[[D:.*]] = sub <4 x i32>
; CHECK: icmp eq <4 x i32> %[[D]], <i32 0, i32 1, i32 2, i32 3>
; CHECK: icmp sle i32 %{{.*}}, 2147483643
; CHECK: br i1 %{{.*}}, label %consecutive, label %scattered
; CHECK: consecutive:
; CHECK: sext i32 %{{.*}} to i64
; CHECK: load <4 x i32>
; CHECK: scattered:
; CHECK: call <4 x i32> @llvm.masked.gather
; CHECK: loaded:
define void @f(ptr %a, ptr %b, i32 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %short = trunc i64 %id to i32
  %i = and i32 %short, %n
  %index = sext i32 %i to i64
  %p = getelementptr i32, ptr %a, i64 %index
  %v = load i32, ptr %p
  %r = getelementptr i32, ptr %b, i64 %id
  store i32 %v, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
declare i32 @llvm.smin.i32(i32, i32)
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
