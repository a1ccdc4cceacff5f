; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The library's clocks wait for loads, by an instruction that each architecture's library has.
; RUN: %opt --passes=link-builtins --isa=armv8-a %s | %filecheck %s
; RUN: %opt --passes=link-builtins --isa=x86-64-v3 %s | %filecheck %s --check-prefix=OTHER
target triple = "spir64"
declare spir_func i64 @_Z17clock_read_devicev()

; CHECK-LABEL: define internal i64 @_Z17clock_read_devicev()
; CHECK-NEXT: {{.*}}call void @llvm.aarch64.isb(i32 noundef 15)
; CHECK-NEXT: {{.*}}call i64 @llvm.readcyclecounter()
; OTHER-LABEL: define internal i64 @_Z17clock_read_devicev()
; OTHER-NEXT: {{.*}}call void @llvm.x86.sse2.lfence()
; OTHER-NEXT: {{.*}}call i64 @llvm.readcyclecounter()
define spir_kernel void @clock(ptr addrspace(1) %x) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
  %t = call spir_func i64 @_Z17clock_read_devicev()
  store i64 %t, ptr addrspace(1) %x, align 8
  ret void
}
!0 = !{i32 1}
!1 = !{!"none"}
!2 = !{!"ulong*"}
!3 = !{!""}
