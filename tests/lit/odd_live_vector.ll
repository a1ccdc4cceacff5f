; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A vector of truth values that lives across a barrier is kept as one of bytes, whose elements have addresses.
; RUN: %opt %s | %filecheck %s
; RUN: %opt --passes=lower-work-groups,vectorise --width=4 --emit=none %s
; CHECK: %[[WIDE:.*]] = zext <2 x i1> %{{.*}} to <2 x i8>
; CHECK: store <2 x i8> %[[WIDE]], {{.*}}, align 2
; CHECK: %[[BACK:.*]] = load <2 x i8>
; CHECK: icmp ne <2 x i8> %[[BACK]], zeroinitializer
; CHECK-NOT: store <2 x i1>
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @k(ptr addrspace(1) %x) !kernel_arg_addr_space !0 {
  %id = call i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr <2 x half>, ptr addrspace(1) %x, i64 %id
  %v = load <2 x half>, ptr addrspace(1) %p, align 2
  %c = fcmp ogt <2 x half> %v, zeroinitializer
  call void @_Z7barrierj(i32 1)
  %r = select <2 x i1> %c, <2 x half> splat (half 0xH3C00), <2 x half> zeroinitializer
  store <2 x half> %r, ptr addrspace(1) %p, align 2
  ret void
}
declare i64 @_Z13get_global_idj(i32)
declare void @_Z7barrierj(i32)
!0 = !{i32 1}
