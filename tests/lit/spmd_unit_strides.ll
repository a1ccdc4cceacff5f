; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A stride that is an argument: the rows have a second form for 1, in which lanes are neighbours. Rows of a matrix, whose
; columns a loop walks through, have none.
; RUN: %opt --isa=x86-64-v3 --width=8 --passes=vectorise %s | %filecheck %s

; CHECK-LABEL: define void @strided(
; CHECK: %[[STRIDE:.*]] = freeze i32 %inc
; CHECK: %[[ONE:.*]] = icmp eq i32 %[[STRIDE]], 1
; CHECK: br i1 %{{.*}}, label %rows.unit.enter, label %rows.enter
; CHECK: items.unit.vector:
; CHECK: load <8 x float>
; CHECK: {{^}}items.vector:
; CHECK-COUNT-8: load float
; CHECK-LABEL: define void @row_of_matrix(
; CHECK-NOT: unit
define void @strided(ptr %a, ptr %out, i64 %size, i64 %height, i32 %inc, i32 %offset) {
entry:
  br label %rows
rows:
  %y = phi i64 [ 0, %entry ], [ %y.next, %rows.end ]
  br label %items
items:
  %id = phi i64 [ 0, %rows ], [ %next, %items.end ]
  %x = trunc i64 %id to i32
  %m = mul nsw i32 %x, %inc
  %i = add nsw i32 %m, %offset
  %e = sext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %e
  %v = load float, ptr %p
  %t = fadd float %v, 1.0
  %o = getelementptr float, ptr %out, i64 %id
  store float %t, ptr %o
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %rows.end, !llvm.loop !0
rows.end:
  %y.next = add nuw i64 %y, 1
  %y.more = icmp ult i64 %y.next, %height
  br i1 %y.more, label %rows, label %exit
exit:
  ret void
}

define void @row_of_matrix(ptr %a, ptr %out, i64 %size, i32 %width) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %x = trunc i64 %id to i32
  %m = mul nsw i32 %x, %width
  br label %walk
walk:
  %k = phi i32 [ 0, %items ], [ %k.next, %walk ]
  %s = phi float [ 0.0, %items ], [ %t, %walk ]
  %i = add nsw i32 %m, %k
  %e = sext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %e
  %v = load float, ptr %p
  %t = fadd float %s, %v
  %k.next = add nsw i32 %k, 1
  %k.more = icmp slt i32 %k.next, %width
  br i1 %k.more, label %walk, label %done
done:
  %o = getelementptr float, ptr %out, i64 %id
  store float %t, ptr %o
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !2
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
!2 = distinct !{!2, !1}
