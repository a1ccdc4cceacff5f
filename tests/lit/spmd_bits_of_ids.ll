; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Vectors begin at multiples of their width: the lower bits of an id are consecutive, the upper ones uniform.
; RUN: %opt --passes=vectorise --width=4 %s | %filecheck %s
; RUN: %opt --passes=vectorise --width=16 %s | %filecheck %s --check-prefix=WIDE
; CHECK: vectorise: f items: width 4
; CHECK: items.vector:
; CHECK: %[[SUM:.*]] = add i64 %[[ROW:.*]], %id.vector
; CHECK: %[[LOW:.*]] = and i64 %[[SUM]], 7
; CHECK: %[[HIGH:.*]] = lshr i64 %[[SUM]], 3
; CHECK: %[[P:.*]] = getelementptr [8 x float], ptr %a, i64 %[[HIGH]], i64 %[[LOW]]
; CHECK: load <4 x float>, ptr %[[P]]
; CHECK: %[[L:.*]] = load float, ptr
; CHECK: store <4 x float>
; Not if the vector is wider than the range of the bits, and not behind a guard that lets vectors begin anywhere: there
; it is tested.
; WIDE: items.vector:
; WIDE: scattered:
; WIDE: define void @g
; WIDE: items.vector:
; WIDE: scattered:
define void @f(ptr %a, ptr %b, i64 %size, i64 %n) {
entry:
  %row = shl i64 %n, 4
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %sum = add i64 %row, %id
  %low = and i64 %sum, 7
  %high = lshr i64 %sum, 3
  %p = getelementptr [8 x float], ptr %a, i64 %high, i64 %low
  %v = load float, ptr %p
  %q = getelementptr float, ptr %b, i64 %high
  %w = load float, ptr %q
  %r = fadd float %v, %w
  %o = getelementptr float, ptr %b, i64 %id
  store float %r, ptr %o
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @g(ptr %a, ptr %b, i64 %size, i64 %n) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %c = icmp slt i64 %id, %n
  br i1 %c, label %items.end, label %inside
inside:
  %low = and i64 %id, 63
  %p = getelementptr float, ptr %a, i64 %low
  %v = load float, ptr %p
  %o = getelementptr float, ptr %b, i64 %id
  store float %v, ptr %o
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !2
exit:
  ret void
}
; A branch on such bits is uniform where the bits are: its successors stay blocks.
; CHECK: define void @h
; CHECK: items.vector:
; CHECK: %[[PART:.*]] = and i64 %id.vector, 8
; CHECK: %[[ODD:.*]] = icmp eq i64 %[[PART]], 0
; CHECK: br i1 %[[ODD]], label %then.vector, label %items.end.vector
; CHECK: then.vector:
; CHECK: store <4 x float>
define void @h(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr float, ptr %a, i64 %id
  store float 0.0, ptr %p
  %part = and i64 %id, 8
  %odd = icmp eq i64 %part, 0
  br i1 %odd, label %then, label %items.end
then:
  store float 1.0, ptr %p
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !3
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !1}
