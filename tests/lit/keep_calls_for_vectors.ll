; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions are inlined so that vectors see into them. Where the kernel is too large, here by the barriers of another
; function, those whose copies have more than 500 instructions stay calls. The function with barriers cannot, and its
; calls share a body.
; RUN: %opt --passes=mark-for-inlining %s | %filecheck %s

; CHECK: define internal i32 @a(i32 %x) #[[INLINED:[0-9]+]] {
define internal i32 @a(i32 %x) {
  %y = mul i32 %x, 3
  ret i32 %y
}

; CHECK: define internal i32 @b(i32 %x) #[[INLINED]] {
define internal i32 @b(i32 %x) {
  %x0 = call i32 @a(i32 %x)
  %x1 = call i32 @a(i32 %x0)
  %x2 = call i32 @a(i32 %x1)
  %x3 = call i32 @a(i32 %x2)
  %x4 = call i32 @a(i32 %x3)
  %x5 = call i32 @a(i32 %x4)
  %x6 = call i32 @a(i32 %x5)
  %x7 = call i32 @a(i32 %x6)
  ret i32 %x7
}

; CHECK: define internal i32 @c(i32 %x) {
define internal i32 @c(i32 %x) {
  %x0 = call i32 @b(i32 %x)
  %x1 = call i32 @b(i32 %x0)
  %x2 = call i32 @b(i32 %x1)
  %x3 = call i32 @b(i32 %x2)
  %x4 = call i32 @b(i32 %x3)
  %x5 = call i32 @b(i32 %x4)
  %x6 = call i32 @b(i32 %x5)
  %x7 = call i32 @b(i32 %x6)
  ret i32 %x7
}

; CHECK: define internal i32 @d(i32 %x) #[[INLINED]] {
define internal i32 @d(i32 %x) {
  %x0 = call i32 @c(i32 %x)
  %x1 = call i32 @c(i32 %x0)
  %x2 = call i32 @c(i32 %x1)
  %x3 = call i32 @c(i32 %x2)
  %x4 = call i32 @c(i32 %x3)
  %x5 = call i32 @c(i32 %x4)
  %x6 = call i32 @c(i32 %x5)
  %x7 = call i32 @c(i32 %x6)
  ret i32 %x7
}

; CHECK: define internal void @waits() #[[SHARED:[0-9]+]] {
define internal void @waits() {
  call void @_Z7barrierj(i32 1) convergent
  call void @_Z7barrierj(i32 1) convergent
  call void @_Z7barrierj(i32 1) convergent
  call void @_Z7barrierj(i32 1) convergent
  call void @_Z7barrierj(i32 1) convergent
  call void @_Z7barrierj(i32 1) convergent
  call void @_Z7barrierj(i32 1) convergent
  call void @_Z7barrierj(i32 1) convergent
  call void @_Z7barrierj(i32 1) convergent
  call void @_Z7barrierj(i32 1) convergent
  call void @_Z7barrierj(i32 1) convergent
  call void @_Z7barrierj(i32 1) convergent
  call void @_Z7barrierj(i32 1) convergent
  call void @_Z7barrierj(i32 1) convergent
  call void @_Z7barrierj(i32 1) convergent
  call void @_Z7barrierj(i32 1) convergent
  call void @_Z7barrierj(i32 1) convergent
  call void @_Z7barrierj(i32 1) convergent
  call void @_Z7barrierj(i32 1) convergent
  call void @_Z7barrierj(i32 1) convergent
  ret void
}

define void @k(ptr %p) {
  %x = load i32, ptr %p
  %y = call i32 @d(i32 %x)
  %z = call i32 @d(i32 %y)
  store i32 %z, ptr %p
  call void @waits()
  call void @waits()
  call void @waits()
  call void @waits()
  call void @waits()
  call void @waits()
  call void @waits()
  call void @waits()
  ret void
}

declare void @_Z7barrierj(i32) convergent

; CHECK: attributes #[[INLINED]] = { alwaysinline }
; CHECK: attributes #[[SHARED]] = { alwaysinline "lanewise-shared" }
