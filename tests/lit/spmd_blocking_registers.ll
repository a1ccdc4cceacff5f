; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a block of a matrix product keeps in registers: eight sums, two vectors of b, four numbers of a in all lanes. Each of
; the four is one register, although two instructions make it. So four rows fit into 16 registers, and with 32 four times four.
; RUN: %opt --passes=vectorise,block-registers,block-items --width=8 --isa=x86-64-v3 --emit=none %s | %filecheck %s
; RUN: %opt --passes=vectorise,block-registers,block-items --width=16 --isa=x86-64-v4 --emit=none %s | %filecheck %s --check-prefix=V4
; CHECK: vectorise: f items: width 8{{.*}}, blocks of 4 x 2 vectors
; V4: vectorise: f items: width 16{{.*}}, blocks of 4 x 4 vectors
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
  %t = call float @llvm.fmuladd.f32(float %av, float %bv, float %s)
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
declare float @llvm.fmuladd.f32(float, float, float)
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
