; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The plan of the vectoriser for each loop, or why it is refused. The function stays as it is.
; RUN: %opt --passes=print-vector-plans %s | %filecheck %s
; RUN: %opt --passes=print-vector-plans --width=4 --emit=none %s | %filecheck %s --check-prefix=FORCED
; RUN: %opt --passes=print-vector-plans --isa=x86-64-v2 --emit=none %s | %filecheck %s --check-prefix=V2


; CHECK: {{^}}; computes items: width 8, masked tail, cost {{[0-9]+}} against {{[0-9]+}}{{$}}
; CHECK-NEXT: {{^}}; bits items: width 8, masked tail, aligned, cost
; CHECK-NEXT: {{^}}; guarded items: width 8, masked tail, 1 guard, cost
; CHECK-NEXT: {{^}}; calls items: scalar, vectors do not pay: cost {{[0-9]+}} against {{[0-9]+}} for 8 work-items{{$}}
; CHECK-NEXT: {{^}}; kept items: scalar, it is told to{{$}}
; CHECK-NEXT: {{^}}; groups items: sub-groups of 16, masked tail{{$}}
; CHECK-NEXT: {{^}}; flat items: sub-groups of 16, all masked{{$}}
; CHECK-NOT: <8 x
; FORCED: {{^}}; computes items: width 4, masked tail, cost
; FORCED: {{^}}; calls items: width 4, masked tail, cost
; FORCED: {{^}}; groups items: sub-groups of 16, masked tail{{$}}
; V2: {{^}}; computes items: width 4, scalar tail, cost
define void @computes(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr float, ptr %a, i64 %id
  %v = load float, ptr %p
  %w = fmul float %v, %v
  %u = fadd float %w, 1.0
  store float %u, ptr %p
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @bits(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %low = and i64 %id, 63
  %high = lshr i64 %id, 6
  %p = getelementptr [64 x float], ptr %a, i64 %high, i64 %low
  %v = load float, ptr %p
  %w = fadd float %v, 1.0
  store float %w, ptr %p
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @guarded(ptr %a, i64 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %c = icmp slt i64 %id, %n
  br i1 %c, label %inside, label %items.end
inside:
  %p = getelementptr float, ptr %a, i64 %id
  %v = load float, ptr %p
  %w = fadd float %v, 1.0
  store float %w, ptr %p
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @calls(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr float, ptr %a, i64 %id
  %v = call float @alone(ptr %p)
  store float %v, ptr %p
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @kept(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr float, ptr %a, i64 %id
  %v = load float, ptr %p
  %w = fmul float %v, %v
  %u = fadd float %w, 1.0
  store float %u, ptr %p
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !1
exit:
  ret void
}
define void @groups(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr float, ptr %a, i64 %id
  %v = load float, ptr %p
  %w = fmul float %v, %v
  %u = fadd float %w, 1.0
  store float %u, ptr %p
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !2
exit:
  ret void
}
define void @flat(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr float, ptr %a, i64 %id
  %v = load float, ptr %p
  %w = fmul float %v, %v
  %u = fadd float %w, 1.0
  store float %u, ptr %p
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !3
exit:
  ret void
}
declare float @alone(ptr)
!0 = distinct !{!0, !4}
!1 = distinct !{!1, !5}
!2 = distinct !{!2, !4, !6}
!3 = distinct !{!3, !4, !7}
!4 = !{!"lanewise.items"}
!5 = !{!"lanewise.items", !"it is told to"}
!6 = !{!"lanewise.sub_group", i32 16}
!7 = !{!"lanewise.sub_group", i32 16, !"flattened"}
