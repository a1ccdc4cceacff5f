; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where groups of any size meet at a barrier, a row may have fewer work-items than lanes: few run one by one, more as one
; vector under a mask. Groups of a known size, and rows that neighbouring groups share, need no choice.
; RUN: %opt --passes=lower-work-groups,vectorise --isa=x86-64-v4 %s | %filecheck %s
; RUN: %opt --passes=lower-work-groups,vectorise --isa=x86-64-v4 --reqd-size=24,1,1 %s | %filecheck %s --check-prefix=KNOWN
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @_Z12get_local_idj(i32)
declare i64 @_Z13get_global_idj(i32)
declare void @_Z7barrierj(i32)

@tile = internal addrspace(3) global [1024 x float] undef, align 16

; CHECK: vectorise: rows region.0.items: width 16, masked tail unless it is short
; CHECK-LABEL: define dso_local void @rows
; CHECK: region.0.items.vector.end:
; CHECK: region.0.items.tail:
; CHECK: %tail.begin = phi i64 [ 0, %{{.*}} ], [ %{{.*}}, %region.0.items.vector.end ]
; CHECK: %[[LEFT:.*]] = sub nuw i64 %{{.*}}, %tail.begin
; CHECK: %[[MANY:.*]] = icmp uge i64 %[[LEFT]], {{[2-8]$}}
; CHECK: br i1 %[[MANY]], label %region.0.items.rest, label %region.0.items
; CHECK: region.0.items.rest:
; CHECK: icmp ult <16 x i32>
; CHECK: region.0.items:
; CHECK: %local.id.x = phi i64 [ %tail.begin, %region.0.items.tail ]
; KNOWN: vectorise: rows region.0.items: width 16, masked tail{{$}}
; KNOWN-NOT: tail.begin
define void @rows(ptr addrspace(1) %x, ptr addrspace(1) %y) !kernel_arg_addr_space !0 {
  %g = call i64 @_Z13get_global_idj(i32 0)
  %l = call i64 @_Z12get_local_idj(i32 0)
  %at = mul i64 %g, 5
  %p = getelementptr float, ptr addrspace(1) %x, i64 %at
  %v = load float, ptr addrspace(1) %p
  %a = fmul float %v, %v
  %b = fadd float %a, 1.0
  %c = fdiv float %b, %v
  %t = getelementptr [1024 x float], ptr addrspace(3) @tile, i64 0, i64 %l
  store float %c, ptr addrspace(3) %t
  call void @_Z7barrierj(i32 1)
  %first = load float, ptr addrspace(3) @tile
  %q = getelementptr float, ptr addrspace(1) %y, i64 %g
  store float %first, ptr addrspace(1) %q
  ret void
}
!0 = !{i32 1, i32 1}
