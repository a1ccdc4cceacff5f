; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop stays scalar because the source's own vectors fill registers, and a work-item waits for its two chains of products: a
; second one runs at its side, with private variables of its own, and what is the same for both is there once.
; RUN: %opt --passes=vectorise,block-registers,block-items --isa=x86-64-v3 %s | %filecheck %s

; CHECK: vectorise: chain items: scalar, its own vectors fit the registers, those of all lanes do not, blocks of 1 x 2 work-items
; Near misses: the number of products depends on the work-item; five chains keep the units busy; what the products need of a
; work-item fills most registers; another reason.
; CHECK: vectorise: own_count items: scalar, its own vectors fit the registers, those of all lanes do not{{$}}
; CHECK: vectorise: many_chains items: scalar, its own vectors fit the registers, those of all lanes do not{{$}}
; CHECK: vectorise: few_registers items: scalar, its own vectors fit the registers, those of all lanes do not{{$}}
; CHECK: vectorise: other_reason items: scalar, {{[^,]*$}}
; The variables of both would take more of the stack than those of a vector's lanes may; half as much is right, and so is a
; large variable of other code.
; CHECK: vectorise: large_private items: scalar, its own vectors fit the registers, those of all lanes do not{{$}}
; CHECK: vectorise: half_as_large items: scalar, {{.*}}, blocks of 1 x 2 work-items
; CHECK: vectorise: elsewhere items: scalar, {{.*}}, blocks of 1 x 2 work-items

