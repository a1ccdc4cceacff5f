; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A varying branch becomes masks, a uniform one stays; stores write active lanes only.
; RUN: %opt --passes=vectorise --width=4 %s | %filecheck %s
; CHECK: vectorise: f items: width 4
; CHECK: items.vector:
; CHECK: br i1 %uniform, label %then.vector, label %items.end.vector
; CHECK: then.vector:
; CHECK: %[[V:.*]] = load <4 x float>
; CHECK: %[[C:.*]] = fcmp ogt <4 x float> %[[V]], zeroinitializer
; CHECK: call void @llvm.masked.store.v4f32.p0(<4 x float> %{{.*}}, ptr align 4 %{{.*}}, <4 x i1> %[[C]])
define void @f(ptr %a, ptr %b, i64 %size, i1 %uniform) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %q = getelementptr float, ptr %b, i64 %id
  store float 0.0, ptr %q  ; all of them: the branch is no bound of the loop
  br i1 %uniform, label %then, label %items.end
then:
  %p = getelementptr float, ptr %a, i64 %id
  %v = load float, ptr %p
  %c = fcmp ogt float %v, 0.0
  br i1 %c, label %inner, label %items.end
inner:
  %w = fadd float %v, 1.0
  store float %w, ptr %p
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
