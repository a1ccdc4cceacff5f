; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A coordinate of an image, computed in floating point: whether its texels are consecutive depends on a scale, so a test
; chooses between one load and one per lane. For ids that count by two, for pairs of texels, and for
; texels that fill a register, a test would not pay; for the last ones it does in a loop.
; RUN: %opt --passes=vectorise --width=4 %s | %filecheck %s
; CHECK-LABEL: define void @nearest
; CHECK: items.vector:
; CHECK: fptosi <4 x float>
; CHECK: %[[D:.*]] = sub <4 x i32>
; CHECK: icmp eq <4 x i32> %[[D]], <i32 0, i32 1, i32 2, i32 3>
; CHECK: br i1 %{{.*}}, label %consecutive, label %scattered
; CHECK: consecutive:
; CHECK: load <4 x i32>
; CHECK: scattered:
; CHECK-COUNT-4: load i32
; CHECK-LABEL: define void @every_other
; CHECK-NOT: label %consecutive
; CHECK-LABEL: define void @pairs
; CHECK-NOT: label %consecutive
; CHECK-LABEL: define void @large
; CHECK-NOT: label %consecutive
; CHECK-LABEL: define void @large_in_loop
; CHECK: br i1 %{{.*}}, label %consecutive, label %scattered
define void @nearest(ptr %a, ptr %b, float %scale, i32 %last, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %x = trunc i64 %id to i32
  %f = sitofp i32 %x to float
  %g = fadd float %f, 5.000000e-01
  %h = fmul float %g, %scale
  %l = call float @llvm.floor.f32(float %h)
  %i = fptosi float %l to i32
  %c = call i32 @llvm.smax.i32(i32 %i, i32 0)
  %d = call i32 @llvm.smin.i32(i32 %c, i32 %last)
  %e = sext i32 %d to i64
  %p = getelementptr i32, ptr %a, i64 %e
  %v = load i32, ptr %p
  %r = getelementptr i32, ptr %b, i64 %id
  store i32 %v, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @every_other(ptr %a, ptr %b, float %scale, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %x = trunc i64 %id to i32
  %y = shl i32 %x, 1
  %f = sitofp i32 %y to float
  %h = fmul float %f, %scale
  %i = fptosi float %h to i32
  %e = sext i32 %i to i64
  %p = getelementptr i32, ptr %a, i64 %e
  %v = load i32, ptr %p
  %r = getelementptr i32, ptr %b, i64 %id
  store i32 %v, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !2
exit:
  ret void
}
define void @pairs(ptr %a, ptr %b, float %scale, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %x = trunc i64 %id to i32
  %f = sitofp i32 %x to float
  %h = fmul float %f, %scale
  %i = fptosi float %h to i32
  %e = sext i32 %i to i64
  %p = getelementptr i32, ptr %a, i64 %e
  %v = load <2 x i32>, ptr %p, align 4
  %r = getelementptr <2 x i32>, ptr %b, i64 %id
  store <2 x i32> %v, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !3
exit:
  ret void
}
define void @large(ptr %a, ptr %b, float %scale, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %x = trunc i64 %id to i32
  %f = sitofp i32 %x to float
  %h = fmul float %f, %scale
  %i = fptosi float %h to i32
  %e = sext i32 %i to i64
  %p = getelementptr <4 x i32>, ptr %a, i64 %e
  %v = load <4 x i32>, ptr %p, align 4
  %r = getelementptr <4 x i32>, ptr %b, i64 %id
  store <4 x i32> %v, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !4
exit:
  ret void
}
define void @large_in_loop(ptr %a, ptr %b, float %scale, i32 %count, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %done ]
  %x = trunc i64 %id to i32
  br label %taps
taps:
  %k = phi i32 [ 0, %items ], [ %k.next, %taps ]
  %sum = phi <4 x i32> [ zeroinitializer, %items ], [ %sum.next, %taps ]
  %y = add i32 %x, %k
  %f = sitofp i32 %y to float
  %h = fmul float %f, %scale
  %i = fptosi float %h to i32
  %e = sext i32 %i to i64
  %p = getelementptr <4 x i32>, ptr %a, i64 %e
  %v = load <4 x i32>, ptr %p, align 4
  %sum.next = add <4 x i32> %sum, %v
  %k.next = add i32 %k, 1
  %again = icmp ult i32 %k.next, %count
  br i1 %again, label %taps, label %done
done:
  %r = getelementptr <4 x i32>, ptr %b, i64 %id
  store <4 x i32> %sum.next, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !5
exit:
  ret void
}
declare float @llvm.floor.f32(float)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !1}
!4 = distinct !{!4, !1}
!5 = distinct !{!5, !1}
