; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Upper bits of ids are the same in a vector, so that a branch on them becomes uniform, although it diverges for the
; loop as a whole.
; RUN: %opt --passes=vectorise --width=2 %s | %filecheck %s
; CHECK: vectorise: f items: width 2
; CHECK: items.vector:
; CHECK: %[[AND:.*]] = and i64 %{{.*}}, 6
; CHECK: %[[C:.*]] = icmp eq i64 %[[AND]], 0
; CHECK: br i1 %[[C]], label %items.end.vector, label %then.vector
; CHECK: then.vector:
; CHECK: store <2 x float>
define void @f(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr float, ptr %a, i64 %id
  %v = load float, ptr %p
  %bits = and i64 %id, 6
  %c = icmp eq i64 %bits, 0
  br i1 %c, label %items.end, label %then
then:
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
