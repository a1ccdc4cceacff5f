; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Code for AArch64, which the tools make on any machine: the same passes, with registers of 128 bits, fused operations and
; conversions of half.
; RUN: %opt --passes=kernel --isa=armv8-a --emit=asm %s | %filecheck %s
; RUN: %opt --passes=kernel --isa=armv8-a --emit=code-object %s | %filecheck %s --check-prefix=OBJECT
; OBJECT: fused.range{{.*}}_DYNAMIC
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
declare float @llvm.fma.f32(float, float, float)

; CHECK-LABEL: fused.range
; CHECK: fcvtl v{{[0-9]+}}.4s, v{{[0-9]+}}.4h
; CHECK: fmla v{{[0-9]+}}.4s, v{{[0-9]+}}.4s, v{{[0-9]+}}.4s
define spir_kernel void @fused(ptr addrspace(1) %x, ptr addrspace(1) %y) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr float, ptr addrspace(1) %x, i64 %id
  %py = getelementptr half, ptr addrspace(1) %y, i64 %id
  %vx = load float, ptr addrspace(1) %px, align 4
  %vy = load half, ptr addrspace(1) %py, align 2
  %wy = fpext half %vy to float
  %d = call float @llvm.fma.f32(float %vx, float %wy, float %wy)
  store float %d, ptr addrspace(1) %px, align 4
  ret void
}
!0 = !{i32 1, i32 1}
!1 = !{!"none", !"none"}
!2 = !{!"float*", !"half*"}
!3 = !{!"", !""}
