; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Scalable vectors of one length are vectors of LLVM's fixed types: operations take whole registers, and one instruction
; gathers. With 128 bits code is that of the level without them.
; RUN: %opt --passes=kernel --isa=armv9-a-sve256 --emit=asm %s | %filecheck %s
; RUN: %opt --passes=kernel --isa=armv8.2-a-sve256 --emit=asm %s | %filecheck %s
; RUN: %opt --passes=kernel --isa=armv9-a-sve128 --emit=asm %s | %filecheck %s --check-prefix=SHORT
; RUN: %opt --passes=retarget --isa=armv9-a-sve512 %s | %filecheck %s --check-prefix=RANGE
; RANGE: attributes #{{[0-9]+}} = {{.*}}vscale_range(4,4)
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
declare float @llvm.fma.f32(float, float, float)

; CHECK-LABEL: gather.range
; CHECK: ld1w { z{{[0-9]+}}.s }, p{{[0-9]+}}/z, [x{{[0-9]+}}, z{{[0-9]+}}.s, uxtw #2]
; CHECK: {{fmla|fmad}} z{{[0-9]+}}.s, p{{[0-9]+}}/m
; SHORT-LABEL: gather.range
; SHORT-NOT: ld1w
; SHORT: fmla v{{[0-9]+}}.4s
define spir_kernel void @gather(ptr addrspace(1) %x, ptr addrspace(1) %y) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %py = getelementptr i32, ptr addrspace(1) %y, i64 %id
  %n = load i32, ptr addrspace(1) %py, align 4
  %w = zext i32 %n to i64
  %px = getelementptr float, ptr addrspace(1) %x, i64 %w
  %vx = load float, ptr addrspace(1) %px, align 4
  %d = call float @llvm.fma.f32(float %vx, float %vx, float 1.0)
  store float %d, ptr addrspace(1) %py, align 4
  ret void
}
!0 = !{i32 1, i32 1}
!1 = !{!"none", !"none"}
!2 = !{!"float*", !"uint*"}
!3 = !{!"", !""}
