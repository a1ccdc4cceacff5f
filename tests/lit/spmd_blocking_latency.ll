; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A product takes several cycles, so a loop that waits for two of them has four vectors in flight, not two.
; RUN: %opt --passes=vectorise,block-registers --width=16 --isa=x86-64-v4 %s | %filecheck %s
; CHECK: vectorise: f items: width 16{{.*}}, blocks of 1 x 4 vectors
; With sixteen registers as well: the value that an iteration begins with is not needed when the last ones are computed. Near
; miss: in `g` it is.
; RUN: %opt --passes=vectorise,block-registers --width=8 --isa=x86-64-v3 %s | %filecheck --check-prefix=FEW %s
; FEW: vectorise: f items: width 8{{.*}}, blocks of 1 x 4 vectors
; FEW: vectorise: g items: width 8{{.*}}, blocks of 1 x 2 vectors
define void @f(ptr %in, ptr %out, i32 %rounds, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %from = getelementptr i32, ptr %in, i64 %id
  %v = load i32, ptr %from
  br label %mix
mix:
  %n = phi i32 [ 0, %items ], [ %n.next, %mix ]
  %x = phi i32 [ %v, %items ], [ %d, %mix ]
  %s = lshr i32 %x, 15
  %a = xor i32 %x, %s
  %b = mul i32 %a, -2073254261
  %t = lshr i32 %b, 16
  %c = xor i32 %b, %t
  %d = mul i32 %c, 2146121005
  %n.next = add nuw i32 %n, 1
  %n.more = icmp ult i32 %n.next, %rounds
  br i1 %n.more, label %mix, label %items.end
items.end:
  %to = getelementptr i32, ptr %out, i64 %id
  store i32 %d, ptr %to
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @g(ptr %in, ptr %out, i32 %rounds, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %from = getelementptr i32, ptr %in, i64 %id
  %v = load i32, ptr %from
  br label %mix
mix:
  %n = phi i32 [ 0, %items ], [ %n.next, %mix ]
  %x = phi i32 [ %v, %items ], [ %d, %mix ]
  %s = lshr i32 %x, 15
  %a = xor i32 %x, %s
  %b = mul i32 %a, -2073254261
  %t = lshr i32 %b, 16
  %c = xor i32 %b, %t
  %e = mul i32 %c, 2146121005
  %d = xor i32 %e, %x
  %n.next = add nuw i32 %n, 1
  %n.more = icmp ult i32 %n.next, %rounds
  br i1 %n.more, label %mix, label %items.end
items.end:
  %to = getelementptr i32, ptr %out, i64 %id
  store i32 %d, ptr %to
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
