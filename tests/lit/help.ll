; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %opt --help | %filecheck %s
; The help shows the tool's own options, not the hundreds that LLVM registers.
; CHECK: Options of lanewise-opt
; CHECK: --passes=
; CHECK-NOT: --x86-asm-syntax
