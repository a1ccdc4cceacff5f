; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A filter that divides the coordinates of each of its taps: rows share the coordinate in x, its division included, and the
; test whether its texels are consecutive. Nobody knows how often they are; the number of rows is chosen for those that are.
; Code of the first tier only tells that rows would share much.
; RUN: %opt --passes=print-vector-plans --isa=x86-64-v3 --emit=none %s | %filecheck %s --check-prefix=PLAN
; RUN: %opt --passes=vectorise,block-registers --width=8 --isa=x86-64-v3 --kernel=divided %s | %filecheck %s
; PLAN: ; divided items: width 8, {{.*}}, shares rows{{$}}
; PLAN: ; guarded items: width 8, {{.*}}, shares rows{{$}}

; A clamped integer coordinate is less than long rows gain.
; PLAN: ; integers items: width 8
; PLAN-NOT: shares rows

; The division is of the row.
; PLAN: ; by_row items: width 8
; PLAN-NOT: shares rows

; So is the number of taps.
; PLAN: ; rows_differ items: width 8
; PLAN-NOT: shares rows

; A row decides whether there are taps.
; PLAN: ; rows_branch items: width 8
; PLAN-NOT: shares rows

; The division is the same for all taps.
; PLAN: ; all_taps items: width 8
; PLAN-NOT: shares rows

; Outside of inner loops no rows run together.
; PLAN: ; no_taps items: width 8
; PLAN-NOT: shares rows

