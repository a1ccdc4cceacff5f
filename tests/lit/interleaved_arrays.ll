; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Private arrays that live across barriers lie element by element, so that the same element of neighbouring work-items
; is in neighbouring places.
; RUN: %opt --emit=none --passes=print-live-values %s | %filecheck %s
; RUN: %opt --kernel=elements --reqd-size=16,1,1 --plain-launches %s | %filecheck %s --check-prefix=FRAME
; RUN: %opt --kernel=elements --isa=x86-64-v3 --passes=lower-work-groups,vectorise --reqd-size=16,1,1 --plain-launches %s | %filecheck %s --check-prefix=LANES
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @_Z13get_global_idj(i32)
declare void @_Z7barrierj(i32)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; An index that is the same for all work-items: distances are as many times as long as a group has work-items.
; CHECK-LABEL: ; variable %a: item scratch, elements of 4 bytes
; CHECK: ; item bytes 48
; CHECK-LABEL: define internal void @elements.item(
; CHECK: %[[I:.*]] = mul nsw i64 %i, 4
; CHECK: %[[D:.*]] = mul nsw i64 %[[I]], %full.group
; CHECK: %p = getelementptr nusw i8, ptr %a, i64 %[[D]]
; CHECK: store float 1.000000e+00, ptr %p, align 4
; FRAME-LABEL: define dso_local void @elements(
; FRAME: %slot.0 = alloca [768 x i8], align 64
; FRAME: getelementptr inbounds [4 x i8], ptr %slot.0, i64 %local.linear
; FRAME: mul nsw i64 %{{.*}}, 16
; LANES-LABEL: define dso_local void @elements(
; LANES: store <8 x float> splat (float 1.000000e+00), ptr %{{.*}}, align 4
; LANES-NOT: llvm.masked.scatter
; LANES: load <8 x float>, ptr %{{.*}}, align 4
; LANES: ret void
define void @elements(ptr addrspace(1) %x, i64 %i, i64 %j) !kernel_arg_addr_space !0 {
  %a = alloca [9 x float], align 16
  %p = getelementptr inbounds [9 x float], ptr %a, i64 0, i64 %i
  store float 1.0, ptr %p, align 4
  call void @_Z7barrierj(i32 1)
  %q = getelementptr inbounds float, ptr %a, i64 %j
  %v = load float, ptr %q, align 4
  %g = call i64 @_Z13get_global_idj(i32 0)
  %out = getelementptr float, ptr addrspace(1) %x, i64 %g
  store float %v, ptr addrspace(1) %out
  ret void
}

; Parts of elements stay where they are in theirs. The alignment of the first element is not that of the others.
; CHECK-LABEL: ; variable %a: item scratch, elements of 8 bytes
; CHECK-LABEL: define internal void @parts.item(
; CHECK: store <2 x float> %value, ptr %a, align 8
; CHECK: %[[S:.*]] = mul nsw i64 8, %full.group
; CHECK: %[[P:.*]] = add i64 %[[S]], 4
; CHECK: %y = getelementptr nusw i8, ptr %a, i64 %[[P]]
; CHECK: store float 2.000000e+00, ptr %y, align 4
; CHECK: %[[F:.*]] = mul nsw i64 16, %full.group
; CHECK: %field = getelementptr nusw i8, ptr %a, i64 %[[F]]
; CHECK: %in.field = getelementptr nusw i8, ptr %field, i64
; CHECK: %begin = getelementptr inbounds i8, ptr %in.field, i64 -4
define void @parts(<2 x float> %value, ptr addrspace(1) %x) !kernel_arg_addr_space !1 {
  %a = alloca [4 x <2 x float>], align 16
  store <2 x float> %value, ptr %a, align 16
  %y = getelementptr inbounds i8, ptr %a, i64 12
  store float 2.0, ptr %y, align 4
  %field = getelementptr inbounds i8, ptr %a, i64 16
  %in.field = getelementptr inbounds i8, ptr %field, i64 4
  store float 2.0, ptr %in.field, align 4
  %begin = getelementptr inbounds i8, ptr %in.field, i64 -4
  store float 3.0, ptr %begin, align 16
  call void @_Z7barrierj(i32 1)
  %v = load <2 x float>, ptr %field, align 16
  store <2 x float> %v, ptr addrspace(1) %x
  ret void
}

; Memory that is filled: element by element, by a loop where there are many.
; CHECK-LABEL: ; variable %few: item scratch, elements of 2 bytes
; CHECK: ; variable %many: item scratch, elements of 2 bytes
; CHECK-LABEL: define internal void @filled.item(
; CHECK: store i16 257,
; CHECK: %[[F:.*]] = mul nsw i64 2, %full.group
; CHECK: %[[P:.*]] = getelementptr i8, ptr %few, i64 %[[F]]
; CHECK: store i16 257, ptr %[[P]], align 2
; CHECK-NOT: i16 257
; CHECK: phi i64
; CHECK: getelementptr i8, ptr %many
; CHECK: store i16 514,
; CHECK-NOT: llvm.memset
; CHECK: }
define void @filled(ptr addrspace(1) %x, i64 %i) !kernel_arg_addr_space !0 {
  %few = alloca [2 x i16], align 2
  %many = alloca [40 x i16], align 2
  call void @llvm.memset.p0.i64(ptr %few, i8 1, i64 4, i1 false)
  call void @llvm.memset.p0.i64(ptr %many, i8 2, i64 80, i1 false)
  call void @_Z7barrierj(i32 1)
  %p = getelementptr inbounds i16, ptr %few, i64 %i
  %v = load i16, ptr %p, align 2
  store i16 %v, ptr addrspace(1) %x
  %q = getelementptr inbounds i16, ptr %many, i64 %i
  %w = load i16, ptr %q, align 2
  store i16 %w, ptr addrspace(1) %x
  ret void
}

; Not: accesses that may be across two elements, of an address that is chosen, of one that is kept, a copy, a fill of
; half an element, very many elements, and a single one.
; CHECK-LABEL: ; variable %across: item scratch{{$}}
; CHECK: ; variable %before: item scratch{{$}}
; CHECK: ; variable %chosen: item scratch{{$}}
; CHECK: ; variable %kept: item scratch{{$}}
; CHECK: ; variable %copied: item scratch{{$}}
; CHECK: ; variable %half: item scratch{{$}}
; CHECK: ; variable %large: item scratch{{$}}
; CHECK: ; variable %one: item scratch{{$}}
; CHECK-LABEL: define internal void @others.item(
define void @others(ptr addrspace(1) %x, i64 %i, i1 %c) !kernel_arg_addr_space !2 {
  %across = alloca [8 x i64]
  %before = alloca [8 x i64]
  %chosen = alloca [8 x i32]
  %kept = alloca [8 x i32]
  %copied = alloca [8 x i32]
  %half = alloca [8 x i32]
  %large = alloca [1000 x i32]
  %one = alloca i32
  %from = load <8 x i32>, ptr addrspace(1) %x
  %p = getelementptr i32, ptr %across, i64 %i
  store i64 1, ptr %p
  %e = getelementptr i8, ptr %before, i64 12
  %f = getelementptr i8, ptr %e, i64 -8
  store i32 1, ptr %f
  store i64 1, ptr %before
  store i32 1, ptr %chosen
  store i32 1, ptr %kept
  store i32 1, ptr %copied
  call void @llvm.memset.p0.i64(ptr %half, i8 0, i64 6, i1 false)
  store i32 1, ptr %large
  store i32 1, ptr %one
  %second = getelementptr i32, ptr %chosen, i64 1
  %choice = select i1 %c, ptr %chosen, ptr %second
  store ptr %kept, ptr addrspace(1) %x
  call void @_Z7barrierj(i32 1)
  %1 = load i64, ptr %across
  %2 = load i32, ptr %choice
  %3 = load i32, ptr %kept
  %4 = load i32, ptr %half
  %5 = load i32, ptr %large
  %6 = load i32, ptr %one
  %7 = load i32, ptr %copied
  %8 = load i64, ptr %before
  call void @llvm.memcpy.p0.p0.i64(ptr %copied, ptr %chosen, i64 32, i1 false)
  store volatile i64 %1, ptr addrspace(1) %x
  store volatile i64 %8, ptr addrspace(1) %x
  store volatile i32 %2, ptr addrspace(1) %x
  store volatile i32 %3, ptr addrspace(1) %x
  store volatile i32 %4, ptr addrspace(1) %x
  store volatile i32 %5, ptr addrspace(1) %x
  store volatile i32 %6, ptr addrspace(1) %x
  store volatile i32 %7, ptr addrspace(1) %x
  ret void
}
!0 = !{i32 1, i32 0}
!1 = !{i32 0, i32 1}
!2 = !{i32 1, i32 0, i32 0}
