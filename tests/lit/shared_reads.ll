; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Eight reads of one image in a block: one body, which takes the coordinates through a phi, and the image as it is. A sum
; that goes through all of them needs one place, and what is read before a read and used behind it another one.
; RUN: %opt --passes=share-image-reads,share-calls %s | %filecheck %s
; RUN: %opt --passes=share-image-reads %s | %filecheck %s --check-prefix=MARK
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; MARK-LABEL: define void @eight(
; MARK-COUNT-8: call float @_Z11read_imagef.shared(
; MARK-LABEL: define void @seven(
; MARK-NOT: .shared
; MARK: define internal float @_Z11read_imagef.shared(

; CHECK-LABEL: define void @eight(
; CHECK: entry:
; CHECK: load float
; CHECK: br label %[[BODY:.*]]
; CHECK: [[BODY]]:
; CHECK-COUNT-4: phi {{float|i32}}
; CHECK-NOT: phi
; CHECK: getelementptr float, ptr %in, i64
; CHECK: switch i32 %call, label
define void @eight(ptr %in, ptr %w, ptr %to, i32 %x) !kernel_arg_addr_space !0 {
entry:
  %at0 = add i32 %x, 0
  %p0 = getelementptr float, ptr %w, i64 0
  %w0 = load float, ptr %p0
  %c0 = call float @_Z11read_imagef(ptr %in, i32 %at0)
  %m0 = fmul float %w0, %c0
  %at1 = add i32 %x, 1
  %p1 = getelementptr float, ptr %w, i64 1
  %w1 = load float, ptr %p1
  %c1 = call float @_Z11read_imagef(ptr %in, i32 %at1)
  %m1 = fmul float %w1, %c1
  %s1 = fadd float %m0, %m1
  %at2 = add i32 %x, 2
  %p2 = getelementptr float, ptr %w, i64 2
  %w2 = load float, ptr %p2
  %c2 = call float @_Z11read_imagef(ptr %in, i32 %at2)
  %m2 = fmul float %w2, %c2
  %s2 = fadd float %s1, %m2
  %at3 = add i32 %x, 3
  %p3 = getelementptr float, ptr %w, i64 3
  %w3 = load float, ptr %p3
  %c3 = call float @_Z11read_imagef(ptr %in, i32 %at3)
  %m3 = fmul float %w3, %c3
  %s3 = fadd float %s2, %m3
  %at4 = add i32 %x, 4
  %p4 = getelementptr float, ptr %w, i64 4
  %w4 = load float, ptr %p4
  %c4 = call float @_Z11read_imagef(ptr %in, i32 %at4)
  %m4 = fmul float %w4, %c4
  %s4 = fadd float %s3, %m4
  %at5 = add i32 %x, 5
  %p5 = getelementptr float, ptr %w, i64 5
  %w5 = load float, ptr %p5
  %c5 = call float @_Z11read_imagef(ptr %in, i32 %at5)
  %m5 = fmul float %w5, %c5
  %s5 = fadd float %s4, %m5
  %at6 = add i32 %x, 6
  %p6 = getelementptr float, ptr %w, i64 6
  %w6 = load float, ptr %p6
  %c6 = call float @_Z11read_imagef(ptr %in, i32 %at6)
  %m6 = fmul float %w6, %c6
  %s6 = fadd float %s5, %m6
  %at7 = add i32 %x, 7
  %p7 = getelementptr float, ptr %w, i64 7
  %w7 = load float, ptr %p7
  %c7 = call float @_Z11read_imagef(ptr %in, i32 %at7)
  %m7 = fmul float %w7, %c7
  %s7 = fadd float %s6, %m7
  store float %s7, ptr %to
  ret void
}

define void @seven(ptr %in, ptr %w, ptr %to, i32 %x) !kernel_arg_addr_space !0 {
entry:
  %at0 = add i32 %x, 0
  %p0 = getelementptr float, ptr %w, i64 0
  %w0 = load float, ptr %p0
  %c0 = call float @_Z11read_imagef(ptr %in, i32 %at0)
  %m0 = fmul float %w0, %c0
  %at1 = add i32 %x, 1
  %p1 = getelementptr float, ptr %w, i64 1
  %w1 = load float, ptr %p1
  %c1 = call float @_Z11read_imagef(ptr %in, i32 %at1)
  %m1 = fmul float %w1, %c1
  %s1 = fadd float %m0, %m1
  %at2 = add i32 %x, 2
  %p2 = getelementptr float, ptr %w, i64 2
  %w2 = load float, ptr %p2
  %c2 = call float @_Z11read_imagef(ptr %in, i32 %at2)
  %m2 = fmul float %w2, %c2
  %s2 = fadd float %s1, %m2
  %at3 = add i32 %x, 3
  %p3 = getelementptr float, ptr %w, i64 3
  %w3 = load float, ptr %p3
  %c3 = call float @_Z11read_imagef(ptr %in, i32 %at3)
  %m3 = fmul float %w3, %c3
  %s3 = fadd float %s2, %m3
  %at4 = add i32 %x, 4
  %p4 = getelementptr float, ptr %w, i64 4
  %w4 = load float, ptr %p4
  %c4 = call float @_Z11read_imagef(ptr %in, i32 %at4)
  %m4 = fmul float %w4, %c4
  %s4 = fadd float %s3, %m4
  %at5 = add i32 %x, 5
  %p5 = getelementptr float, ptr %w, i64 5
  %w5 = load float, ptr %p5
  %c5 = call float @_Z11read_imagef(ptr %in, i32 %at5)
  %m5 = fmul float %w5, %c5
  %s5 = fadd float %s4, %m5
  %at6 = add i32 %x, 6
  %p6 = getelementptr float, ptr %w, i64 6
  %w6 = load float, ptr %p6
  %c6 = call float @_Z11read_imagef(ptr %in, i32 %at6)
  %m6 = fmul float %w6, %c6
  %s6 = fadd float %s5, %m6
  store float %s6, ptr %to
  ret void
}

define float @_Z11read_imagef(ptr %image, i32 %at) alwaysinline {
  %i = sext i32 %at to i64
  %p = getelementptr float, ptr %image, i64 %i
  %v = load float, ptr %p
  ret float %v
}
!0 = !{i32 0, i32 1, i32 1, i32 0}
