; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The library's clocks wait for loads by an instruction of x86-64; AArch64 has another for that.
; RUN: %opt --passes=lower-machine-operations --isa=armv8-a %s | %filecheck %s
; RUN: %opt --passes=lower-machine-operations --isa=x86-64-v3 %s | %filecheck %s --check-prefix=OTHER

; CHECK-LABEL: define i64 @clock(
; CHECK-NEXT: call void @llvm.aarch64.isb(i32 15)
; CHECK-NEXT: %t = call i64 @llvm.readcyclecounter()
; OTHER: call void @llvm.x86.sse2.lfence()
define i64 @clock() {
  call void @llvm.x86.sse2.lfence()
  %t = call i64 @llvm.readcyclecounter()
  ret i64 %t
}
declare void @llvm.x86.sse2.lfence()
declare i64 @llvm.readcyclecounter()
