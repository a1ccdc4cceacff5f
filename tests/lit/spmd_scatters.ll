; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes that store to addresses of their own: a scatter where the processor has it and its gathers are fast. Store by store
; elsewhere, and at a known distance, where later passes put stores together, unless under a mask.
; RUN: %opt --passes=vectorise --width=8 --isa=x86-64-v4+fast-gather %s | %filecheck %s --check-prefixes=CHECK,FAST
; RUN: %opt --passes=vectorise --width=8 --isa=x86-64-v3+fast-gather %s | %filecheck %s --check-prefix=SLOW
; RUN: %opt --passes=vectorise --width=8 --isa=x86-64-v4 %s | %filecheck %s --check-prefix=SLOW
; SLOW-NOT: @llvm.masked.scatter
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @elsewhere(
; CHECK: items.vector:
; FAST: call void @llvm.masked.scatter{{.*}} splat (i1 true)
; CHECK: items.rest:
; FAST: call void @llvm.masked.scatter{{.*}} <8 x i1> %live
define void @elsewhere(ptr %a, ptr %index, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %q = getelementptr i32, ptr %index, i64 %id
  %i = load i32, ptr %q
  %e = sext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %e
  %s = sitofp i32 %i to float
  store float %s, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; CHECK-LABEL: define void @strided(
; CHECK: items.vector:
; CHECK-NOT: @llvm.masked.scatter
; CHECK: items.rest:
; FAST: call void @llvm.masked.scatter{{.*}} <8 x i1> %live
define void @strided(ptr %a, ptr %index, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %q = getelementptr i32, ptr %index, i64 %id
  %i = load i32, ptr %q
  %e = mul nuw nsw i64 %id, 3
  %p = getelementptr float, ptr %a, i64 %e
  %s = sitofp i32 %i to float
  store float %s, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
