; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The innermost loop of a region goes along the dimension in which neighbours access neighbouring memory.
; RUN: %opt --reqd-size=16,16,1 %s | %filecheck %s --check-prefixes=CHECK,LONG
; RUN: %opt --reqd-size=64,4,1 %s | %filecheck %s --check-prefixes=CHECK,AS_IT_WAS
; RUN: %opt %s | %filecheck %s --check-prefixes=CHECK,AS_IT_WAS
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@tile = internal addrspace(3) global [576 x i8] undef
declare i64 @_Z12get_local_idj(i32)
declare i64 @_Z13get_global_idj(i32)
declare void @_Z7barrierj(i32)
declare i32 @printf(ptr addrspace(2), ...)

; A tile with a border is filled in the order of x * 16 + y. Linear local ids stay those of x, y, z. Rows of four
; work-items would not fill vectors, and sizes that are not known may be such.
; CHECK-LABEL: define dso_local void @flattened
; LONG: region.0.items.z:
; LONG: region.0.items:
; LONG: %local.id.x = phi i64 [ 0, %region.0.items.z ], [ %{{.*}}, %region.0.items.end.x ]
; LONG: region.0.items.y:
; LONG: %local.id.y = phi i64 [ 0, %region.0.items ]
; LONG: %[[ROWS:.*]] = mul nuw i64 %local.id.y, %local.size.x
; LONG: %local.linear = add nuw i64 %{{.*}}, %[[ROWS]]
; LONG: region.0.items.end:
; LONG: br i1 %{{.*}}, label %region.0.items.y, label %region.0.items.end.x, !llvm.loop
; LONG: region.1.items.y:
; LONG: region.1.items:
; LONG: region.1.items.end:
; LONG: br i1 %{{.*}}, label %region.1.items, label %region.1.items.end.y, !llvm.loop
; AS_IT_WAS: label %region.0.items, label %region.0.items.end.y
; AS_IT_WAS: label %region.1.items, label %region.1.items.end.y
define void @flattened(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %pitch) !kernel_arg_addr_space !0 {
  %x = call i64 @_Z12get_local_idj(i32 0)
  %y = call i64 @_Z12get_local_idj(i32 1)
  %column = shl i64 %x, 4
  %id = or disjoint i64 %column, %y
  %row = udiv i64 %id, 18
  %rest = urem i64 %id, 18
  %before = mul i64 %row, %pitch
  %at = add i64 %before, %rest
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %at
  %v = load i8, ptr addrspace(1) %p
  %slot = getelementptr [18 x i8], ptr addrspace(3) @tile, i64 %row, i64 %rest
  store i8 %v, ptr addrspace(3) %slot
  call void @_Z7barrierj(i32 1)
  %from = getelementptr [18 x i8], ptr addrspace(3) @tile, i64 %y, i64 %x
  %w = load i8, ptr addrspace(3) %from
  %g = call i64 @_Z13get_global_idj(i32 0)
  %h = call i64 @_Z13get_global_idj(i32 1)
  %over = mul i64 %h, %pitch
  %to = add i64 %over, %g
  %q = getelementptr i8, ptr addrspace(1) %out, i64 %to
  store i8 %w, ptr addrspace(1) %q
  ret void
}

; What is written along x and read along y has no better order.
; CHECK-LABEL: define dso_local void @crossed
; CHECK: label %region.0.items, label %region.0.items.end.y
define void @crossed(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) !kernel_arg_addr_space !0 {
  %x = call i64 @_Z12get_local_idj(i32 0)
  %y = call i64 @_Z12get_local_idj(i32 1)
  %a = mul i64 %x, %n
  %b = add i64 %a, %y
  %c = mul i64 %y, %n
  %d = add i64 %c, %x
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %b
  %v = load i8, ptr addrspace(1) %p
  %q = getelementptr i8, ptr addrspace(1) %out, i64 %d
  store i8 %v, ptr addrspace(1) %q
  ret void
}

; Values that live across a barrier lie in the order of x: as many accesses as are saved would be lost.
; CHECK-LABEL: define dso_local void @kept
; CHECK: label %region.0.items, label %region.0.items.end.y
define void @kept(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) !kernel_arg_addr_space !0 {
  %x = call i64 @_Z12get_local_idj(i32 0)
  %y = call i64 @_Z12get_local_idj(i32 1)
  %a = mul i64 %x, %n
  %b = add i64 %a, %y
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %b
  %v = load i8, ptr addrspace(1) %p
  call void @_Z7barrierj(i32 1)
  %c = mul i64 %y, %n
  %d = add i64 %c, %x
  %q = getelementptr i8, ptr addrspace(1) %out, i64 %d
  store i8 %v, ptr addrspace(1) %q
  ret void
}

