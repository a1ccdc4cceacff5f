; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where a generic pointer points is found by comparing its address with the areas of local and private memory, without
; any comparison where the code shows it. Kernels that use no scratch have no comparison with scratch.
; RUN: %opt --emit=none --passes=print-work-items %s | %filecheck %s --check-prefix=ITEM
; RUN: %opt --passes=lower-work-groups %s | %filecheck %s --check-prefix=RANGE
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare ptr addrspace(1) @__to_global(ptr addrspace(4))
declare ptr addrspace(3) @__to_local(ptr addrspace(4))
declare ptr @__to_private(ptr addrspace(4))
declare i32 @_Z9get_fencePU3AS4Kv(ptr addrspace(4))

; ITEM-LABEL: define internal void @unknown.item(
; ITEM: %[[A:.*]] = ptrtoint ptr addrspace(4) %p to i64
; ITEM: %[[D:.*]] = sub i64 %[[A]], %local.begin
; ITEM: %[[L:.*]] = icmp ult i64 %[[D]], %local.bytes
; ITEM: select i1 %[[L]], i32 1, i32 2
; ITEM: icmp ult i64 %{{.*}}, %stack.bytes
; ITEM: select i1 %is.private, ptr %{{.*}}, ptr null
; ITEM-NOT: call
; RANGE-LABEL: define dso_local void @unknown(
; RANGE: %local.bytes = load i64, ptr %{{.*}}, align 8, !invariant.load
; RANGE-NOT: scratch.bytes = load
; RANGE: call ptr @llvm.frameaddress.p0(i32 0)
; RANGE: call ptr @llvm.stacksave.p0()
; RANGE: ret void
define void @unknown(ptr addrspace(1) %out, ptr addrspace(1) %pointers) !kernel_arg_addr_space !0 {
  %p = load ptr addrspace(4), ptr addrspace(1) %pointers
  %f = call i32 @_Z9get_fencePU3AS4Kv(ptr addrspace(4) %p)
  store i32 %f, ptr addrspace(1) %out
  %private = call ptr @__to_private(ptr addrspace(4) %p)
  store ptr %private, ptr addrspace(1) %out
  ret void
}

; ITEM-LABEL: define internal void @known.item(
; ITEM-NOT: icmp
; ITEM: store i32 1, ptr addrspace(1) %out
; ITEM: select i1 true, ptr addrspace(3) %{{.*}}, ptr addrspace(3) null
; ITEM-NOT: icmp
; ITEM: select i1 false, ptr addrspace(1) %{{.*}}, ptr addrspace(1) null
; RANGE-LABEL: define dso_local void @known(
; RANGE-NOT: stacksave
; RANGE: ret void
define void @known(ptr addrspace(1) %out, ptr addrspace(3) %l) !kernel_arg_addr_space !1 {
  %base = addrspacecast ptr addrspace(3) %l to ptr addrspace(4)
  %f = call i32 @_Z9get_fencePU3AS4Kv(ptr addrspace(4) %base)
  store i32 %f, ptr addrspace(1) %out
  %local = call ptr addrspace(3) @__to_local(ptr addrspace(4) %base)
  store ptr addrspace(3) %local, ptr addrspace(1) %out
  %p = getelementptr i32, ptr addrspace(4) %base, i64 1
  %global = call ptr addrspace(1) @__to_global(ptr addrspace(4) %p)
  store ptr addrspace(1) %global, ptr addrspace(1) %out
  ret void
}
!0 = !{i32 1, i32 1}
!1 = !{i32 1, i32 3}
