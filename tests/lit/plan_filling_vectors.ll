; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Operations of the source that fill a register each, as those of programs that hash sixteen messages at a time: lanes of
; work-items would take sixteen times the code to do nothing faster. And vectors of half a register that are only loaded and
; added, also in a loop of the work-item's own: lanes would take them apart.
; RUN: %opt --passes=print-vector-plans --emit=none --isa=x86-64-v4 %s | %filecheck %s

; CHECK: {{^}}; sixteen items: scalar, its own vectors fit the registers, those of all lanes do not
; CHECK-NEXT: {{^}}; sums items: scalar, its own vectors fit the registers, those of all lanes do not
; Near misses: components of what is loaded, a chain of operations in a loop, where lanes have several in flight, half a register with more to do than to load, and four components, which gain from lanes where registers are short too.
; CHECK-NEXT: {{^}}; components items: width
; CHECK-NEXT: {{^}}; chain items: width
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
define void @sums(ptr %in, ptr %out, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %after ]
  br label %loop
loop:
  %k = phi i64 [ 0, %items ], [ %k.next, %loop ]
  %sum = phi <8 x float> [ zeroinitializer, %items ], [ %s2, %loop ]
  %at = add i64 %id, %k
  %p0 = getelementptr <8 x float>, ptr %in, i64 %at
  %v0 = load <8 x float>, ptr %p0
  %s1 = fadd <8 x float> %sum, %v0
  %p1 = getelementptr <8 x float>, ptr %p0, i64 256
  %v1 = load <8 x float>, ptr %p1
  %s2 = fadd <8 x float> %s1, %v1
  %k.next = add nuw i64 %k, 512
  %again = icmp ult i64 %k.next, 4096
  br i1 %again, label %loop, label %after
after:
  %a = extractelement <8 x float> %s2, i32 0
  %b = extractelement <8 x float> %s2, i32 7
  %s = fadd float %a, %b
  %q = getelementptr float, ptr %out, i64 %id
  store float %s, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @components(ptr %in, ptr %out, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p0 = getelementptr <16 x float>, ptr %in, i64 %id
  %v0 = load <16 x float>, ptr %p0
  %a = extractelement <16 x float> %v0, i32 0
  %b = extractelement <16 x float> %v0, i32 7
  %s = fadd float %a, %b
  %t = fmul float %s, %a
  %q = getelementptr float, ptr %out, i64 %id
  store float %t, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @chain(ptr %in, ptr %out, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %after ]
  %p = getelementptr <16 x float>, ptr %in, i64 %id
  %v = load <16 x float>, ptr %p
  br label %loop
loop:
  %k = phi i64 [ 0, %items ], [ %k.next, %loop ]
  %x = phi <16 x float> [ %v, %items ], [ %y, %loop ]
  %w = fmul <16 x float> %x, %x
  %y = fadd <16 x float> %w, %v
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, 512
  br i1 %again, label %loop, label %after
after:
  %q = getelementptr <16 x float>, ptr %out, i64 %id
  store <16 x float> %y, ptr %q
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
