; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Two rows and more of a sum over k in one iteration: what depends on neither x nor y is loaded once, what depends on y
; once per row, on x once per vector. The remaining rows use the vector loop, which skips the rows that are done.
; RUN: %opt --passes=vectorise,block-registers,block-items --width=8 --isa=x86-64-v3 %s | %filecheck %s
; There are no more rows in a block than there are.
; RUN: sed 's/ult i64 %%y.next, %%height/ult i64 %%y.next, 1/' %s > %t.ll
; RUN: %opt --passes=vectorise,block-registers,block-items --width=8 --isa=x86-64-v3 %t.ll | %filecheck %s --check-prefix=ONE
; ONE: vectorise: f items: width 8
; ONE-NOT: blocks of 2
; ONE: define void @f
; CHECK: vectorise: f items: width 8{{.*}}, blocks of [[#ROWS:]] x [[#COLUMNS:]] vectors
; CHECK: %blocked.rows = select i1 %{{.*}}, i64 %{{.*}}, i64 0
; CHECK: y:
; CHECK: %rows.done = phi i64 [ 0, %entry ], [ %blocked.rows, %{{.*}} ], [ %rows.done, %y.end ]
; CHECK: items.vector.rows.columns.sum.uniform:
; CHECK-COUNT-4: phi <8 x float>
; CHECK-NOT: phi <8 x float>
; CHECK: br i1
; CHECK: items.vector.rows.check:
; CHECK: icmp ult i64 %y.id, %rows.done
define void @f(ptr %a, ptr %b, ptr %c, i64 %n, i64 %size, i64 %height) {
entry:
  br label %y
y:
  %y.id = phi i64 [ 0, %entry ], [ %y.next, %y.end ]
  %row = mul i64 %y.id, %n
  br label %items
items:
  %id = phi i64 [ 0, %y ], [ %next, %items.end ]
  br label %sum
sum:
  %k = phi i64 [ 0, %items ], [ %k.next, %sum ]
  %s = phi float [ 0.0, %items ], [ %t, %sum ]
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
  br i1 %k.more, label %sum, label %items.end
items.end:
  %r = phi float [ %t, %sum ]
  %ci = add i64 %row, %id
  %cp = getelementptr float, ptr %c, i64 %ci
  store float %r, ptr %cp
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
