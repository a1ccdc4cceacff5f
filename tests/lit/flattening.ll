; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %opt --emit=none --passes=print-flattening %s | %filecheck %s
; CHECK: plain: no
; CHECK: queries: yes
; CHECK: indirectly: yes
; CHECK: names_local: yes
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@v = internal addrspace(3) global i32 undef
declare i64 @_Z13get_global_idj(i32)
declare float @_Z3expf(float)
define float @plain(float %x) {
  %y = call float @_Z3expf(float %x)
  ret float %y
}
define i64 @queries() {
  %y = call i64 @_Z13get_global_idj(i32 0)
  ret i64 %y
}
define i64 @indirectly() {
  %y = call i64 @queries()
  ret i64 %y
}
define ptr addrspace(3) @names_local() {
  ret ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @v, i64 2)
}
