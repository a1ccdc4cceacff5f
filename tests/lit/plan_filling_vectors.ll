; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Operations of the source that fill a register each, as those of programs that hash sixteen messages at a time: lanes of
; work-items would take sixteen times the code to do nothing faster.
; RUN: %opt --passes=print-vector-plans --emit=none --isa=x86-64-v4 %s | %filecheck %s

; CHECK: {{^}}; sixteen items: scalar, its own vectors fit the registers, those of all lanes do not
; Near misses: half a register, and four components, which gain from lanes where registers are short too.
; CHECK-NEXT: {{^}}; eight items: width
; CHECK-NEXT: {{^}}; four items: width
define void @sixteen(ptr %in, ptr %out, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr <16 x i32>, ptr %in, i64 %id
  %v0 = load <16 x i32>, ptr %p
  %v1 = mul <16 x i32> %v0, %v0
  %v2 = xor <16 x i32> %v1, %v0
  %v3 = add <16 x i32> %v2, %v1
  %v4 = mul <16 x i32> %v3, %v2
  %v5 = xor <16 x i32> %v4, %v3
  %v6 = add <16 x i32> %v5, %v4
  %q = getelementptr <16 x i32>, ptr %out, i64 %id
  store <16 x i32> %v6, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @eight(ptr %in, ptr %out, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr <8 x i32>, ptr %in, i64 %id
  %v0 = load <8 x i32>, ptr %p
  %v1 = mul <8 x i32> %v0, %v0
  %v2 = xor <8 x i32> %v1, %v0
  %v3 = add <8 x i32> %v2, %v1
  %v4 = mul <8 x i32> %v3, %v2
  %v5 = xor <8 x i32> %v4, %v3
  %v6 = add <8 x i32> %v5, %v4
  %q = getelementptr <8 x i32>, ptr %out, i64 %id
  store <8 x i32> %v6, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @four(ptr %in, ptr %out, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr <4 x i32>, ptr %in, i64 %id
  %v0 = load <4 x i32>, ptr %p
  %v1 = mul <4 x i32> %v0, %v0
  %v2 = xor <4 x i32> %v1, %v0
  %v3 = add <4 x i32> %v2, %v1
  %v4 = mul <4 x i32> %v3, %v2
  %v5 = xor <4 x i32> %v4, %v3
  %v6 = add <4 x i32> %v5, %v4
  %q = getelementptr <4 x i32>, ptr %out, i64 %id
  store <4 x i32> %v6, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