; CHECK-LABEL: define void @divided(
; CHECK: items.vector.rows.taps.uniform:
; CHECK-COUNT-4: phi <8 x float>
; CHECK-NOT: phi <8 x float>
; CHECK: fdiv <8 x float>
; CHECK-NOT: fdiv <8 x float>
; CHECK: br i1 %{{.*}}, label %items.vector.rows.consecutive, label %items.vector.rows.scattered
; CHECK: items.vector.rows.consecutive:
; CHECK-COUNT-4: load <8 x float>

define void @divided(ptr %a, ptr %w, ptr %c, float %width, float %scale, i32 %last, i64 %n, i64 %pitch, i64 %size, i64 %height) {
entry:
  br label %y
y:
  %y.id = phi i64 [ 0, %entry ], [ %y.next, %y.end ]
  %row = mul i64 %y.id, %pitch
  br label %items
items:
  %id = phi i64 [ 0, %y ], [ %next, %items.end ]
  %x = trunc i64 %id to i32
  %yf = uitofp i64 %y.id to float
  br label %taps
taps:
  %k = phi i64 [ 0, %items ], [ %k.next, %taps ]
  %s = phi float [ 0.0, %items ], [ %t, %taps ]
  %wp = getelementptr float, ptr %w, i64 %k
  %wv = load float, ptr %wp
  %kn = trunc i64 %k to i32
  %sum = add i32 %x, %kn
  %f = sitofp i32 %sum to float
  %q = fdiv float %f, %width
  %g = fmul float %q, %scale
  %l = call float @llvm.floor.f32(float %g)
  %i = fptosi float %l to i32
  %low = call i32 @llvm.smax.i32(i32 %i, i32 0)
  %clamped = call i32 @llvm.smin.i32(i32 %low, i32 %last)
  %e = sext i32 %clamped to i64
  %rp = getelementptr float, ptr %a, i64 %row
  %p = getelementptr float, ptr %rp, i64 %e
  %v = load float, ptr %p
  %m = fmul float %wv, %v
  %t = fadd float %s, %m
  %k.next = add nuw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %n
  br i1 %k.more, label %taps, label %write
write:
  %r = phi float [ %t, %taps ]
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

define void @guarded(ptr %a, ptr %w, ptr %c, float %width, float %scale, i32 %last, i64 %n, i64 %pitch, i64 %size, i64 %height) {
entry:
  br label %y
y:
  %y.id = phi i64 [ 0, %entry ], [ %y.next, %y.end ]
  %row = mul i64 %y.id, %pitch
  br label %items
items:
  %id = phi i64 [ 0, %y ], [ %next, %items.end ]
  %x = trunc i64 %id to i32
  %yf = uitofp i64 %y.id to float
  %outside = icmp uge i64 %y.id, %pitch
  br i1 %outside, label %items.end, label %inside
inside:
  br label %taps
taps:
  %k = phi i64 [ 0, %inside ], [ %k.next, %taps ]
  %s = phi float [ 0.0, %inside ], [ %t, %taps ]
  %wp = getelementptr float, ptr %w, i64 %k
  %wv = load float, ptr %wp
  %kn = trunc i64 %k to i32
  %sum = add i32 %x, %kn
  %f = sitofp i32 %sum to float
  %q = fdiv float %f, %width
  %g = fmul float %q, %scale
  %l = call float @llvm.floor.f32(float %g)
  %i = fptosi float %l to i32
  %low = call i32 @llvm.smax.i32(i32 %i, i32 0)
  %clamped = call i32 @llvm.smin.i32(i32 %low, i32 %last)
  %e = sext i32 %clamped to i64
  %rp = getelementptr float, ptr %a, i64 %row
  %p = getelementptr float, ptr %rp, i64 %e
  %v = load float, ptr %p
  %m = fmul float %wv, %v
  %t = fadd float %s, %m
  %k.next = add nuw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %n
  br i1 %k.more, label %taps, label %write
write:
  %r = phi float [ %t, %taps ]
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

define void @integers(ptr %a, ptr %w, ptr %c, float %width, float %scale, i32 %last, i64 %n, i64 %pitch, i64 %size, i64 %height) {
entry:
  br label %y
y:
  %y.id = phi i64 [ 0, %entry ], [ %y.next, %y.end ]
  %row = mul i64 %y.id, %pitch
  br label %items
items:
  %id = phi i64 [ 0, %y ], [ %next, %items.end ]
  %x = trunc i64 %id to i32
  %yf = uitofp i64 %y.id to float
  br label %taps
taps:
  %k = phi i64 [ 0, %items ], [ %k.next, %taps ]
  %s = phi float [ 0.0, %items ], [ %t, %taps ]
  %wp = getelementptr float, ptr %w, i64 %k
  %wv = load float, ptr %wp
  %kn = trunc i64 %k to i32
  %i = add i32 %x, %kn
  %low = call i32 @llvm.smax.i32(i32 %i, i32 0)
  %clamped = call i32 @llvm.smin.i32(i32 %low, i32 %last)
  %e = sext i32 %clamped to i64
  %rp = getelementptr float, ptr %a, i64 %row
  %p = getelementptr float, ptr %rp, i64 %e
  %v = load float, ptr %p
  %m = fmul float %wv, %v
  %t = fadd float %s, %m
  %k.next = add nuw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %n
  br i1 %k.more, label %taps, label %write
write:
  %r = phi float [ %t, %taps ]
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

define void @by_row(ptr %a, ptr %w, ptr %c, float %width, float %scale, i32 %last, i64 %n, i64 %pitch, i64 %size, i64 %height) {
entry:
  br label %y
y:
  %y.id = phi i64 [ 0, %entry ], [ %y.next, %y.end ]
  %row = mul i64 %y.id, %pitch
  br label %items
items:
  %id = phi i64 [ 0, %y ], [ %next, %items.end ]
  %x = trunc i64 %id to i32
  %yf = uitofp i64 %y.id to float
  br label %taps
taps:
  %k = phi i64 [ 0, %items ], [ %k.next, %taps ]
  %s = phi float [ 0.0, %items ], [ %t, %taps ]
  %wp = getelementptr float, ptr %w, i64 %k
  %wv = load float, ptr %wp
  %kn = trunc i64 %k to i32
  %q = fdiv float %yf, %width
  %g = fmul float %q, %scale
  %qi = fptosi float %g to i32
  %xn = add i32 %x, %kn
  %i = add i32 %xn, %qi
  %low = call i32 @llvm.smax.i32(i32 %i, i32 0)
  %clamped = call i32 @llvm.smin.i32(i32 %low, i32 %last)
  %e = sext i32 %clamped to i64
  %rp = getelementptr float, ptr %a, i64 %row
  %p = getelementptr float, ptr %rp, i64 %e
  %v = load float, ptr %p
  %m = fmul float %wv, %v
  %t = fadd float %s, %m
  %k.next = add nuw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %n
  br i1 %k.more, label %taps, label %write
write:
  %r = phi float [ %t, %taps ]
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

define void @rows_differ(ptr %a, ptr %w, ptr %c, float %width, float %scale, i32 %last, i64 %n, i64 %pitch, i64 %size, i64 %height) {
entry:
  br label %y
y:
  %y.id = phi i64 [ 0, %entry ], [ %y.next, %y.end ]
  %row = mul i64 %y.id, %pitch
  br label %items
items:
  %id = phi i64 [ 0, %y ], [ %next, %items.end ]
  %x = trunc i64 %id to i32
  %yf = uitofp i64 %y.id to float
  br label %taps
taps:
  %k = phi i64 [ 0, %items ], [ %k.next, %taps ]
  %s = phi float [ 0.0, %items ], [ %t, %taps ]
  %wp = getelementptr float, ptr %w, i64 %k
  %wv = load float, ptr %wp
  %kn = trunc i64 %k to i32
  %sum = add i32 %x, %kn
  %f = sitofp i32 %sum to float
  %q = fdiv float %f, %width
  %g = fmul float %q, %scale
  %l = call float @llvm.floor.f32(float %g)
  %i = fptosi float %l to i32
  %low = call i32 @llvm.smax.i32(i32 %i, i32 0)
  %clamped = call i32 @llvm.smin.i32(i32 %low, i32 %last)
  %e = sext i32 %clamped to i64
  %rp = getelementptr float, ptr %a, i64 %row
  %p = getelementptr float, ptr %rp, i64 %e
  %v = load float, ptr %p
  %m = fmul float %wv, %v
  %t = fadd float %s, %m
  %k.next = add nuw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %row
  br i1 %k.more, label %taps, label %write
write:
  %r = phi float [ %t, %taps ]
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

define void @rows_branch(ptr %a, ptr %w, ptr %c, float %width, float %scale, i32 %last, i64 %n, i64 %pitch, i64 %size, i64 %height) {
entry:
  br label %y
y:
  %y.id = phi i64 [ 0, %entry ], [ %y.next, %y.end ]
  %row = mul i64 %y.id, %pitch
  br label %items
items:
  %id = phi i64 [ 0, %y ], [ %next, %items.end ]
  %x = trunc i64 %id to i32
  %yf = uitofp i64 %y.id to float
  %odd = and i64 %y.id, 1
  %is.odd = icmp ne i64 %odd, 0
  br i1 %is.odd, label %more.work, label %begin
more.work:
  br label %begin
begin:
  %start = phi float [ 1.0, %more.work ], [ 0.0, %items ]
  br label %taps
taps:
  %k = phi i64 [ 0, %begin ], [ %k.next, %taps ]
  %s = phi float [ %start, %begin ], [ %t, %taps ]
  %wp = getelementptr float, ptr %w, i64 %k
  %wv = load float, ptr %wp
  %kn = trunc i64 %k to i32
  %sum = add i32 %x, %kn
  %f = sitofp i32 %sum to float
  %q = fdiv float %f, %width
  %g = fmul float %q, %scale
  %l = call float @llvm.floor.f32(float %g)
  %i = fptosi float %l to i32
  %low = call i32 @llvm.smax.i32(i32 %i, i32 0)
  %clamped = call i32 @llvm.smin.i32(i32 %low, i32 %last)
  %e = sext i32 %clamped to i64
  %rp = getelementptr float, ptr %a, i64 %row
  %p = getelementptr float, ptr %rp, i64 %e
  %v = load float, ptr %p
  %m = fmul float %wv, %v
  %t = fadd float %s, %m
  %k.next = add nuw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %n
  br i1 %k.more, label %taps, label %write
write:
  %r = phi float [ %t, %taps ]
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

define void @all_taps(ptr %a, ptr %w, ptr %c, float %width, float %scale, i32 %last, i64 %n, i64 %pitch, i64 %size, i64 %height) {
entry:
  br label %y
y:
  %y.id = phi i64 [ 0, %entry ], [ %y.next, %y.end ]
  %row = mul i64 %y.id, %pitch
  br label %items
items:
  %id = phi i64 [ 0, %y ], [ %next, %items.end ]
  %x = trunc i64 %id to i32
  %yf = uitofp i64 %y.id to float
  br label %taps
taps:
  %k = phi i64 [ 0, %items ], [ %k.next, %taps ]
  %s = phi float [ 0.0, %items ], [ %t, %taps ]
  %wp = getelementptr float, ptr %w, i64 %k
  %wv = load float, ptr %wp
  %kn = trunc i64 %k to i32
  %sum = add i32 %x, %last
  %f = sitofp i32 %sum to float
  %q = fdiv float %f, %width
  %g = fmul float %q, %scale
  %l = call float @llvm.floor.f32(float %g)
  %i = fptosi float %l to i32
  %low = call i32 @llvm.smax.i32(i32 %i, i32 0)
  %clamped = call i32 @llvm.smin.i32(i32 %low, i32 %last)
  %e = sext i32 %clamped to i64
  %rp = getelementptr float, ptr %a, i64 %row
  %p = getelementptr float, ptr %rp, i64 %e
  %v = load float, ptr %p
  %m = fmul float %wv, %v
  %t = fadd float %s, %m
  %k.next = add nuw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %n
  br i1 %k.more, label %taps, label %write
write:
  %r = phi float [ %t, %taps ]
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

define void @no_taps(ptr %a, ptr %w, ptr %c, float %width, float %scale, i32 %last, i64 %n, i64 %pitch, i64 %size, i64 %height) {
entry:
  br label %y
y:
  %y.id = phi i64 [ 0, %entry ], [ %y.next, %y.end ]
  %row = mul i64 %y.id, %pitch
  br label %items
items:
  %id = phi i64 [ 0, %y ], [ %next, %items.end ]
  %x = trunc i64 %id to i32
  %yf = uitofp i64 %y.id to float
  %kn = trunc i64 %n to i32
  %sum = add i32 %x, %kn
  %f = sitofp i32 %sum to float
  %q = fdiv float %f, %width
  %g = fmul float %q, %scale
  %l = call float @llvm.floor.f32(float %g)
  %i = fptosi float %l to i32
  %low = call i32 @llvm.smax.i32(i32 %i, i32 0)
  %clamped = call i32 @llvm.smin.i32(i32 %low, i32 %last)
  %e = sext i32 %clamped to i64
  %rp = getelementptr float, ptr %a, i64 %row
  %p = getelementptr float, ptr %rp, i64 %e
  %v = load float, ptr %p
  %r = fadd float %v, 1.0
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

declare float @llvm.floor.f32(float)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