; CHECK-LABEL: define void @chain(
; CHECK: %kept = alloca <16 x float>
; CHECK-NEXT: %[[OTHER:.*]] = alloca <16 x float>
; CHECK: %blocked.items = and i64 %size, -2
; CHECK: items.columns.mix:
; CHECK-COUNT-4: phi <16 x float>
; CHECK: %{{.*}} = load float
; CHECK-NOT: load float
; CHECK: items.columns.items.end:
; CHECK-NEXT: store <16 x float> %{{.*}}, ptr %kept
; CHECK-NEXT: store <16 x float> %{{.*}}, ptr %[[OTHER]]
; CHECK: br i1 %{{.*}}, label %items.columns, label %items.columns.end
define void @chain(ptr %in, ptr %out, i32 %rounds, i64 %size) {
entry:
  %kept = alloca <16 x float>, !lanewise.private !2
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %from = getelementptr <16 x float>, ptr %out, i64 %id
  %v = load <16 x float>, ptr %from
  br label %mix
mix:
  %n = phi i32 [ 0, %items ], [ %n.next, %mix ]
  %x = phi <16 x float> [ %v, %items ], [ %b, %mix ]
  %y = phi <16 x float> [ %v, %items ], [ %d, %mix ]
  %at = getelementptr float, ptr %in, i32 %n
  %f = load float, ptr %at
  %i = insertelement <16 x float> poison, float %f, i64 0
  %s = shufflevector <16 x float> %i, <16 x float> poison, <16 x i32> zeroinitializer
  %a = fmul <16 x float> %x, %s
  %b = fadd <16 x float> %a, %y
  %c = fmul <16 x float> %y, %b
  %d = fadd <16 x float> %c, %s
  %n.next = add nuw i32 %n, 1
  %n.more = icmp ult i32 %n.next, %rounds
  br i1 %n.more, label %mix, label %items.end
items.end:
  store <16 x float> %d, ptr %kept
  %p = getelementptr float, ptr %kept, i32 %rounds
  %one = load float, ptr %p
  %to = getelementptr float, ptr %from, i64 3
  store float %one, ptr %to
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @own_count(ptr %in, ptr %out, i32 %rounds, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %from = getelementptr <16 x float>, ptr %out, i64 %id
  %v = load <16 x float>, ptr %from
  %own = trunc i64 %id to i32
  br label %mix
mix:
  %n = phi i32 [ 0, %items ], [ %n.next, %mix ]
  %x = phi <16 x float> [ %v, %items ], [ %b, %mix ]
  %y = phi <16 x float> [ %v, %items ], [ %d, %mix ]
  %a = fmul <16 x float> %x, splat (float 2.0)
  %b = fadd <16 x float> %a, %y
  %c = fmul <16 x float> %y, %b
  %d = fadd <16 x float> %c, splat (float 2.0)
  %n.next = add nuw i32 %n, 1
  %n.more = icmp ult i32 %n.next, %own
  br i1 %n.more, label %mix, label %items.end
items.end:
  store <16 x float> %d, ptr %from
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @many_chains(ptr %in, ptr %out, i32 %rounds, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %from = getelementptr <8 x float>, ptr %out, i64 %id
  %v = load <8 x float>, ptr %from
  br label %mix
mix:
  %n = phi i32 [ 0, %items ], [ %n.next, %mix ]
  %x0 = phi <8 x float> [ %v, %items ], [ %d0, %mix ]
  %x1 = phi <8 x float> [ %v, %items ], [ %d1, %mix ]
  %x2 = phi <8 x float> [ %v, %items ], [ %d2, %mix ]
  %x3 = phi <8 x float> [ %v, %items ], [ %d3, %mix ]
  %x4 = phi <8 x float> [ %v, %items ], [ %d4, %mix ]
  %a0 = fmul <8 x float> %x0, splat (float 2.0)
  %d0 = fadd <8 x float> %a0, splat (float 1.0)
  %a1 = fmul <8 x float> %x1, splat (float 2.0)
  %d1 = fadd <8 x float> %a1, splat (float 2.0)
  %a2 = fmul <8 x float> %x2, splat (float 2.0)
  %d2 = fadd <8 x float> %a2, splat (float 3.0)
  %a3 = fmul <8 x float> %x3, splat (float 2.0)
  %d3 = fadd <8 x float> %a3, splat (float 4.0)
  %a4 = fmul <8 x float> %x4, splat (float 2.0)
  %d4 = fadd <8 x float> %a4, splat (float 5.0)
  %n.next = add nuw i32 %n, 1
  %n.more = icmp ult i32 %n.next, %rounds
  br i1 %n.more, label %mix, label %items.end
items.end:
  %t1 = fadd <8 x float> %d0, %d1
  %t2 = fadd <8 x float> %t1, %d2
  %t3 = fadd <8 x float> %t2, %d3
  %t4 = fadd <8 x float> %t3, %d4
  store <8 x float> %t4, ptr %from
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @few_registers(ptr %in, ptr %out, i32 %rounds, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %from = getelementptr <16 x float>, ptr %out, i64 %id
  %v = load <16 x float>, ptr %from
  %w = fmul <16 x float> %v, %v
  br label %mix
mix:
  %n = phi i32 [ 0, %items ], [ %n.next, %mix ]
  %x = phi <16 x float> [ %v, %items ], [ %b, %mix ]
  %y = phi <16 x float> [ %v, %items ], [ %d, %mix ]
  %a = fmul <16 x float> %x, %v
  %b = fadd <16 x float> %a, %y
  %c = fmul <16 x float> %y, %b
  %d = fadd <16 x float> %c, %w
  %n.next = add nuw i32 %n, 1
  %n.more = icmp ult i32 %n.next, %rounds
  br i1 %n.more, label %mix, label %items.end
items.end:
  store <16 x float> %d, ptr %from
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @other_reason(ptr %in, ptr %out, i32 %rounds, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %from = getelementptr <16 x float>, ptr %out, i64 %id
  %v = load <16 x float>, ptr %from
  br label %mix
mix:
  %n = phi i32 [ 0, %items ], [ %n.next, %mix ]
  %x = phi <16 x float> [ %v, %items ], [ %b, %mix ]
  %y = phi <16 x float> [ %v, %items ], [ %d, %mix ]
  %a = fmul <16 x float> %x, splat (float 2.0)
  %b = fadd <16 x float> %a, %y
  %c = fmul <16 x float> %y, %b
  %d = fadd <16 x float> %c, splat (float 2.0)
  call void asm sideeffect "nop", ""()
  %n.next = add nuw i32 %n, 1
  %n.more = icmp ult i32 %n.next, %rounds
  br i1 %n.more, label %mix, label %items.end
items.end:
  store <16 x float> %d, ptr %from
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @large_private(ptr %in, ptr %out, i32 %rounds, i64 %size) {
entry:
  %kept = alloca [8192 x float], !lanewise.private !2
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %from = getelementptr <16 x float>, ptr %out, i64 %id
  %v = load <16 x float>, ptr %from
  br label %mix
mix:
  %n = phi i32 [ 0, %items ], [ %n.next, %mix ]
  %x = phi <16 x float> [ %v, %items ], [ %b, %mix ]
  %y = phi <16 x float> [ %v, %items ], [ %d, %mix ]
  %at = getelementptr float, ptr %in, i32 %n
  %f = load float, ptr %at
  %i = insertelement <16 x float> poison, float %f, i64 0
  %s = shufflevector <16 x float> %i, <16 x float> poison, <16 x i32> zeroinitializer
  %a = fmul <16 x float> %x, %s
  %b = fadd <16 x float> %a, %y
  %c = fmul <16 x float> %y, %b
  %d = fadd <16 x float> %c, %s
  %n.next = add nuw i32 %n, 1
  %n.more = icmp ult i32 %n.next, %rounds
  br i1 %n.more, label %mix, label %items.end
items.end:
  store <16 x float> %d, ptr %kept
  %p = getelementptr float, ptr %kept, i32 %rounds
  %one = load float, ptr %p
  %to = getelementptr float, ptr %from, i64 3
  store float %one, ptr %to
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @half_as_large(ptr %in, ptr %out, i32 %rounds, i64 %size) {
entry:
  %kept = alloca [4096 x float], !lanewise.private !2
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %from = getelementptr <16 x float>, ptr %out, i64 %id
  %v = load <16 x float>, ptr %from
  br label %mix
mix:
  %n = phi i32 [ 0, %items ], [ %n.next, %mix ]
  %x = phi <16 x float> [ %v, %items ], [ %b, %mix ]
  %y = phi <16 x float> [ %v, %items ], [ %d, %mix ]
  %at = getelementptr float, ptr %in, i32 %n
  %f = load float, ptr %at
  %i = insertelement <16 x float> poison, float %f, i64 0
  %s = shufflevector <16 x float> %i, <16 x float> poison, <16 x i32> zeroinitializer
  %a = fmul <16 x float> %x, %s
  %b = fadd <16 x float> %a, %y
  %c = fmul <16 x float> %y, %b
  %d = fadd <16 x float> %c, %s
  %n.next = add nuw i32 %n, 1
  %n.more = icmp ult i32 %n.next, %rounds
  br i1 %n.more, label %mix, label %items.end
items.end:
  store <16 x float> %d, ptr %kept
  %p = getelementptr float, ptr %kept, i32 %rounds
  %one = load float, ptr %p
  %to = getelementptr float, ptr %from, i64 3
  store float %one, ptr %to
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @elsewhere(ptr %in, ptr %out, i32 %rounds, i64 %size) {
entry:
  %kept = alloca <16 x float>, !lanewise.private !2
  %large = alloca [8192 x float], !lanewise.private !2
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %from = getelementptr <16 x float>, ptr %out, i64 %id
  %v = load <16 x float>, ptr %from
  br label %mix
mix:
  %n = phi i32 [ 0, %items ], [ %n.next, %mix ]
  %x = phi <16 x float> [ %v, %items ], [ %b, %mix ]
  %y = phi <16 x float> [ %v, %items ], [ %d, %mix ]
  %at = getelementptr float, ptr %in, i32 %n
  %f = load float, ptr %at
  %i = insertelement <16 x float> poison, float %f, i64 0
  %s = shufflevector <16 x float> %i, <16 x float> poison, <16 x i32> zeroinitializer
  %a = fmul <16 x float> %x, %s
  %b = fadd <16 x float> %a, %y
  %c = fmul <16 x float> %y, %b
  %d = fadd <16 x float> %c, %s
  %n.next = add nuw i32 %n, 1
  %n.more = icmp ult i32 %n.next, %rounds
  br i1 %n.more, label %mix, label %items.end
items.end:
  store <16 x float> %d, ptr %kept
  %p = getelementptr float, ptr %kept, i32 %rounds
  %one = load float, ptr %p
  %to = getelementptr float, ptr %from, i64 3
  store float %one, ptr %to
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
!2 = !{}