; Where all regions have the same order, these values have it too.
; CHECK-LABEL: define dso_local void @kept_in_order
; LONG: region.0.items.y:
; LONG: %place = add nuw i64 %{{.*}}, %local.id.y
; LONG: getelementptr {{.*}} ptr %slot.0, i64 %place
; LONG: label %region.0.items.y, label %region.0.items.end.x
; LONG: region.1.items:
; LONG: mul nuw i64 %local.id.x{{.*}}, %local.size.y
; LONG: region.1.items.y:
; LONG: %[[PLACE:place.*]] = add nuw i64 %{{.*}}, %local.id.y
; LONG: getelementptr {{.*}} ptr %slot.0, i64 %[[PLACE]]
; AS_IT_WAS: getelementptr {{.*}} ptr %slot.0, i64 %local.linear
; AS_IT_WAS: label %region.0.items, label %region.0.items.end.y
define void @kept_in_order(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) !kernel_arg_addr_space !0 {
  %x = call i64 @_Z12get_local_idj(i32 0)
  %y = call i64 @_Z12get_local_idj(i32 1)
  %a = mul i64 %x, %n
  %b = add i64 %a, %y
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %b
  %v = load i8, ptr addrspace(1) %p
  call void @_Z7barrierj(i32 1)
  %q = getelementptr i8, ptr addrspace(1) %out, i64 %b
  store i8 %v, ptr addrspace(1) %q
  ret void
}

; Some work-items return before the barrier: who is left is noted in the order of x.
; CHECK-LABEL: define dso_local void @returned
; CHECK: getelementptr {{.*}} ptr %slot.0, i64 %local.linear
; CHECK: label %region.1.items, label %region.1.items.end.y
define void @returned(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) !kernel_arg_addr_space !0 {
  %x = call i64 @_Z12get_local_idj(i32 0)
  %y = call i64 @_Z12get_local_idj(i32 1)
  %a = mul i64 %x, %n
  %b = add i64 %a, %y
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %b
  %v = load i8, ptr addrspace(1) %p
  %none = icmp eq i8 %v, 0
  br i1 %none, label %done, label %go
go:
  call void @_Z7barrierj(i32 1)
  %q = getelementptr i8, ptr addrspace(1) %out, i64 %b
  store i8 %v, ptr addrspace(1) %q
  br label %done
done:
  ret void
}

; What an atomic returns keeps its order; a counter whose value nobody asks for does not matter.
; CHECK-LABEL: define dso_local void @numbered
; CHECK: label %region.0.items, label %region.0.items.end.y
; LONG: label %region.1.items.y, label %region.1.items.end.x
define void @numbered(ptr addrspace(1) %out, ptr addrspace(1) %counter, i64 %n) !kernel_arg_addr_space !0 {
  %x = call i64 @_Z12get_local_idj(i32 0)
  %y = call i64 @_Z12get_local_idj(i32 1)
  %a = mul i64 %x, %n
  %b = add i64 %a, %y
  %q = getelementptr i8, ptr addrspace(1) %out, i64 %b
  %r = atomicrmw add ptr addrspace(1) %counter, i8 1 monotonic
  store i8 %r, ptr addrspace(1) %q
  call void @_Z7barrierj(i32 1)
  %t = atomicrmw add ptr addrspace(1) %q, i8 1 monotonic
  store i8 1, ptr addrspace(1) %q
  ret void
}

; Lines of printf keep their order.
; CHECK-LABEL: define dso_local void @prints
; CHECK: label %region.0.items, label %region.0.items.end.y
@text = internal addrspace(2) constant [3 x i8] c"a\0A\00"
define void @prints(ptr addrspace(1) %out, i64 %n) !kernel_arg_addr_space !1 {
  %x = call i64 @_Z12get_local_idj(i32 0)
  %y = call i64 @_Z12get_local_idj(i32 1)
  %a = mul i64 %x, %n
  %b = add i64 %a, %y
  %q = getelementptr i8, ptr addrspace(1) %out, i64 %b
  store i8 1, ptr addrspace(1) %q
  %r = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @text)
  ret void
}
!0 = !{i32 1, i32 1, i32 0}
!1 = !{i32 1, i32 0}
