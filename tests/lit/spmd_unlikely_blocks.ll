; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A short block that nearly never runs is skipped where no lane needs it; one of which nothing is known runs under its mask.
; RUN: %opt --passes=vectorise --width=8 --isa=x86-64-v3 %s | %filecheck %s
; CHECK-LABEL: define void @unlikely(
; CHECK: far.any:
; CHECK: far.skipped:
; CHECK-LABEL: define void @unknown(
; CHECK-NOT: far.any:
; CHECK-LABEL: define void @likely(
; CHECK-NOT: far.any:
define void @unlikely(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr float, ptr %a, i64 %id
  %v = load float, ptr %p
  %c = fcmp ogt float %v, 87.0
  br i1 %c, label %far, label %items.end, !prof !2
far:
  %f0 = fmul float %v, 0.5
  %f1 = fadd float %f0, 3.0
  %f2 = fmul float %f1, %f0
  %f3 = fadd float %f2, %v
  %f4 = fmul float %f3, %f1
  %f5 = fadd float %f4, 1.0
  br label %items.end
items.end:
  %r = phi float [ %v, %items ], [ %f5, %far ]
  store float %r, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @unknown(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr float, ptr %a, i64 %id
  %v = load float, ptr %p
  %c = fcmp ogt float %v, 87.0
  br i1 %c, label %far, label %items.end
far:
  %f0 = fmul float %v, 0.5
  %f1 = fadd float %f0, 3.0
  %f2 = fmul float %f1, %f0
  %f3 = fadd float %f2, %v
  %f4 = fmul float %f3, %f1
  %f5 = fadd float %f4, 1.0
  br label %items.end
items.end:
  %r = phi float [ %v, %items ], [ %f5, %far ]
  store float %r, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @likely(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr float, ptr %a, i64 %id
  %v = load float, ptr %p
  %c = fcmp ogt float %v, 87.0
  br i1 %c, label %far, label %items.end, !prof !3
far:
  %f0 = fmul float %v, 0.5
  %f1 = fadd float %f0, 3.0
  %f2 = fmul float %f1, %f0
  %f3 = fadd float %f2, %v
  %f4 = fmul float %f3, %f1
  %f5 = fadd float %f4, 1.0
  br label %items.end
items.end:
  %r = phi float [ %v, %items ], [ %f5, %far ]
  store float %r, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
!2 = !{!"branch_weights", i32 1, i32 2000}
!3 = !{!"branch_weights", i32 2000, i32 1}
