; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions that stay calls are called in a loop over the active lanes: one call to compile instead of sixteen.
; RUN: %opt --passes=vectorise --isa=x86-64-v4 --width=16 --quick %s | %filecheck %s

; CHECK-LABEL: define void @calls(
; CHECK: store <16 x float> %{{.*}}, ptr %[[X:slot[0-9]*]]
; CHECK: store <16 x i32> %{{.*}}, ptr %[[K:slot[0-9]*]]
; CHECK: store <16 x float> zeroinitializer, ptr %[[RESULT:slot[0-9]*]]
; CHECK: lane.loop{{[0-9]*}}:
; CHECK-NEXT: %[[LEFT:.*]] = phi i32
; CHECK: %[[LANE:.*]] = zext i32 %{{.*}} to i64
; CHECK: load float, ptr
; CHECK: load i32, ptr
; CHECK: %[[Y:.*]] = call fast float @f(float %{{.*}}, i32 %{{.*}}, float %same)
; CHECK-NEXT: %[[PLACE:.*]] = getelementptr inbounds float, ptr %[[RESULT]], i64 %[[LANE]]
; CHECK-NEXT: store float %[[Y]], ptr %[[PLACE]]
; CHECK: br i1 %{{.*}}, label %lane.loop{{[0-9]*}}, label %lanes.done{{[0-9]*}}, !llvm.loop
; CHECK: lanes.done{{[0-9]*}}:
; CHECK-NEXT: load <16 x float>, ptr %[[RESULT]]
; The vector behind the last full one has a call of its own.
; CHECK: call fast float @f(
; CHECK-NOT: call fast float @f(
; CHECK: ret void
define void @calls(ptr %in, ptr %out, i64 %size, float %same) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr float, ptr %in, i64 %id
  %x = load float, ptr %p
  %positive = fcmp ogt float %x, 0.0
  br i1 %positive, label %call, label %items.end
call:
  %k = fptosi float %x to i32
  %y = call fast float @f(float %x, i32 %k, float %same)
  br label %items.end
items.end:
  %z = phi float [ %x, %items ], [ %y, %call ]
  %q = getelementptr float, ptr %out, i64 %id
  store float %z, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Vectors of the source go component by component. A value that is no number of bytes has no place in memory, and the
; call is made for each lane by itself.
; CHECK-LABEL: define void @kinds(
; CHECK: lane.loop{{[0-9]*}}:
; CHECK-COUNT-2: insertelement <2 x float>
; CHECK: call <2 x float> @g(
; CHECK-COUNT-2: extractelement <2 x float>
; CHECK: lanes.done{{[0-9]*}}:
; CHECK-COUNT-16: call i32 @h(i1
; CHECK: ret void
define void @kinds(ptr %in, ptr %out, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr <2 x float>, ptr %in, i64 %id
  %x = load <2 x float>, ptr %p
  %y = call <2 x float> @g(<2 x float> %x)
  %first = extractelement <2 x float> %y, i64 0
  %b = fcmp ogt float %first, 1.0
  %n = call i32 @h(i1 %b)
  %q = getelementptr i32, ptr %out, i64 %id
  store i32 %n, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

define internal float @f(float %x, i32 %k, float %same) noinline {
  %y = fmul float %x, %same
  %c = sitofp i32 %k to float
  %z = fadd float %y, %c
  ret float %z
}

define internal <2 x float> @g(<2 x float> %x) noinline {
  %y = fadd <2 x float> %x, splat (float 1.0)
  ret <2 x float> %y
}

define internal i32 @h(i1 %b) noinline {
  %n = zext i1 %b to i32
  ret i32 %n
}

!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
