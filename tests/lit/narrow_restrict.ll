; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A barrier may change what a restrict pointer points to. Other pointers still point elsewhere.
; RUN: %opt --passes=narrow-restrict %s | %filecheck %s
; RUN: %opt --passes=narrow-restrict,inline-marked %s | %filecheck --check-prefix=LOADS %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare spir_func void @_Z7barrierj(i32) convergent nounwind

; CHECK: define spir_kernel void @k(ptr addrspace(1) "lanewise-restrict" %p, ptr addrspace(1) "lanewise-restrict" %out)
; LOADS-LABEL: define spir_kernel void @k(
; LOADS: call spir_func void @_Z7barrierj
; LOADS: %after = load i32, ptr addrspace(1) %p
; LOADS-NEXT: store i32 1, ptr addrspace(1) %out
; LOADS-NOT: load
; LOADS: ret void
define spir_kernel void @k(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %out) {
  store i32 7, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 2)
  %after = load i32, ptr addrspace(1) %p
  store i32 1, ptr addrspace(1) %out
  %again = load i32, ptr addrspace(1) %p
  %sum = add i32 %after, %again
  %q = getelementptr i32, ptr addrspace(1) %out, i64 1
  store i32 %sum, ptr addrspace(1) %q
  ret void
}

; A call says it too where the program was SPIR-V.
; CHECK: define spir_kernel void @caller(
; CHECK: call spir_func void @callee(ptr addrspace(1) %p)
define spir_kernel void @caller(ptr addrspace(1) %p) {
  call spir_func void @callee(ptr addrspace(1) noalias %p)
  ret void
}
declare spir_func void @callee(ptr addrspace(1))
