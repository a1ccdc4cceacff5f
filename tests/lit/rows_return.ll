; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where the work-items of a row return together, the "alive" byte is asked once for the row, in front of its loop. A test
; that x takes part in is asked for each work-item, and so is one of y where groups are known to be columns: then y is the
; innermost loop.
; RUN: %opt %s | %filecheck %s
; RUN: %opt --reqd-size=1,16,1 %s | %filecheck %s --check-prefix=COLUMN
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @_Z13get_global_idj(i32)
declare i64 @_Z12get_local_idj(i32)
declare void @_Z7barrierj(i32)

; CHECK-LABEL: define {{.*}}@by_row(
; CHECK: region.1.items.y:
; CHECK: %[[FIRST:row.*]] = mul nuw i64
; CHECK: getelementptr {{.*}} i64 %[[FIRST]]
; CHECK: %alive = icmp ne i8
; CHECK: br i1 %alive, label %region.1.items.row, label %region.1.items.end.y
; CHECK: region.1.items.row:
; CHECK-NEXT: br label %region.1.items
; CHECK: region.1.items:
; CHECK-NOT: br i1 %alive
; COLUMN-LABEL: define {{.*}}@by_row(
; COLUMN: region.1.items.y:
; COLUMN: br i1 %alive, label %region.1.alive, label %region.1.items.end
define void @by_row(ptr addrspace(1) %x, i64 %n) !kernel_arg_addr_space !0 {
  %y = call i64 @_Z13get_global_idj(i32 1)
  %out = icmp uge i64 %y, %n
  br i1 %out, label %exit, label %work
work:
  call void @_Z7barrierj(i32 1)
  %id = call i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i8, ptr addrspace(1) %x, i64 %id
  store i8 1, ptr addrspace(1) %p
  br label %exit
exit:
  ret void
}

; CHECK-LABEL: define {{.*}}@by_both(
; CHECK-NOT: items.row
; CHECK: br i1 %alive, label %region.1.alive, label %region.1.items.end
define void @by_both(ptr addrspace(1) %x, i64 %n) !kernel_arg_addr_space !0 {
  %y = call i64 @_Z13get_global_idj(i32 1)
  %id = call i64 @_Z13get_global_idj(i32 0)
  %sum = add i64 %y, %id
  %out = icmp uge i64 %sum, %n
  br i1 %out, label %exit, label %work
work:
  call void @_Z7barrierj(i32 1)
  %p = getelementptr i8, ptr addrspace(1) %x, i64 %id
  store i8 1, ptr addrspace(1) %p
  br label %exit
exit:
  ret void
}

; One of two tests is of x.
; CHECK-LABEL: define {{.*}}@by_one_and_the_other(
; CHECK-NOT: items.row
; CHECK: br i1 %alive, label %region.1.alive, label %region.1.items.end
define void @by_one_and_the_other(ptr addrspace(1) %x, i64 %n) !kernel_arg_addr_space !0 {
  %y = call i64 @_Z13get_global_idj(i32 1)
  %id = call i64 @_Z13get_global_idj(i32 0)
  %below = icmp uge i64 %y, %n
  br i1 %below, label %exit, label %beside
beside:
  %right = icmp uge i64 %id, %n
  br i1 %right, label %exit, label %work
work:
  call void @_Z7barrierj(i32 1)
  %p = getelementptr i8, ptr addrspace(1) %x, i64 %id
  store i8 1, ptr addrspace(1) %p
  br label %exit
exit:
  ret void
}
!0 = !{i32 1, i32 0}
