; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Three operations and more on three operands are one vpternlog. Not two, which the code generator merges, not where a part is
; used elsewhere, with constants, for four operands, or other widths than those of registers.
; RUN: %opt --passes=merge-ternary-logic --isa=x86-64-v4 %s | %filecheck %s
; RUN: %opt --passes=merge-ternary-logic --isa=x86-64-v3 %s | %filecheck %s --check-prefix=V3
; V3-NOT: pternlog
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define <16 x i32> @majority(
; CHECK-NEXT: %[[R:.*]] = call <16 x i32> @llvm.x86.avx512.pternlog.d.512(<16 x i32> %{{[xyz]}}, <16 x i32> %{{[xyz]}}, <16 x i32> %{{[xyz]}}, i32 232)
; CHECK-NEXT: ret <16 x i32> %[[R]]
define <16 x i32> @majority(<16 x i32> %x, <16 x i32> %y, <16 x i32> %z) {
  %both = and <16 x i32> %x, %y
  %differ = xor <16 x i32> %x, %y
  %rest = and <16 x i32> %z, %differ
  %m = or <16 x i32> %both, %rest
  ret <16 x i32> %m
}

; Negations cost nothing; the table of ~(x & y) | z, with z first, is that of the other order.
; CHECK-LABEL: define <4 x i64> @negated(
; CHECK-NEXT: call <4 x i64> @llvm.x86.avx512.pternlog.q.256(<4 x i64> %z, <4 x i64> %x, <4 x i64> %y, i32 247)
define <4 x i64> @negated(<4 x i64> %x, <4 x i64> %y, <4 x i64> %z) {
  %a = and <4 x i64> %x, %y
  %n = xor <4 x i64> %a, splat (i64 -1)
  %r = or <4 x i64> %n, %z
  ret <4 x i64> %r
}

; CHECK-LABEL: define <16 x i8> @bytes(
; CHECK: bitcast <16 x i8> %{{.*}} to <4 x i32>
; CHECK: call <4 x i32> @llvm.x86.avx512.pternlog.d.128(
; CHECK: bitcast <4 x i32> %{{.*}} to <16 x i8>
define <16 x i8> @bytes(<16 x i8> %x, <16 x i8> %y, <16 x i8> %z) {
  %a = and <16 x i8> %x, %y
  %b = xor <16 x i8> %y, %z
  %r = or <16 x i8> %a, %b
  ret <16 x i8> %r
}

; A tree of four operands has one of three inside.
; CHECK-LABEL: define <16 x i32> @inside(
; CHECK-NEXT: %[[M:.*]] = call <16 x i32> @llvm.x86.avx512.pternlog.d.512(
; CHECK-NEXT: xor <16 x i32> %[[M]], %w
define <16 x i32> @inside(<16 x i32> %x, <16 x i32> %y, <16 x i32> %z, <16 x i32> %w) {
  %both = and <16 x i32> %x, %y
  %differ = xor <16 x i32> %x, %y
  %rest = and <16 x i32> %z, %differ
  %m = or <16 x i32> %both, %rest
  %r = xor <16 x i32> %m, %w
  ret <16 x i32> %r
}

; A part of two others, as in two steps of MD5: none is left by itself.
; CHECK-LABEL: define <16 x i32> @shared(
; CHECK-NEXT: %[[A:.*]] = call <16 x i32> @llvm.x86.avx512.pternlog.d.512(<16 x i32> %z, <16 x i32> %x, <16 x i32> %y, i32 150)
; CHECK-NEXT: %[[S:.*]] = add <16 x i32> %[[A]], %z
; CHECK-NEXT: %[[B:.*]] = call <16 x i32> @llvm.x86.avx512.pternlog.d.512(<16 x i32> %[[S]], <16 x i32> %x, <16 x i32> %y, i32 150)
; CHECK-NEXT: ret <16 x i32> %[[B]]
define <16 x i32> @shared(<16 x i32> %x, <16 x i32> %y, <16 x i32> %z) {
  %t = xor <16 x i32> %x, %y
  %a = xor <16 x i32> %t, %z
  %s = add <16 x i32> %a, %z
  %b = xor <16 x i32> %s, %t
  ret <16 x i32> %b
}

; It would still be needed for the sum.
; CHECK-LABEL: define <16 x i32> @shared_elsewhere(
; CHECK-NOT: call <
define <16 x i32> @shared_elsewhere(<16 x i32> %x, <16 x i32> %y, <16 x i32> %z) {
  %t = xor <16 x i32> %x, %y
  %a = xor <16 x i32> %t, %z
  %s = add <16 x i32> %a, %t
  %b = xor <16 x i32> %s, %t
  ret <16 x i32> %b
}

; Each user is one operation with what it takes or goes to.
; CHECK-LABEL: define <16 x i32> @paired(
; CHECK-NOT: call <
define <16 x i32> @paired(<16 x i32> %x, <16 x i32> %y, <16 x i32> %z, <16 x i32> %w) {
  %t = xor <16 x i32> %x, %y
  %a = and <16 x i32> %t, %z
  %c = xor <16 x i32> %a, %w
  %o = or <16 x i32> %z, %w
  %b = xor <16 x i32> %o, %t
  %s = add <16 x i32> %b, %c
  ret <16 x i32> %s
}

; CHECK-LABEL: define <16 x i32> @two(
; CHECK-NOT: call <
define <16 x i32> @two(<16 x i32> %x, <16 x i32> %y, <16 x i32> %z) {
  %a = and <16 x i32> %x, %y
  %last = xor <16 x i32> %a, %z
  ret <16 x i32> %last
}
define <16 x i32> @used(<16 x i32> %x, <16 x i32> %y, <16 x i32> %z, ptr %p) {
  %differ = xor <16 x i32> %x, %y
  store <16 x i32> %differ, ptr %p
  %rest = and <16 x i32> %z, %differ
  %r = or <16 x i32> %rest, %x
  ret <16 x i32> %r
}
define <16 x i32> @constant(<16 x i32> %x, <16 x i32> %y) {
  %a = and <16 x i32> %x, splat (i32 15)
  %b = xor <16 x i32> %x, %y
  %r = or <16 x i32> %a, %b
  ret <16 x i32> %r
}
define <16 x i32> @four(<16 x i32> %x, <16 x i32> %y, <16 x i32> %z, <16 x i32> %w) {
  %a = xor <16 x i32> %x, %y
  %b = xor <16 x i32> %z, %w
  %r = xor <16 x i32> %a, %b
  ret <16 x i32> %r
}
define <3 x i32> @odd(<3 x i32> %x, <3 x i32> %y, <3 x i32> %z) {
  %a = and <3 x i32> %x, %y
  %b = xor <3 x i32> %y, %z
  %r = or <3 x i32> %a, %b
  ret <3 x i32> %r
}
