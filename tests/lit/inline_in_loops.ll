; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions that take the address of private memory and run in loops become a part of their kernel also where that is not
; vectorised: what they read there is values then, and constants fold. So do functions that a single place calls. Several
; calls outside of loops, of functions without such addresses, and in kernels that would be too large stay.
; RUN: %opt --width=1 --passes=mark-for-inlining,inline-marked %s | %filecheck %s

; CHECK-LABEL: define void @in_loop(
; CHECK-NOT: alloca
; CHECK: loop:
; CHECK: add i32 %sum, 7
; CHECK-NOT: call
; CHECK: br i1
define void @in_loop(ptr addrspace(1) %out, i32 %n) {
entry:
  %words = alloca [2 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ %n, %entry ], [ %result, %loop ]
  %second = getelementptr i32, ptr %words, i64 1
  store i32 %sum, ptr %words
  store i32 7, ptr %second
  call void @mix(ptr %words)
  %result = load i32, ptr %words
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %result, ptr addrspace(1) %out
  ret void
}

; What a function calls that is called in a loop.
; CHECK-LABEL: define void @through_another(
; CHECK: loop:
; CHECK-NOT: call
; CHECK: br i1
define void @through_another(ptr addrspace(1) %out, i32 %n) {
entry:
  %word = alloca i32
  store i32 %n, ptr %word
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @outer(ptr %word)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %result = load i32, ptr %word
  store i32 %result, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define void @once(
; CHECK-NOT: call
; CHECK: ret void
define void @once(ptr addrspace(1) %out, i32 %n) {
  call void @tripled(ptr addrspace(1) %out, i32 %n)
  ret void
}

; CHECK-LABEL: define void @outside_of_loops(
; CHECK: call void @mix_outside(
; CHECK: call void @mix_outside(
define void @outside_of_loops(ptr addrspace(1) %out, i32 %n) {
  %words = alloca [2 x i32]
  store i32 %n, ptr %words
  call void @mix_outside(ptr %words)
  call void @mix_outside(ptr %words)
  %result = load i32, ptr %words
  store i32 %result, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define void @other_memory(
; CHECK: loop:
; CHECK: call i32 @mix_values(
; CHECK: call i32 @mix_values(
; CHECK: call void @mix_global(
; CHECK: call void @mix_global(
define void @other_memory(ptr addrspace(1) %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ %n, %entry ], [ %result, %loop ]
  %half = call i32 @mix_values(i32 %sum)
  %result = call i32 @mix_values(i32 %half)
  call void @mix_global(ptr addrspace(1) %out)
  call void @mix_global(ptr addrspace(1) %out)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %result, ptr addrspace(1) %out
  ret void
}

define internal void @mix(ptr %words) {
  %second = getelementptr i32, ptr %words, i64 1
  %a = load i32, ptr %words
  %b = load i32, ptr %second
  %c = add i32 %a, %b
  store i32 %c, ptr %words
  ret void
}

define internal void @outer(ptr %word) {
  call void @inner(ptr %word)
  ret void
}

define internal void @inner(ptr %word) {
  %a = load i32, ptr %word
  %b = mul i32 %a, 5
  store i32 %b, ptr %word
  ret void
}

define internal void @tripled(ptr addrspace(1) %word, i32 %n) {
  %b = mul i32 %n, 3
  store i32 %b, ptr addrspace(1) %word
  ret void
}

define internal void @mix_outside(ptr %words) {
  %a = load i32, ptr %words
  %b = mul i32 %a, 3
  store i32 %b, ptr %words
  ret void
}

define internal i32 @mix_values(i32 %a) {
  %b = mul i32 %a, %a
  ret i32 %b
}

define internal void @mix_global(ptr addrspace(1) %words) {
  %a = load i32, ptr addrspace(1) %words
  %b = mul i32 %a, 3
  store i32 %b, ptr addrspace(1) %words
  ret void
}
