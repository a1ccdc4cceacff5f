; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Fields of a struct by value are values in front of all loops, once each; a place that is not known stays in the copy.
; RUN: %opt --passes=lower-work-groups %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%S = type { i32, i32, [4 x i32] }

; CHECK-LABEL: define {{.*}}void @fields(
; CHECK: %s = alloca
; CHECK: call void @llvm.memcpy{{.*}}(ptr {{.*}}%s, ptr
; CHECK: %[[AT:.*]] = getelementptr inbounds i8, ptr %s, i64 4
; CHECK: %s.field = load i32, ptr %[[AT]], align 4
; CHECK: items:
; CHECK-NOT: load i32, ptr %s
; CHECK: add i32 %s.field, %s.field
; CHECK: load i32, ptr %{{.*}}
; CHECK: store i32
define void @fields(ptr byval(%S) align 4 %s, ptr addrspace(1) %x, i64 %k) !kernel_arg_addr_space !0 {
  %p = getelementptr %S, ptr %s, i32 0, i32 1
  %v = load i32, ptr %p
  %q = getelementptr i8, ptr %s, i64 4
  %w = load i32, ptr %q
  %sum = add i32 %v, %w
  %r = getelementptr %S, ptr %s, i64 0, i32 2, i64 %k
  %any = load i32, ptr %r
  %all = add i32 %sum, %any
  %id = call i64 @_Z13get_global_idj(i32 0)
  %to = getelementptr i32, ptr addrspace(1) %x, i64 %id
  store i32 %all, ptr addrspace(1) %to
  ret void
}

declare i64 @_Z13get_global_idj(i32)
!0 = !{i32 0, i32 1, i32 0}
