; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A counter that begins at an id and increases by the same step in all work-items: only the common part crosses the
; barrier. An i1 that has to be kept per work-item takes a byte.
; RUN: %opt --emit=none --passes=print-live-values %s | %filecheck %s
; RUN: %opt %s | %filecheck %s --check-prefix=CODE
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @_Z13get_global_idj(i32)
declare void @_Z7barrierj(i32)

; CHECK: ; across 1:
; CHECK-DAG: %i (recompute)
; CHECK-DAG: %i.offset (group)
; CHECK-DAG: %odd (item 0+1)
; CHECK: ; item bytes 1
; CODE: region.1.items:
; CODE: %[[WIDE:i.*]] = add i64 %{{.*}}, %i.offset
; CODE: icmp ne i8
; CODE: getelementptr i32, ptr addrspace(1) %x, i64 %[[WIDE]]
define void @k(ptr addrspace(1) %x, i32 %n, i32 %step) !kernel_arg_addr_space !0 {
entry:
  %g = call i64 @_Z13get_global_idj(i32 0)
  %start = trunc i64 %g to i32
  br label %header
header:
  %z = phi i32 [ 0, %entry ], [ %z.next, %work ]
  %i = phi i32 [ %start, %entry ], [ %next, %work ]
  %c = icmp slt i32 %z, %n
  br i1 %c, label %work, label %exit
work:
  %e0 = sext i32 %i to i64
  %p0 = getelementptr i32, ptr addrspace(1) %x, i64 %e0
  %v = load i32, ptr addrspace(1) %p0
  %odd = trunc i32 %v to i1
  call void @_Z7barrierj(i32 1)
  %value = select i1 %odd, i32 1, i32 %n
  %e = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %e
  store i32 %value, ptr addrspace(1) %p
  %next = add nsw i32 %i, %step
  %z.next = add i32 %z, 1
  br label %header
exit:
  ret void
}
!0 = !{i32 1, i32 0, i32 0}
