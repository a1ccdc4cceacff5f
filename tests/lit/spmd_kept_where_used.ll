; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop that lanes leave in two places, for code that needs other values: each is kept only of the lanes that leave where it
; is used. A value that both need is kept in both places.
; RUN: %opt --passes=vectorise --width=8 %s | %filecheck %s

; CHECK-LABEL: define void @apart(
; CHECK: loop.leave:
; CHECK: select <8 x i1> %live, <8 x float> %sum
; CHECK-NOT: select <8 x i1> %live, <8 x float>
; CHECK: loop.stay:
; CHECK: %[[NEW:.*]] = fadd <8 x float>
; CHECK: select <8 x i1> %{{.*}}, <8 x float> %[[NEW]], <8 x float> %{{.*}}
; CHECK-NOT: select <8 x i1> %{{.*}}, <8 x float>
; CHECK: br i1 %{{.*}}, label %top.live, label %loop.end
define void @apart(ptr %a, ptr %b, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr float, ptr %a, i64 %id
  %q = getelementptr float, ptr %b, i64 %id
  %x = load float, ptr %p
  br label %top
top:
  %n = phi i32 [ 0, %items ], [ %n.next, %again ]
  %sum = phi float [ 0.0, %items ], [ %sum.next, %again ]
  %at.end = icmp eq i32 %n, 32
  br i1 %at.end, label %counted, label %again
again:
  %sum.next = fadd float %sum, %x
  %n.next = add i32 %n, 1
  %large = fcmp ogt float %sum.next, 4.0
  br i1 %large, label %early, label %top
early:
  %twice = fmul float %sum.next, 2.0
  store float %twice, ptr %q
  br label %items.end
counted:
  store float %sum, ptr %q
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; CHECK-LABEL: define void @both(
; CHECK: loop.leave:
; CHECK: select <8 x i1> %live{{.*}}, <8 x float> %sum
; CHECK: loop.stay:
; CHECK: %[[NEW:.*]] = fadd <8 x float>
; CHECK-DAG: select <8 x i1> %{{.*}}, <8 x float> %sum{{[^,]*}}, <8 x float> %sum
; CHECK-DAG: select <8 x i1> %{{.*}}, <8 x float> %[[NEW]], <8 x float> %{{.*}}
; CHECK: br i1 %{{.*}}, label %top.live, label %loop.end
define void @both(ptr %a, ptr %b, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr float, ptr %a, i64 %id
  %q = getelementptr float, ptr %b, i64 %id
  %x = load float, ptr %p
  br label %top
top:
  %n = phi i32 [ 0, %items ], [ %n.next, %again ]
  %sum = phi float [ 0.0, %items ], [ %sum.next, %again ]
  %at.end = icmp eq i32 %n, 32
  br i1 %at.end, label %counted, label %again
again:
  %sum.next = fadd float %sum, %x
  %n.next = add i32 %n, 1
  %large = fcmp ogt float %sum.next, 4.0
  br i1 %large, label %early, label %top
early:
  %twice = fmul float %sum.next, %sum
  store float %twice, ptr %q
  br label %items.end
counted:
  store float %sum, ptr %q
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
