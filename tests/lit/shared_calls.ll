; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One body for all calls of a marked function, also through a function that is inlined; the values that live across a
; call reach their uses through phis at its head. Calls of functions that are not marked stay calls.
; RUN: %opt --passes=share-calls %s | %filecheck %s

; CHECK-LABEL: define void @k(
; CHECK: br label %f.shared
; CHECK: call i32 @pure(
; CHECK: f.shared:
; CHECK-DAG: %[[FIRST:.*]] = phi i32 [ poison, %entry ], {{.*}}[ %[[FIRST]],
; CHECK-DAG: phi i32 {{.*}}[ %a, %entry ]
; CHECK-DAG: %call = phi i32 {{.*}}[ 0, %entry ]
; CHECK: call void @_Z7barrierj(i32 1)
; CHECK-NOT: call
; CHECK: switch i32 %call, label %f.return{{[0-9]+}} [
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

; The body has one phi for values that live across different calls.
; CHECK-LABEL: define void @sides(
; CHECK: f.shared:
; CHECK-COUNT-3: = phi i32
; CHECK-NOT: = phi i32
; CHECK: f.end:
define void @sides(ptr %p, i1 %left) {
entry:
  br i1 %left, label %one, label %other
one:
  %a = load i32, ptr %p
  %x = call i32 @f(i32 %a)
  %ax = xor i32 %x, %a
  store i32 %ax, ptr %p
  br label %end
other:
  %b = load i32, ptr %p
  %y = call i32 @f(i32 7)
  %by = and i32 %y, %b
  store i32 %by, ptr %p
  br label %end
end:
  ret void
}

; A value that is made again in a loop crosses its own calls, and is what it was before the last of them.
; CHECK-LABEL: define void @loop(
; CHECK: %old = add i32 %[[KEPT:.*]], 0
; CHECK: f.shared:
; CHECK: %[[KEPT]] = phi i32 [ poison, %first ], [ %i, %head ]
define void @loop(ptr %p, i1 %early) {
entry:
  br i1 %early, label %first, label %head
first:
  %e = call i32 @f(i32 1)
  store i32 %e, ptr %p
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ 1, %first ], [ %next, %head ]
  %x = call i32 @f(i32 %i)
  %old = add i32 %i, 0
  %next = add i32 %old, %x
  %again = icmp ult i32 %next, 9
  br i1 %again, label %head, label %end
end:
  store i32 %next, ptr %p
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
