; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Debug mode: work-items compare where they stopped.
; RUN: %opt --debug-barriers %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @_Z12get_local_idj(i32)
declare void @_Z7barrierj(i32)

; CHECK: @barrier.sites = private constant [3 x ptr] [ptr null, ptr @barrier.site, ptr @barrier.site.1]
; CHECK: region.0.stop.1.divergent:
; CHECK: call i32 @llvm.umax.i32
; CHECK: call void %{{.*}}(ptr %worker, i64 %group.linear, ptr
define void @k() !kernel_arg_addr_space !0 {
  %l = call i64 @_Z12get_local_idj(i32 0)
  %c = icmp eq i64 %l, 0
  br i1 %c, label %a, label %b
a:
  call void @_Z7barrierj(i32 1)
  ret void
b:
  call void @_Z7barrierj(i32 1)
  ret void
}
!0 = !{}
