; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; --without leaves steps out of the pipeline, and --print-changes names what has changed the kernel.
; RUN: %opt --passes=kernel --print-changes --emit=none %s 2>&1 | %filecheck %s
; RUN: %opt --passes=kernel --print-changes --emit=none --without=vectorise,describe-queries %s 2>&1 | \
; RUN:   %filecheck %s --check-prefix=WITHOUT
; CHECK: {{^}}changed: describe-queries
; CHECK: {{^}}changed: lower-work-groups
; CHECK: {{^}}changed: vectorise
; CHECK: {{^}}changed: masked_tail
; WITHOUT-NOT: changed: describe-queries
; WITHOUT: {{^}}changed: lower-work-groups
; WITHOUT-NOT: changed: vectorise
; WITHOUT-NOT: changed: masked_tail
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @double(ptr addrspace(1) %x) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %x, i64 %id
  %v = load float, ptr addrspace(1) %p, align 4
  %d = fadd float %v, %v
  store float %d, ptr addrspace(1) %p, align 4
  ret void
}
!0 = !{i32 1}
!1 = !{!"none"}
!2 = !{!"float*"}
!3 = !{!""}
