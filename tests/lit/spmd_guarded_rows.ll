; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Rows of a kernel that has a condition of its own for where they end: blocks of rows that are alike, tested block by block. The
; first block with others is the end of them, and all rows left take the vector loop.
; RUN: %opt --passes=vectorise,block-registers,block-items --width=8 --isa=x86-64-v3 %s | %filecheck %s
; CHECK: vectorise: guarded items: width 8{{.*}}, blocks of [[#ROWS:]] x [[#COLUMNS:]] vectors
; CHECK: %blocked.rows = and i64 %height, -{{[0-9]+}}
; CHECK: y:
; CHECK: %rows.done = phi i64 [ 0, %entry ], [ %blocked.rows, %items.vector.rows.y.end ], [ %y.id.rows, %items.vector.rows.y ], [ %rows.done, %y.end ]
; CHECK: items.vector.rows.y:
; CHECK: icmp eq i64 %{{.*}}, %{{.*}}
; CHECK: br i1 %{{.*}}, label %items.vector.rows.alike, label %y
; CHECK: items.vector.rows.columns.sum.uniform:
; CHECK-COUNT-4: phi <8 x float>
define void @guarded(ptr %a, ptr %b, ptr %c, i64 %n, i32 %w, i32 %h, i64 %size, i64 %height) {
entry:
  br label %y
y:
  %y.id = phi i64 [ 0, %entry ], [ %y.next, %y.end ]
  %row = mul i64 %y.id, %n
  br label %items
items:
  %id = phi i64 [ 0, %y ], [ %next, %items.end ]
  %xi = trunc i64 %id to i32
  %yi = trunc i64 %y.id to i32
  %right = icmp sge i32 %xi, %w
  %below = icmp sge i32 %yi, %h
  %outside = or i1 %right, %below
  br i1 %outside, label %items.end, label %work
work:
  br label %sum
sum:
  %k = phi i64 [ 0, %work ], [ %k.next, %sum ]
  %s = phi float [ 0.0, %work ], [ %t, %sum ]
  %ai = add i64 %row, %k
  %ap = getelementptr float, ptr %a, i64 %ai
  %av = load float, ptr %ap
  %bk = mul i64 %k, %n
  %bi = add i64 %bk, %id
  %bp = getelementptr float, ptr %b, i64 %bi
  %bv = load float, ptr %bp
  %m = fmul float %av, %bv
  %t = fadd float %s, %m
  %k.next = add nuw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %n
  br i1 %k.more, label %sum, label %write
write:
  %r = phi float [ %t, %sum ]
  %ci = add i64 %row, %id
  %cp = getelementptr float, ptr %c, i64 %ci
  store float %r, ptr %cp
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %y.end, !llvm.loop !0
y.end:
  %y.next = add nuw i64 %y.id, 1
  %y.more = icmp ult i64 %y.next, %height
  br i1 %y.more, label %y, label %exit
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
