; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A structure that could not be taken apart until its index was known: it is kept in the structure itself. Where the index
; stays unknown, or the address is used otherwise, nothing is done.
; RUN: %opt --passes=split-variables %s | %filecheck %s

; CHECK-LABEL: define i32 @parts(
; CHECK-NEXT: ret i32 %v
define i32 @parts(i32 %v, i32 %w) {
  %s = alloca { [2 x i32], i32 }
  %second = getelementptr inbounds i8, ptr %s, i64 4
  store i32 %v, ptr %s
  store i32 %w, ptr %second
  %count = getelementptr inbounds i8, ptr %s, i64 8
  store i32 1, ptr %count
  %r = load i32, ptr %s
  ret i32 %r
}

; CHECK-LABEL: define i32 @index(
; CHECK: alloca
define i32 @index(i32 %v, i32 %w, i64 %i) {
  %s = alloca { [2 x i32], i32 }
  %second = getelementptr inbounds i8, ptr %s, i64 4
  store i32 %v, ptr %s
  store i32 %w, ptr %second
  %p = getelementptr inbounds i32, ptr %s, i64 %i
  %r = load i32, ptr %p
  ret i32 %r
}

; CHECK-LABEL: define i32 @given_away(
; CHECK: alloca
declare void @f(ptr)
define i32 @given_away(i32 %v) {
  %s = alloca { [2 x i32], i32 }
  store i32 %v, ptr %s
  call void @f(ptr %s)
  %r = load i32, ptr %s
  ret i32 %r
}

; CHECK-LABEL: define i32 @volatile(
; CHECK: alloca
define i32 @volatile(i32 %v) {
  %s = alloca { [2 x i32], i32 }
  store volatile i32 %v, ptr %s
  %r = load i32, ptr %s
  ret i32 %r
}
