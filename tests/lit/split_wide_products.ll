; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Upper halves of products of 64-bit numbers in vectors: four products of halves instead of 128-bit numbers lane by lane.
; RUN: %opt --passes=split-wide-products %s | %filecheck %s

; CHECK-LABEL: define <4 x i64> @upper(
; CHECK-NOT: i128
; CHECK-COUNT-4: mul <4 x i64>
; CHECK-NOT: mul
; CHECK: ret
define <4 x i64> @upper(<4 x i64> %x, <4 x i64> %y) {
  %a = zext <4 x i64> %x to <4 x i128>
  %b = zext <4 x i64> %y to <4 x i128>
  %p = mul <4 x i128> %a, %b
  %h = lshr <4 x i128> %p, splat (i128 64)
  %r = trunc <4 x i128> %h to <4 x i64>
  ret <4 x i64> %r
}

; Both halves, one factor a constant with its highest bit set: the lower one is made of the same four products.
; CHECK-LABEL: define <4 x i64> @both(
; CHECK-NOT: i128
; CHECK-COUNT-4: mul <4 x i64>
; CHECK-NOT: mul
; CHECK: ret
define <4 x i64> @both(<4 x i64> %x) {
  %a = zext <4 x i64> %x to <4 x i128>
  %p = mul <4 x i128> %a, splat (i128 15197193596820024467)
  %h = lshr <4 x i128> %p, splat (i128 64)
  %u = trunc <4 x i128> %h to <4 x i64>
  %l = trunc <4 x i128> %p to <4 x i64>
  %r = xor <4 x i64> %u, %l
  ret <4 x i64> %r
}

; The lower half is a product of its own, in front of or behind the other.
; CHECK-LABEL: define <4 x i64> @beside(
; CHECK-NOT: i128
; CHECK-COUNT-3: mul <4 x i64>
; CHECK: %[[UP:.*]] = shl <4 x i64> %{{.*}}, splat (i64 32)
; CHECK: %[[LOW:.*]] = and <4 x i64> %{{.*}}, splat (i64 4294967295)
; CHECK: or disjoint <4 x i64> %[[UP]], %[[LOW]]
; CHECK: mul <4 x i64>
; CHECK-NOT: mul
; CHECK: ret
; CHECK-LABEL: define <4 x i64> @behind(
; CHECK-COUNT-4: mul <4 x i64>
; CHECK-NOT: mul
; CHECK: ret
define <4 x i64> @beside(<4 x i64> %x, <4 x i64> %y) {
  %l = mul <4 x i64> %x, %y
  %a = zext <4 x i64> %x to <4 x i128>
  %b = zext <4 x i64> %y to <4 x i128>
  %p = mul <4 x i128> %a, %b
  %h = lshr <4 x i128> %p, splat (i128 64)
  %u = trunc <4 x i128> %h to <4 x i64>
  %r = xor <4 x i64> %u, %l
  ret <4 x i64> %r
}
define <4 x i64> @behind(<4 x i64> %x) {
  %a = zext <4 x i64> %x to <4 x i128>
  %p = mul <4 x i128> %a, splat (i128 15197193596820024467)
  %h = lshr <4 x i128> %p, splat (i128 64)
  %u = trunc <4 x i128> %h to <4 x i64>
  %l = mul <4 x i64> %x, splat (i64 -3249550476889527149)
  %r = xor <4 x i64> %u, %l
  ret <4 x i64> %r
}

; Another factor, another block: such a product stays one.
; CHECK-LABEL: define <4 x i64> @other_factor(
; CHECK: mul <4 x i64> %x, %z
; CHECK-LABEL: define <4 x i64> @other_block(
; CHECK: next:
; CHECK: mul <4 x i64> %x, %y
define <4 x i64> @other_factor(<4 x i64> %x, <4 x i64> %y, <4 x i64> %z) {
  %a = zext <4 x i64> %x to <4 x i128>
  %b = zext <4 x i64> %y to <4 x i128>
  %p = mul <4 x i128> %a, %b
  %h = lshr <4 x i128> %p, splat (i128 64)
  %u = trunc <4 x i128> %h to <4 x i64>
  %l = mul <4 x i64> %x, %z
  %r = xor <4 x i64> %u, %l
  ret <4 x i64> %r
}
define <4 x i64> @other_block(<4 x i64> %x, <4 x i64> %y, i1 %c) {
  %a = zext <4 x i64> %x to <4 x i128>
  %b = zext <4 x i64> %y to <4 x i128>
  %p = mul <4 x i128> %a, %b
  %h = lshr <4 x i128> %p, splat (i128 64)
  %u = trunc <4 x i128> %h to <4 x i64>
  br i1 %c, label %next, label %last
next:
  %l = mul <4 x i64> %x, %y
  br label %last
last:
  %m = phi <4 x i64> [ %u, %0 ], [ %l, %next ]
  %r = xor <4 x i64> %u, %m
  ret <4 x i64> %r
}

; With a sign, two excesses are taken away.
; CHECK-LABEL: define <4 x i64> @signed(
; CHECK-NOT: i128
; CHECK-COUNT-4: mul <4 x i64>
; CHECK: ashr <4 x i64> %{{.*}}, splat (i64 63)
; CHECK: ashr <4 x i64> %{{.*}}, splat (i64 63)
; CHECK: ret
define <4 x i64> @signed(<4 x i64> %x, <4 x i64> %y) {
  %a = sext <4 x i64> %x to <4 x i128>
  %b = sext <4 x i64> %y to <4 x i128>
  %p = mul <4 x i128> %a, %b
  %h = lshr <4 x i128> %p, splat (i128 64)
  %r = trunc <4 x i128> %h to <4 x i64>
  ret <4 x i64> %r
}

; Near misses: a sign on one side only, other bits of the product, a constant of more than 64 bits, a single number.
; CHECK-LABEL: define <4 x i64> @mixed(
; CHECK: mul <4 x i128>
; CHECK-LABEL: define <4 x i64> @middle(
; CHECK: mul <4 x i128>
; CHECK-LABEL: define <4 x i64> @large(
; CHECK: mul <4 x i128>
; CHECK-LABEL: define i64 @single(
; CHECK: mul i128
define <4 x i64> @mixed(<4 x i64> %x, <4 x i64> %y) {
  %a = sext <4 x i64> %x to <4 x i128>
  %b = zext <4 x i64> %y to <4 x i128>
  %p = mul <4 x i128> %a, %b
  %h = lshr <4 x i128> %p, splat (i128 64)
  %r = trunc <4 x i128> %h to <4 x i64>
  ret <4 x i64> %r
}
define <4 x i64> @middle(<4 x i64> %x, <4 x i64> %y) {
  %a = zext <4 x i64> %x to <4 x i128>
  %b = zext <4 x i64> %y to <4 x i128>
  %p = mul <4 x i128> %a, %b
  %h = lshr <4 x i128> %p, splat (i128 32)
  %r = trunc <4 x i128> %h to <4 x i64>
  ret <4 x i64> %r
}
define <4 x i64> @large(<4 x i64> %x) {
  %a = zext <4 x i64> %x to <4 x i128>
  %p = mul <4 x i128> %a, splat (i128 36893488147419103233)
  %h = lshr <4 x i128> %p, splat (i128 64)
  %r = trunc <4 x i128> %h to <4 x i64>
  ret <4 x i64> %r
}
define i64 @single(i64 %x, i64 %y) {
  %a = zext i64 %x to i128
  %b = zext i64 %y to i128
  %p = mul i128 %a, %b
  %h = lshr i128 %p, 64
  %r = trunc i128 %h to i64
  ret i64 %r
}
