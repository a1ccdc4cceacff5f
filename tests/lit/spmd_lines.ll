; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A clamped index, and a test of a range, are decided for all lanes by lane 0: scalar comparisons with a limit that is the
; width less. Where all lanes are in the range, accesses need no mask.
; RUN: %opt --passes=vectorise --width=4 --isa=x86-64-v4 %s | %filecheck %s
; CHECK: items.vector:
; CHECK: icmp sge i32 %[[FIRST:.*]], 0
; CHECK: %[[LIMIT:.*]] = call i32 @llvm.ssub.sat.i32(i32 %last, i32 2)
; CHECK: icmp slt i32 %[[FIRST]], %[[LIMIT]]
; CHECK-NOT: icmp eq <4 x i32>
; CHECK: br i1 %{{.*}}, label %consecutive, label %scattered
; CHECK: consecutive:
; CHECK: sext i32 %[[FIRST]] to i64
; CHECK: load <4 x i32>
; CHECK: scattered:
; CHECK: call <4 x i32> @llvm.masked.gather
; CHECK: loaded:
; CHECK: %[[WIDTH:.*]] = call i32 @llvm.usub.sat.i32(i32 %width, i32 3)
; CHECK: %[[COLUMNS:.*]] = icmp ult i32 %[[FIRST]], %[[WIDTH]]
; CHECK: %[[FULL:.*]] = select i1 %[[COLUMNS]], i1 %row, i1 false
; CHECK: br i1 %[[FULL]]
; CHECK: store <4 x i32>
; CHECK: call void @llvm.masked.store
define void @f(ptr %a, ptr %b, ptr %c, i32 %last, i32 %width, i1 %row, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %latch ]
  %short = trunc i64 %id to i32
  %least = call i32 @llvm.smax.i32(i32 %short, i32 0)
  %i = call i32 @llvm.smin.i32(i32 %least, i32 %last)
  %index = sext i32 %i to i64
  %p = getelementptr i32, ptr %a, i64 %index
  %v = load i32, ptr %p
  %column = icmp ult i32 %short, %width
  %inside = and i1 %column, %row
  br i1 %inside, label %write, label %latch
write:
  %r = getelementptr i32, ptr %b, i64 %id
  store i32 %v, ptr %r
  br label %latch
latch:
  %q = getelementptr i32, ptr %c, i64 %id
  store i32 %v, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
