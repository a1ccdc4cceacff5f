; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One body for all calls of a marked function, also through a function that is inlined; the values that live across a
; call reach their uses through phis at its head. Calls of functions that are not marked stay calls.
; RUN: %opt --passes=share-calls %s | %filecheck %s

; CHECK-LABEL: define void @k(
; CHECK: br label %f.shared
; CHECK: call i32 @pure(
; CHECK: f.shared:
; CHECK-DAG: %[[FIRST:.*]] = phi i32 [ undef, %entry ], [ %[[FIRST]],
; CHECK-DAG: phi i32 {{.*}}[ %a, %entry ]
; CHECK-DAG: %call = phi i32 {{.*}}[ 0, %entry ]
; CHECK: call void @_Z7barrierj(i32 1)
; CHECK-NOT: call
; CHECK: switch i32 %call, label %f.return [
; CHECK-NEXT: i32 1, label
; CHECK-NEXT: i32 0, label
; CHECK-NEXT: ]
; CHECK-NEXT: }
define void @k(ptr %p, i32 %a) {
entry:
  %first = call i32 @f(i32 %a)
  %second = call i32 @twice(i32 %first)
  %other = call i32 @pure(i32 %first)
  %sum = add i32 %second, %other
  store i32 %sum, ptr %p
  ret void
}

; A kernel that calls it once has no switch.
; CHECK-LABEL: define void @once(
; CHECK-NOT: switch
; CHECK: call void @_Z7barrierj(i32 1)
; CHECK: ret void
define void @once(ptr %p, i32 %a) {
  %first = call i32 @f(i32 %a)
  store i32 %first, ptr %p
  ret void
}

define internal i32 @twice(i32 %x) alwaysinline {
  %y = call i32 @f(i32 %x)
  %z = call i32 @f(i32 %y)
  %r = xor i32 %z, %x
  ret i32 %r
}

define internal i32 @f(i32 %x) alwaysinline "lanewise-shared" {
  call void @_Z7barrierj(i32 1)
  %y = mul i32 %x, 3
  ret i32 %y
}

define internal i32 @pure(i32 %x) {
  ret i32 %x
}

declare void @_Z7barrierj(i32) convergent

; The vectoriser has to know that bodies are shared.
; CHECK: attributes #{{.*}} = { "lanewise-shared-bodies" }
