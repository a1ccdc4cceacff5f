; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Vectors of the source that fill registers and are so many (elements times operations) that they are not even taken apart to
; see what lanes would cost. With a wanted width they are.
; RUN: %opt --passes=print-vector-plans --emit=none --isa=x86-64-v4 %s | %filecheck %s
; RUN: %opt --passes=vectorise --isa=x86-64-v4 %s | %filecheck %s --check-prefix=KEPT
; RUN: %opt --passes=print-vector-plans --emit=none --isa=x86-64-v4 --width=4 %s | %filecheck %s --check-prefix=WANTED

; CHECK: {{^}}; many items: scalar, its own vectors fill the registers{{$}}
; CHECK-NEXT: {{^}}; fewer items: scalar, its own vectors fit the registers, those of all lanes do not
; KEPT-LABEL: define void @many(
; KEPT: %v7 = add <2048 x i32> %v6, %v0
; KEPT-NOT: extractelement
; KEPT: define void @fewer(
; WANTED: {{^}}; many items: width 4
define void @many(ptr %in, ptr %out, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr <2048 x i32>, ptr %in, i64 %id
  %v0 = load <2048 x i32>, ptr %p
  %v1 = add <2048 x i32> %v0, %v0
  %v2 = mul <2048 x i32> %v1, %v0
  %v3 = xor <2048 x i32> %v2, %v0
  %v4 = add <2048 x i32> %v3, %v0
  %v5 = mul <2048 x i32> %v4, %v0
  %v6 = xor <2048 x i32> %v5, %v0
  %v7 = add <2048 x i32> %v6, %v0
  %q = getelementptr <2048 x i32>, ptr %out, i64 %id
  store <2048 x i32> %v7, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @fewer(ptr %in, ptr %out, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr <2048 x i32>, ptr %in, i64 %id
  %v0 = load <2048 x i32>, ptr %p
  %v1 = add <2048 x i32> %v0, %v0
  %v2 = mul <2048 x i32> %v1, %v0
  %v3 = xor <2048 x i32> %v2, %v0
  %v4 = add <2048 x i32> %v3, %v0
  %q = getelementptr <2048 x i32>, ptr %out, i64 %id
  store <2048 x i32> %v4, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
