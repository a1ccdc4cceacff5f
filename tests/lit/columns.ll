; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Groups that are known to be one work-item wide: the innermost loop, which the vectoriser takes, runs over y or z.
; RUN: %opt --reqd-size=1,16,2 --plain-launches %s | %filecheck %s
; RUN: %opt --reqd-size=1,1,32 --plain-launches %s | %filecheck %s --check-prefix=DEEP
; RUN: %opt --reqd-size=16,1,1 --plain-launches %s | %filecheck %s --check-prefix=ROW
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @_Z12get_local_idj(i32)
declare i64 @_Z13get_global_idj(i32)
declare i64 @_Z19get_local_linear_idv()

; CHECK: %group.base.y = add {{.*}}, !lanewise.base
; CHECK: region.0.items.z:
; CHECK: %row = mul nuw i64 %local.id.z, 16
; CHECK: region.0.items.y:
; CHECK: %local.linear = add nuw i64 %row, %local.id.y
; CHECK: store i64 0, ptr addrspace(1) %x
; CHECK: store i64 %global.id, ptr addrspace(1) %x
; CHECK: store i64 %local.linear, ptr addrspace(1) %x
; CHECK: br i1 {{.*}}, label %region.0.items.y, label %region.0.items.end.z, !llvm.loop ![[inner:[0-9]+]]
; CHECK: br i1 {{.*}}, label %region.0.items.z, label %region.0.end
; CHECK: ![[inner]] = distinct !{![[inner]], ![[mark:[0-9]+]]
; CHECK: ![[mark]] = !{!"lanewise.items"}

; DEEP-NOT: items.y
; DEEP: br i1 {{.*}}, label %region.0.items.z, label %region.0.end, !llvm.loop

; ROW: %group.base.x = add {{.*}}, !lanewise.base
; ROW: %local.linear = add nuw i64 %row, %local.id.x
define void @k(ptr addrspace(1) %x) !kernel_arg_addr_space !0 {
  %a = call i64 @_Z12get_local_idj(i32 0)
  store i64 %a, ptr addrspace(1) %x
  %b = call i64 @_Z13get_global_idj(i32 1)
  store i64 %b, ptr addrspace(1) %x
  %c = call i64 @_Z19get_local_linear_idv()
  store i64 %c, ptr addrspace(1) %x
  ret void
}
!0 = !{i32 1}
