; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Bytes that come back as they were, or counted down, through floating point; and what only looks so.
; RUN: %opt --plain-launches --passes=fold-exact-conversions %s | %filecheck %s
; RUN: %opt --passes=fold-exact-conversions %s | %filecheck %s --check-prefix=FIRST

declare float @llvm.rint.f32(float)
declare float @llvm.maxnum.f32(float, float)

; FIRST-LABEL: define i32 @same(
; FIRST: llvm.rint
; CHECK-LABEL: define i32 @same(
; CHECK-NEXT: %byte = and i32 %x, 255
; CHECK-NEXT: ret i32 %byte
define i32 @same(i32 %x) {
  %byte = and i32 %x, 255
  %f = uitofp i32 %byte to float
  %n = fmul float %f, 0x3F70101020000000
  %w = fmul float %n, 2.550000e+02
  %above = fcmp ogt float %w, 0.0
  %least = select i1 %above, float %w, float 0.0
  %below = fcmp olt float %least, 2.550000e+02
  %most = select i1 %below, float %least, float 2.550000e+02
  %r = call float @llvm.rint.f32(float %most)
  %i = fptosi float %r to i32
  ret i32 %i
}

; CHECK-LABEL: define i32 @inverted(
; CHECK-NOT: float
; CHECK: ret i32
define i32 @inverted(i32 %x) {
  %byte = lshr i32 %x, 24
  %f = uitofp i32 %byte to float
  %n = fmul float %f, 0x3F70101020000000
  %c = fsub float 1.0, %n
  %w = fmul float %c, 2.550000e+02
  %r = call float @llvm.rint.f32(float %w)
  %i = fptoui float %r to i32
  ret i32 %i
}

; An element of a vector that other elements are made beside.
; CHECK-LABEL: define i32 @element(
; CHECK-NOT: fptosi
; CHECK: ret i32
define i32 @element(i32 %x, <2 x float> %others) {
  %byte = and i32 %x, 255
  %f = uitofp i32 %byte to float
  %n = fmul float %f, 0x3F70101020000000
  %v = insertelement <2 x float> %others, float %n, i64 1
  %s = shufflevector <2 x float> %v, <2 x float> poison, <4 x i32> <i32 1, i32 0, i32 1, i32 0>
  %c = fsub <4 x float> <float 3.0, float 3.0, float 1.0, float 3.0>, %s
  %e = extractelement <4 x float> %c, i64 2
  %w = fmul float %e, 2.550000e+02
  %r = call float @llvm.rint.f32(float %w)
  %i = fptosi float %r to i32
  ret i32 %i
}

; One number of 256 is another one.
; CHECK-LABEL: define i32 @limited(
; CHECK: fptosi
define i32 @limited(i32 %x) {
  %byte = and i32 %x, 255
  %f = uitofp i32 %byte to float
  %m = call float @llvm.maxnum.f32(float %f, float 1.0)
  %i = fptosi float %m to i32
  ret i32 %i
}

; Two numbers.
; CHECK-LABEL: define i32 @two(
; CHECK: fptosi
define i32 @two(i32 %x, i32 %y) {
  %a = and i32 %x, 255
  %b = and i32 %y, 255
  %f = uitofp i32 %a to float
  %g = uitofp i32 %b to float
  %s = fadd float %f, %g
  %i = fptosi float %s to i32
  ret i32 %i
}

; Not known to be small.
; CHECK-LABEL: define i32 @large(
; CHECK: fptosi
define i32 @large(i32 %x) {
  %f = uitofp i32 %x to float
  %i = fptosi float %f to i32
  ret i32 %i
}

; Negative numbers too.
; CHECK-LABEL: define i32 @signed(
; CHECK-NEXT: %[[NUMBER:.*]] = sext i8 %x to i32
; CHECK-NEXT: ret i32 %[[NUMBER]]
define i32 @signed(i8 %x) {
  %f = sitofp i8 %x to float
  %n = fmul float %f, 2.550000e+02
  %w = fmul float %n, 0x3F70101020000000
  %r = call float @llvm.rint.f32(float %w)
  %i = fptosi float %r to i32
  ret i32 %i
}

; CHECK-LABEL: define i32 @signed_scaled(
; CHECK-NEXT: %[[NUMBER:.*]] = sext i8 %x to i32
; CHECK-NEXT: %[[PRODUCT:.*]] = mul nsw i32 %[[NUMBER]], 255
; CHECK-NEXT: ret i32 %[[PRODUCT]]
define i32 @signed_scaled(i8 %x) {
  %f = sitofp i8 %x to float
  %n = fmul float %f, 2.550000e+02
  %i = fptosi float %n to i32
  ret i32 %i
}

; Extended before: the sign is in all upper bits.
; CHECK-LABEL: define i32 @extended(
; CHECK-NEXT: %wide = sext i16 %x to i32
; CHECK-NEXT: ret i32 %wide
define i32 @extended(i16 %x) {
  %wide = sext i16 %x to i32
  %f = sitofp i32 %wide to float
  %r = call float @llvm.rint.f32(float %f)
  %i = fptosi float %r to i32
  ret i32 %i
}

; The least number becomes 0, so the negative ones do not come back.
; CHECK-LABEL: define i32 @saturated(
; CHECK: fptosi
define i32 @saturated(i8 %x) {
  %f = sitofp i8 %x to float
  %above = fcmp ogt float %f, 0.0
  %least = select i1 %above, float %f, float 0.0
  %i = fptosi float %least to i32
  ret i32 %i
}

; Cut off towards zero.
; CHECK-LABEL: define i32 @cut(
; CHECK: fptosi
define i32 @cut(i8 %x) {
  %f = sitofp i8 %x to float
  %h = fadd float %f, 5.000000e-01
  %i = fptosi float %h to i32
  ret i32 %i
}

; A negative number has no value without a sign.
; CHECK-LABEL: define i32 @unsigned(
; CHECK: fptoui
define i32 @unsigned(i8 %x) {
  %f = sitofp i8 %x to float
  %i = fptoui float %f to i32
  ret i32 %i
}

; One integer in both readings, which are different numbers.
; CHECK-LABEL: define i32 @both(
; CHECK: fptosi
define i32 @both(i8 %x) {
  %f = sitofp i8 %x to float
  %g = uitofp i8 %x to float
  %s = fadd float %f, %g
  %i = fptosi float %s to i32
  ret i32 %i
}

; And the same number.
; CHECK-LABEL: define i32 @same_in_both(
; CHECK-NOT: fptosi
; CHECK: ret i32
define i32 @same_in_both(i8 %x) {
  %n = lshr i8 %x, 1
  %f = sitofp i8 %n to float
  %g = uitofp i8 %n to float
  %s = fadd float %f, %g
  %i = fptosi float %s to i32
  ret i32 %i
}
