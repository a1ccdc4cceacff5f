; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Work-items beyond a border leave a value that lives across barriers in its place. All store it where memory decides which
; work-items change it, where the others change it too, or do something else.
; RUN: %opt %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @_Z13get_global_idj(i32)
declare void @_Z7barrierj(i32)

; CHECK-LABEL: {{^}}define {{.*}}void @border(
; CHECK: region.1.items:
; CHECK: %v{{.*}} = load float, ptr %{{.*}}, align 4
; CHECK: br i1 %c{{.*}}, label %region.1.work, label %region.1.join
; CHECK: region.1.join.changed:
; CHECK: store float %sum{{.*}}, ptr %{{.*}}, align 4
; CHECK-NEXT: br label %region.1.join
; CHECK: region.1.join:
; CHECK-NEXT: br label %region.1.stop.2
; CHECK: region.1.stop.2:
; CHECK-NOT: store
; CHECK: region.1.items.end:
define void @border(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %n) !kernel_arg_addr_space !0 {
entry:
  %g = call i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %x, i64 %g
  %q = getelementptr float, ptr addrspace(1) %y, i64 %g
  %v = load float, ptr addrspace(1) %p
  call void @_Z7barrierj(i32 1)
  %c = icmp ult i64 %g, %n
  br i1 %c, label %work, label %join
work:
  %w = load float, ptr addrspace(1) %q
  %sum = fadd float %v, %w
  br label %join
join:
  %r = phi float [ %v, %entry ], [ %sum, %work ]
  call void @_Z7barrierj(i32 1)
  store float %r, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: {{^}}define {{.*}}void @memory_decides(
; CHECK-NOT: changed
; CHECK: region.1.stop.2:
; CHECK: store float
; CHECK: ret void
define void @memory_decides(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %n) !kernel_arg_addr_space !0 {
entry:
  %g = call i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %x, i64 %g
  %q = getelementptr float, ptr addrspace(1) %y, i64 %g
  %v = load float, ptr addrspace(1) %p
  call void @_Z7barrierj(i32 1)
  %f = load float, ptr addrspace(1) %q
  %c = fcmp ogt float %f, 0.0
  br i1 %c, label %work, label %join
work:
  %w = load float, ptr addrspace(1) %q
  %sum = fadd float %v, %w
  br label %join
join:
  %r = phi float [ %v, %entry ], [ %sum, %work ]
  call void @_Z7barrierj(i32 1)
  store float %r, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: {{^}}define {{.*}}void @zero(
; CHECK-NOT: changed
; CHECK: region.1.stop.2:
; CHECK: store float
; CHECK: ret void
define void @zero(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %n) !kernel_arg_addr_space !0 {
entry:
  %g = call i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %x, i64 %g
  %q = getelementptr float, ptr addrspace(1) %y, i64 %g
  %v = load float, ptr addrspace(1) %p
  call void @_Z7barrierj(i32 1)
  %c = icmp ult i64 %g, %n
  br i1 %c, label %work, label %join
work:
  %w = load float, ptr addrspace(1) %q
  %sum = fadd float %v, %w
  br label %join
join:
  %r = phi float [ 0.0, %entry ], [ %sum, %work ]
  call void @_Z7barrierj(i32 1)
  store float %r, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: {{^}}define {{.*}}void @does_something(
; CHECK-NOT: changed
; CHECK: region.1.stop.2:
; CHECK: store float
; CHECK: ret void
define void @does_something(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %n) !kernel_arg_addr_space !0 {
entry:
  %g = call i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %x, i64 %g
  %q = getelementptr float, ptr addrspace(1) %y, i64 %g
  %v = load float, ptr addrspace(1) %p
  call void @_Z7barrierj(i32 1)
  %c = icmp ult i64 %g, %n
  br i1 %c, label %work, label %other
other:
  store float 0.0, ptr addrspace(1) %q
  br label %join
work:
  %w = load float, ptr addrspace(1) %q
  %sum = fadd float %v, %w
  br label %join
join:
  %r = phi float [ %v, %other ], [ %sum, %work ]
  call void @_Z7barrierj(i32 1)
  store float %r, ptr addrspace(1) %p
  ret void
}
!0 = !{i32 1, i32 1, i32 0}
