; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A clamped index: the lanes are consecutive nearly everywhere, so a test chooses between one load and one gather, or
; one load per lane where there are no gathers. For an index from memory a test would not pay.
; RUN: %opt --passes=vectorise --width=4 %s | %filecheck %s --check-prefixes=CHECK,GATHER
; RUN: %opt --passes=vectorise --width=4 --isa=x86-64-v2 %s | %filecheck %s --check-prefixes=CHECK,LANES
; CHECK: items.vector:
; CHECK: %[[D:.*]] = sub <4 x i64>
; CHECK: icmp eq <4 x i64> %[[D]], <i64 0, i64 4, i64 8, i64 12>
; CHECK: br i1 %{{.*}}, label %consecutive, label %scattered
; CHECK: consecutive:
; CHECK: load <4 x i32>
; CHECK: scattered:
; GATHER: call <4 x i32> @llvm.masked.gather
; LANES-COUNT-4: load i32
; CHECK: loaded:
; CHECK-NOT: br i1 %{{.*}}, label %consecutive
; CHECK-COUNT-4: load i32
define void @f(ptr %a, ptr %b, i64 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %i = call i64 @llvm.umin.i64(i64 %id, i64 %n)
  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p
  %j = zext i32 %v to i64
  %q = getelementptr i32, ptr %a, i64 %j
  %w = load i32, ptr %q
  %r = getelementptr i32, ptr %b, i64 %id
  store i32 %w, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Of vectors no component is gathered by itself: a lane is one load.
; CHECK-LABEL: define void @vectors(
; CHECK: consecutive:
; CHECK: load <16 x float>
; CHECK: scattered:
; CHECK-NOT: masked.gather
; CHECK-COUNT-4: load <4 x float>
define void @vectors(ptr %a, ptr %b, i64 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %i = call i64 @llvm.umin.i64(i64 %id, i64 %n)
  %p = getelementptr <4 x float>, ptr %a, i64 %i
  %v = load <4 x float>, ptr %p
  %r = getelementptr <4 x float>, ptr %b, i64 %id
  store <4 x float> %v, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !2
exit:
  ret void
}
declare i64 @llvm.umin.i64(i64, i64)
!0 = distinct !{!0, !1}
!2 = distinct !{!2, !1}
!1 = !{!"lanewise.items"}
