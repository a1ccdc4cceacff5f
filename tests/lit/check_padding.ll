; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %opt --passes=check-accesses --checks=2 %s | %filecheck %s
; Components of a stored vector that have no value become 0, so that work-items which write one vector write the same.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @three(
; CHECK: %[[ZERO:.*]] = insertelement <4 x i8> %v, i8 0, i64 3
; CHECK: store <4 x i8> %[[ZERO]], ptr addrspace(1) %p
define void @three(ptr addrspace(1) %p, <3 x i8> %x) !kernel_arg_addr_space !0 {
  %v = shufflevector <3 x i8> %x, <3 x i8> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x i8> %v, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @steps(
; CHECK: %[[ONE:.*]] = insertelement <4 x float> %b, float 0.000000e+00, i64 1
; CHECK: %[[ZERO:.*]] = insertelement <4 x float> %[[ONE]], float 0.000000e+00, i64 3
; CHECK: store <4 x float> %[[ZERO]], ptr addrspace(1) %p
define void @steps(ptr addrspace(1) %p, float %x) !kernel_arg_addr_space !0 {
  %a = insertelement <4 x float> poison, float %x, i64 0
  %b = insertelement <4 x float> %a, float %x, i64 2
  store <4 x float> %b, ptr addrspace(1) %p
  ret void
}

; All components have values, or may have them.
; CHECK-LABEL: define void @four(
; CHECK-NOT: insertelement
; CHECK: store <4 x i8> %v, ptr addrspace(1) %p
define void @four(ptr addrspace(1) %p, <3 x i8> %x) !kernel_arg_addr_space !0 {
  %v = shufflevector <3 x i8> %x, <3 x i8> zeroinitializer, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x i8> %v, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @somewhere(
; CHECK: store <4 x float> %v, ptr addrspace(1) %p
define void @somewhere(ptr addrspace(1) %p, float %x, i64 %i) !kernel_arg_addr_space !0 {
  %v = insertelement <4 x float> poison, float %x, i64 %i
  store <4 x float> %v, ptr addrspace(1) %p
  ret void
}

!0 = !{i32 1, i32 0, i32 0}
