; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Neighbouring groups run as a team, the innermost loop over them, where memory is next to each other along groups.
; RUN: %opt --merge-groups --plain-launches --reqd-size=8,1,1 --team-groups=16 %s | %filecheck %s
; RUN: %opt --merge-groups --plain-launches --reqd-size=8,1,1 %s | %filecheck %s --check-prefix=ALONE
; RUN: %opt --merge-groups --reqd-size=8,1,1 --team-groups=16 %s | %filecheck %s --check-prefix=ALONE
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @_Z12get_group_idj(i32)
declare i64 @_Z12get_local_idj(i32)
declare i64 @_Z13get_global_idj(i32)
declare i64 @_Z14get_local_sizej(i32)
declare void @_Z7barrierj(i32)

@columns.tile = internal addrspace(3) global [8 x float] undef, align 16
@vectors.tile = internal addrspace(3) global [8 x <4 x float>] undef, align 16
@parts.tile = internal addrspace(3) global [8 x float] undef, align 16
@rows.tile = internal addrspace(3) global [8 x float] undef, align 16

; ALONE-NOT: strip.groups

; The end of a row of groups, or of a range, may be inside of a team.
; CHECK-LABEL: define dso_local void @columns
; CHECK: %strip.groups = call i64 @llvm.umin.i64(i64 %{{.*}}, i64 16)
; CHECK-DAG: %local.id.x = phi i64
; CHECK-DAG: add nuw nsw i64 %group.id.x, %local.id.x
; Elements of the groups are next to each other, and aligned as such.
; CHECK: %local.memory.of.group = getelementptr inbounds i8, ptr addrspace(3)
; CHECK: store float %{{.*}}, ptr addrspace(3) %{{.*}}, align 4
; CHECK: group.end:
; CHECK: add nuw i64 %group.linear, %strip.groups
define void @columns(ptr addrspace(1) %x, ptr addrspace(1) %y) !kernel_arg_addr_space !0 {
  %g = call i64 @_Z12get_group_idj(i32 0)
  %l = call i64 @_Z12get_local_idj(i32 0)
  %row = mul i64 %l, 4096
  %at = add i64 %row, %g
  %p = getelementptr float, ptr addrspace(1) %x, i64 %at
  %v = load float, ptr addrspace(1) %p
  %t = getelementptr [8 x float], ptr addrspace(3) @columns.tile, i64 0, i64 %l
  store float %v, ptr addrspace(3) %t, align 16
  call void @_Z7barrierj(i32 1)
  %first = load float, ptr addrspace(3) @columns.tile, align 16
  %q = getelementptr float, ptr addrspace(1) %y, i64 %at
  store float %first, ptr addrspace(1) %q
  ret void
}

; Vectors in local memory: each group has its own in one piece, 128 bytes behind those of the group before.
; CHECK-LABEL: define dso_local void @vectors
; CHECK: %strip.groups = call i64 @llvm.umin.i64(i64 %{{.*}}, i64 16)
; CHECK: mul nuw i64 %local.id.x, 128
; CHECK: store <4 x float> %{{.*}}, align 16
define void @vectors(ptr addrspace(1) %x, <4 x float> %v) !kernel_arg_addr_space !1 {
  %g = call i64 @_Z12get_group_idj(i32 0)
  %l = call i64 @_Z12get_local_idj(i32 0)
  %row = mul i64 %l, 4096
  %at = add i64 %row, %g
  %t = getelementptr <4 x float>, ptr addrspace(3) @vectors.tile, i64 %l
  store <4 x float> %v, ptr addrspace(3) %t, align 16
  call void @_Z7barrierj(i32 1)
  %other = load float, ptr addrspace(3) @vectors.tile, align 16
  %p = getelementptr float, ptr addrspace(1) %x, i64 %at
  store float %other, ptr addrspace(1) %p
  ret void
}

; Groups that come to different barriers cannot go together.
; CHECK-LABEL: define dso_local void @parts
; CHECK-NOT: strip.groups
define void @parts(ptr addrspace(1) %x) !kernel_arg_addr_space !2 {
  %g = call i64 @_Z12get_group_idj(i32 0)
  %l = call i64 @_Z12get_local_idj(i32 0)
  %row = mul i64 %l, 4096
  %at = add i64 %row, %g
  %p = getelementptr float, ptr addrspace(1) %x, i64 %at
  %t = getelementptr float, ptr addrspace(3) @parts.tile, i64 %l
  store float 1.0, ptr addrspace(3) %t
  %early = icmp ult i64 %g, 3
  br i1 %early, label %end, label %on
on:
  call void @_Z7barrierj(i32 1)
  %v = load float, ptr addrspace(3) @parts.tile
  store float %v, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; Work-items are next to each other, groups are not.
; CHECK-LABEL: define dso_local void @rows
; CHECK-NOT: strip.groups
define void @rows(ptr addrspace(1) %x) !kernel_arg_addr_space !2 {
  %i = call i64 @_Z13get_global_idj(i32 0)
  %l = call i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %p
  %t = getelementptr float, ptr addrspace(3) @rows.tile, i64 %l
  store float %v, ptr addrspace(3) %t
  call void @_Z7barrierj(i32 1)
  %w = load float, ptr addrspace(3) @rows.tile
  store float %w, ptr addrspace(1) %p
  ret void
}

; Another group may wait for this one.
; CHECK-LABEL: define dso_local void @atomics
; CHECK-NOT: strip.groups
define void @atomics(ptr addrspace(1) %x) !kernel_arg_addr_space !2 {
  %g = call i64 @_Z12get_group_idj(i32 0)
  %l = call i64 @_Z12get_local_idj(i32 0)
  %row = mul i64 %l, 4096
  %at = add i64 %row, %g
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %at
  %old = atomicrmw add ptr addrspace(1) %x, i32 1 monotonic
  store i32 %old, ptr addrspace(1) %p
  ret void
}
!0 = !{i32 1, i32 1}
!1 = !{i32 1, i32 0}
!2 = !{i32 1}
