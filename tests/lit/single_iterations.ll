; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop whose body runs once is straight code before lanes are made: the pointer that would move on is one value.
; RUN: %opt --passes=unroll-single-iterations %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; The test is in front of the body, and the body has a loop of its own.
; CHECK-LABEL: define void @front(
; CHECK-NOT: phi ptr
; CHECK: %c = phi i32
; CHECK-NOT: phi
; CHECK: getelementptr inbounds nuw i8, ptr addrspace(1) %from,
; CHECK: ret void
define void @front(ptr addrspace(1) %from, ptr addrspace(1) %to, i32 %n) {
entry:
  br label %pixels
pixels:
  %p = phi i32 [ 0, %entry ], [ 1, %done ]
  %at = phi ptr addrspace(1) [ %from, %entry ], [ %at.next, %done ]
  %first = icmp eq i32 %p, 0
  br i1 %first, label %channels, label %exit
channels:
  %c = phi i32 [ 0, %pixels ], [ %c.next, %body ]
  %more = icmp ult i32 %c, %n
  br i1 %more, label %body, label %done
body:
  %wide = zext nneg i32 %c to i64
  %address = getelementptr inbounds nuw i8, ptr addrspace(1) %at, i64 %wide
  %v = load i8, ptr addrspace(1) %address
  store volatile i8 %v, ptr addrspace(1) %to
  %c.next = add nuw i32 %c, 1
  br label %channels
done:
  %at.next = getelementptr inbounds nuw i8, ptr addrspace(1) %at, i64 3
  br label %pixels
exit:
  ret void
}

; The test is at the end.
; CHECK-LABEL: define void @end(
; CHECK-NOT: br
; CHECK: ret void
define void @end(ptr addrspace(1) %to) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  store volatile i32 %k, ptr addrspace(1) %to
  %k.next = add nuw nsw i32 %k, 8
  %more = icmp ult i32 %k.next, 8
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Near misses: a body that runs twice, and one that may run once.
; CHECK-LABEL: define void @twice(
; CHECK: phi i32
; CHECK: ret void
define void @twice(ptr addrspace(1) %to) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  store volatile i32 %k, ptr addrspace(1) %to
  %k.next = add nuw nsw i32 %k, 4
  %more = icmp ult i32 %k.next, 8
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @perhaps(
; CHECK: phi i32
; CHECK: ret void
define void @perhaps(ptr addrspace(1) %to, i32 %n) {
entry:
  %last = call i32 @llvm.umin.i32(i32 %n, i32 1)
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %body ]
  %more = icmp ult i32 %k, %last
  br i1 %more, label %body, label %exit
body:
  store volatile i32 %k, ptr addrspace(1) %to
  %k.next = add nuw nsw i32 %k, 1
  br label %loop
exit:
  ret void
}
