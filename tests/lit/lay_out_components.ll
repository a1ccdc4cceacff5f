; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Small vectors whose components all have the same done to them are worked on item by item, as they lie in memory, without a
; shuffle. Where components differ, or would be repeated more often than shuffles are saved, they are taken apart: with AVX2 by
; transposes within 128 bits.
; RUN: %opt --isa=x86-64-v3 --width=8 --passes=vectorise,lay-out-components,optimise %s | %filecheck %s

; CHECK-LABEL: define void @scaled(
; CHECK: load <32 x float>
; CHECK: fmul <32 x float>
; CHECK: store <32 x float>
define void @scaled(ptr %a, ptr %b, ptr %w, ptr %c, float %factor, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %ap = getelementptr <4 x float>, ptr %a, i64 %id
  %av = load <4 x float>, ptr %ap
  %cp = getelementptr <4 x float>, ptr %c, i64 %id
  %f0 = insertelement <4 x float> poison, float %factor, i64 0
  %f = shufflevector <4 x float> %f0, <4 x float> poison, <4 x i32> zeroinitializer
  %r = fmul <4 x float> %av, %f
  store <4 x float> %r, ptr %cp
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; A weight for each item is repeated.
; CHECK-LABEL: define void @weighted(
; CHECK: shufflevector <8 x float> %{{.*}}, <8 x float> poison, <32 x i32> <i32 0, i32 0, i32 0, i32 0, i32 1
; CHECK: fmul <32 x float>
; CHECK: store <32 x float>
define void @weighted(ptr %a, ptr %b, ptr %w, ptr %c, float %factor, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %ap = getelementptr <4 x float>, ptr %a, i64 %id
  %av = load <4 x float>, ptr %ap
  %cp = getelementptr <4 x float>, ptr %c, i64 %id
  %wp = getelementptr float, ptr %w, i64 %id
  %wv = load float, ptr %wp
  %f0 = insertelement <4 x float> poison, float %wv, i64 0
  %f = shufflevector <4 x float> %f0, <4 x float> poison, <4 x i32> zeroinitializer
  %r = fmul <4 x float> %av, %f
  store <4 x float> %r, ptr %cp
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Five of them would take more shuffles than are saved.
; CHECK-LABEL: define void @five_weights(
; CHECK-NOT: fmul <32 x float>
; CHECK: fmul <8 x float>
define void @five_weights(ptr %a, ptr %b, ptr %w, ptr %c, float %factor, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %ap = getelementptr <4 x float>, ptr %a, i64 %id
  %av = load <4 x float>, ptr %ap
  %cp = getelementptr <4 x float>, ptr %c, i64 %id
  %i0 = add nuw nsw i64 %id, 0
  %i1 = add nuw nsw i64 %id, 1000
  %i2 = add nuw nsw i64 %id, 2000
  %i3 = add nuw nsw i64 %id, 3000
  %i4 = add nuw nsw i64 %id, 4000
  %wp0 = getelementptr float, ptr %w, i64 %i0
  %w0 = load float, ptr %wp0
  %wp1 = getelementptr float, ptr %w, i64 %i1
  %w1 = load float, ptr %wp1
  %wp2 = getelementptr float, ptr %w, i64 %i2
  %w2 = load float, ptr %wp2
  %wp3 = getelementptr float, ptr %w, i64 %i3
  %w3 = load float, ptr %wp3
  %wp4 = getelementptr float, ptr %w, i64 %i4
  %w4 = load float, ptr %wp4
  %f0a = insertelement <4 x float> poison, float %w0, i64 0
  %f0 = shufflevector <4 x float> %f0a, <4 x float> poison, <4 x i32> zeroinitializer
  %r0 = fmul <4 x float> %av, %f0
  %f1a = insertelement <4 x float> poison, float %w1, i64 0
  %f1 = shufflevector <4 x float> %f1a, <4 x float> poison, <4 x i32> zeroinitializer
  %r1 = fmul <4 x float> %r0, %f1
  %f2a = insertelement <4 x float> poison, float %w2, i64 0
  %f2 = shufflevector <4 x float> %f2a, <4 x float> poison, <4 x i32> zeroinitializer
  %r2 = fmul <4 x float> %r1, %f2
  %f3a = insertelement <4 x float> poison, float %w3, i64 0
  %f3 = shufflevector <4 x float> %f3a, <4 x float> poison, <4 x i32> zeroinitializer
  %r3 = fmul <4 x float> %r2, %f3
  %f4a = insertelement <4 x float> poison, float %w4, i64 0
  %f4 = shufflevector <4 x float> %f4a, <4 x float> poison, <4 x i32> zeroinitializer
  %r4 = fmul <4 x float> %r3, %f4
  %r = fadd <4 x float> %r4, %r4
  store <4 x float> %r, ptr %cp
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Each component is something else.
; CHECK-LABEL: define void @mixed(
; CHECK: shufflevector <8 x float> %{{.*}}, <8 x float> %{{.*}}, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
; CHECK: fmul <8 x float>
; CHECK: shufflevector <8 x float> %{{.*}}, <8 x float> %{{.*}}, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
define void @mixed(ptr %a, ptr %b, ptr %w, ptr %c, float %factor, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %ap = getelementptr <4 x float>, ptr %a, i64 %id
  %av = load <4 x float>, ptr %ap
  %cp = getelementptr <4 x float>, ptr %c, i64 %id
  %x = extractelement <4 x float> %av, i64 0
  %y = extractelement <4 x float> %av, i64 1
  %z = extractelement <4 x float> %av, i64 2
  %u = extractelement <4 x float> %av, i64 3
  %s = fmul float %x, %y
  %t = fadd float %z, %u
  %d = fsub float %s, %t
  %q = fmul float %x, %d
  %r0 = insertelement <4 x float> poison, float %s, i64 0
  %r1 = insertelement <4 x float> %r0, float %t, i64 1
  %r2 = insertelement <4 x float> %r1, float %d, i64 2
  %r = insertelement <4 x float> %r2, float %q, i64 3
  store <4 x float> %r, ptr %cp
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Components in another order.
; CHECK-LABEL: define void @turned(
; CHECK-NOT: fmul <32 x float>
; CHECK: fmul <8 x float>
define void @turned(ptr %a, ptr %b, ptr %w, ptr %c, float %factor, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %ap = getelementptr <4 x float>, ptr %a, i64 %id
  %av = load <4 x float>, ptr %ap
  %cp = getelementptr <4 x float>, ptr %c, i64 %id
  %f0 = insertelement <4 x float> poison, float %factor, i64 0
  %f = shufflevector <4 x float> %f0, <4 x float> poison, <4 x i32> zeroinitializer
  %m = fmul <4 x float> %av, %f
  %r = shufflevector <4 x float> %m, <4 x float> poison, <4 x i32> <i32 2, i32 1, i32 0, i32 3>
  store <4 x float> %r, ptr %cp
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; A sum of a loop is by item from its beginning.
; CHECK-LABEL: define void @summed(
; CHECK: phi <32 x float>
; CHECK: load <32 x float>
; CHECK: fmul <32 x float>
; CHECK: fadd <32 x float>
; CHECK: store <32 x float>
define void @summed(ptr %a, ptr %w, ptr %c, i64 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  br label %sum
sum:
  %k = phi i64 [ 0, %items ], [ %k.next, %sum ]
  %s = phi <4 x float> [ zeroinitializer, %items ], [ %t, %sum ]
  %wp = getelementptr float, ptr %w, i64 %k
  %wv = load float, ptr %wp
  %f0 = insertelement <4 x float> poison, float %wv, i64 0
  %f = shufflevector <4 x float> %f0, <4 x float> poison, <4 x i32> zeroinitializer
  %at = add i64 %id, %k
  %p = getelementptr <4 x float>, ptr %a, i64 %at
  %v = load <4 x float>, ptr %p
  %m = fmul <4 x float> %f, %v
  %t = fadd <4 x float> %s, %m
  %k.next = add nuw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %n
  br i1 %k.more, label %sum, label %items.end
items.end:
  %r = phi <4 x float> [ %t, %sum ]
  %cp = getelementptr <4 x float>, ptr %c, i64 %id
  store <4 x float> %r, ptr %cp
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
