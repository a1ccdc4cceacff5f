; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A kernel that is large in any case, here by 192 barriers, keeps calls in loops and from a single place.
; RUN: %opt --width=1 --passes=mark-for-inlining %s | %filecheck %s

; CHECK: define internal void @mix(ptr %word) {
define internal void @mix(ptr %word) {
  %a = load i32, ptr %word
  %b = mul i32 %a, 5
  store i32 %b, ptr %word
  ret void
}

; CHECK: define internal void @last(ptr addrspace(1) %out, i32 %n) {
define internal void @last(ptr addrspace(1) %out, i32 %n) {
  store i32 %n, ptr addrspace(1) %out
  ret void
}

define internal void @eight() {
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

define internal void @many() {
  call void @eight()
  call void @eight()
  call void @eight()
  call void @eight()
  call void @eight()
  call void @eight()
  call void @eight()
  call void @eight()
  ret void
}

define void @k(ptr addrspace(1) %out, i32 %n) {
entry:
  %word = alloca i32
  store i32 %n, ptr %word
  call void @many()
  call void @many()
  call void @many()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @mix(ptr %word)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %result = load i32, ptr %word
  call void @last(ptr addrspace(1) %out, i32 %result)
  ret void
}

declare void @_Z7barrierj(i32)
