; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Conditions at the beginning become bounds of the loop: its vectors have no masks. The tail keeps the conditions, as
; branches: either all of its lanes pass, or there is one lane only.
; RUN: %opt --passes=vectorise,drop-scalar-loops --width=8 --isa=x86-64-v3 %s | %filecheck %s
; RUN: %opt --passes=vectorise,drop-scalar-loops --width=8 --isa=x86-64-v3 %s | %filecheck %s --check-prefix=FEW
; RUN: %opt --passes=vectorise,drop-scalar-loops --width=8 --isa=x86-64-v3 %s | %filecheck %s --check-prefix=REST
; CHECK: vectorise: f items: width 8
; CHECK-LABEL: define void @f
; CHECK: entry:
; CHECK: %[[FIRST:.*]] = sext i32 %{{.*}} to i64
; CHECK: %[[RIGHT:.*]] = sext i32 %{{.*}} to i64
; CHECK: %[[DISTANCE:.*]] = sub i64 %[[RIGHT]], %[[FIRST]]
; CHECK: call i64 @llvm.smax.i64(i64 %[[DISTANCE]], i64 0)
; CHECK: %[[HIGH:.*]] = call i64 @llvm.smin.i64(i64 %{{.*}}, i64 %size)
; CHECK: %last.inside = select i1 %{{.*}}, i64 %[[HIGH]], i64 0
; CHECK: %items.high = select i1 %[[ASSUMED:.*]], i64 %last.inside, i64 %size
; CHECK: items.vector:
; CHECK: br label %body.vector
; CHECK: body.vector:
; CHECK: load <8 x float>, ptr
; CHECK: store <8 x float>
; FEW: items.few:
; FEW: br i1 %{{.*}}, label %items.rest, label %exit
; REST: items.rest:
; REST: %live = icmp
; REST: %[[FIRST:.*]] = extractelement <8 x i1> %{{.*}}, i64 0
; REST-NEXT: br i1 %[[FIRST]], label %body
; CHECK: call void @llvm.masked.store.v8f32{{.*}}<8 x i1> %live)
define void @f(ptr %a, i64 %base, i32 %w, i1 %row, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %g = add i64 %base, %id
  %x = trunc i64 %g to i32
  %c = icmp slt i32 %x, %w
  %both = select i1 %c, i1 %row, i1 false
  br i1 %both, label %body, label %items.end
body:
  %i = sext i32 %x to i64
  %p = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %p
  %s = fadd float %v, 1.0
  store float %s, ptr %p
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; A store in front of the condition is executed by all work-items, so there are no bounds.
; CHECK-LABEL: define void @stores_first
; CHECK-NOT: items.high
; CHECK: items.vector:
; CHECK: call void @llvm.masked.store.v8f32
define void @stores_first(ptr %a, ptr %b, i32 %w, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %x = trunc i64 %id to i32
  %q = getelementptr float, ptr %b, i64 %id
  store float 0.0, ptr %q
  %c = icmp slt i32 %x, %w
  br i1 %c, label %body, label %items.end
body:
  %p = getelementptr float, ptr %a, i64 %id
  store float 1.0, ptr %p
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; An interval that LLVM has written as one comparison of unsigned numbers: 1 <= id && id <= 14.
; CHECK-LABEL: define void @interval
; CHECK: %[[LEFT:.*]] = freeze i64
; CHECK: %[[BEHIND:.*]] = sub i64 0, %[[LEFT]]
; CHECK: sub i64 -14, %[[LEFT]]
; CHECK: %items.high = select
; CHECK: items.vector:
; CHECK-NOT: masked.store
; CHECK: store <8 x float>
define void @interval(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %x = add nsw i64 %id, -15
  %c = icmp ult i64 %x, -14
  br i1 %c, label %items.end, label %body
body:
  %p = getelementptr float, ptr %a, i64 %id
  store float 1.0, ptr %p
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
