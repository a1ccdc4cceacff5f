; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %opt --passes=check-arithmetic --checks=16 %s | %filecheck %s
; RUN: %opt --passes=check-arithmetic --checks=32 %s | %filecheck --check-prefix=OVERFLOW %s
; Operations without a defined result are reported and stay as they are.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK: @check.place = {{.*}}division by zero
; CHECK-LABEL: define i32 @divides(
; CHECK: %[[BAD:.*]] = icmp eq i32 %y, 0
; CHECK: %[[FROZEN:.*]] = freeze i1 %[[BAD]]
; CHECK: br i1 %[[FROZEN]], label %[[FAULT:.*]], label %{{.*}}, !prof !{{.*}}, !lanewise.check
; CHECK: [[FAULT]]:
; CHECK: call i64 @__lw_check(
; CHECK: %q = udiv i32 %x, %y
define i32 @divides(i32 %x, i32 %y) {
  %q = udiv i32 %x, %y
  ret i32 %q
}

; CHECK-LABEL: define i32 @by_constants(
; CHECK-NOT: br
define i32 @by_constants(i32 %x) {
  %q = udiv i32 %x, 3
  %s = shl i32 %q, 5
  ret i32 %s
}

; CHECK-LABEL: define i32 @shifts(
; CHECK: icmp ugt i32 %y, 31
; CHECK: %s = shl i32 %x, %m
define i32 @shifts(i32 %x, i32 %y) {
  %m = and i32 %y, 31
  %s = shl i32 %x, %m
  ret i32 %s
}

; CHECK-LABEL: define i32 @converts(
; CHECK: fcmp oge float %x, 0xC1E0000000000000
; CHECK: fcmp olt float %x, 0x41E0000000000000
; CHECK: fptosi
define i32 @converts(float %x) {
  %i = fptosi float %x to i32
  ret i32 %i
}

; NaN where the code says that there is none; the operands are numbers.
; CHECK-LABEL: define float @numbers(
; CHECK: %q = fdiv ninf float %x, %y
; CHECK: %[[NAN:.*]] = fcmp uno float %q, %q
; CHECK: %[[X:.*]] = fcmp ord float %x, %x
; CHECK: %[[BAD:.*]] = and i1 %[[NAN]], %[[X]]
; CHECK: %[[Y:.*]] = fcmp ord float %y, %y
; CHECK: and i1 %[[BAD]], %[[Y]]
define float @numbers(float %x, float %y) {
  %q = fdiv nnan ninf float %x, %y
  ret float %q
}

; Numbers that wrap are tested with `overflow` alone.
; CHECK-LABEL: define i32 @wraps(
; CHECK-NEXT: add nsw i32 %x, 1
; OVERFLOW-LABEL: define i32 @wraps(
; OVERFLOW: %[[SUM:.*]] = add i32 %x, 1
; OVERFLOW: icmp slt i32 %{{.*}}, 0
; OVERFLOW: %s = add i32 %x, 1
define i32 @wraps(i32 %x) {
  %s = add nsw i32 %x, 1
  ret i32 %s
}
