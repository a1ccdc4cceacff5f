; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A private array of which only counters of short loops choose the element becomes values, before lanes are made: rows that
; follow each other are then loaded in one piece.
; RUN: %opt --passes=promote-private-arrays %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define void @row(
; CHECK-NOT: alloca
; CHECK-COUNT-4: load float, ptr addrspace(1)
; CHECK-NOT: br
; CHECK-COUNT-4: store float
; CHECK: ret void
define void @row(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %v = alloca [4 x float]
  br label %read
read:
  %k = phi i64 [ 0, %entry ], [ %k.next, %read ]
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %k
  %x = load float, ptr addrspace(1) %from
  %to = getelementptr inbounds float, ptr %v, i64 %k
  store float %x, ptr %to
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %k.next, 4
  br i1 %more, label %read, label %write
write:
  %j = phi i64 [ 0, %read ], [ %j.next, %write ]
  %other = sub nuw nsw i64 3, %j
  %at = getelementptr inbounds float, ptr %v, i64 %other
  %y = load float, ptr %at
  %place = getelementptr inbounds float, ptr addrspace(1) %out, i64 %j
  store float %y, ptr addrspace(1) %place
  %j.next = add nuw nsw i64 %j, 1
  %further = icmp ult i64 %j.next, 4
  br i1 %further, label %write, label %done
done:
  ret void
}

; Near misses. Nobody knows how many iterations there are, ...
; CHECK-LABEL: define void @how_many(
; CHECK: alloca
; CHECK: phi i64
define void @how_many(ptr addrspace(1) %in, i64 %count) {
entry:
  %v = alloca [4 x float]
  br label %read
read:
  %k = phi i64 [ 0, %entry ], [ %k.next, %read ]
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %k
  %x = load float, ptr addrspace(1) %from
  %to = getelementptr inbounds float, ptr %v, i64 %k
  store float %x, ptr %to
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %k.next, %count
  br i1 %more, label %read, label %done
done:
  %y = load float, ptr %v
  store float %y, ptr addrspace(1) %in
  ret void
}

; ... or there are too many, ...
; CHECK-LABEL: define void @too_many(
; CHECK: alloca
; CHECK: phi i64
define void @too_many(ptr addrspace(1) %in) {
entry:
  %v = alloca [512 x float]
  br label %read
read:
  %k = phi i64 [ 0, %entry ], [ %k.next, %read ]
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %k
  %x = load float, ptr addrspace(1) %from
  %to = getelementptr inbounds float, ptr %v, i64 %k
  store float %x, ptr %to
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %k.next, 512
  br i1 %more, label %read, label %done
done:
  %y = load float, ptr %v
  store float %y, ptr addrspace(1) %in
  ret void
}

; ... or data choose an element, ...
; CHECK-LABEL: define void @data(
; CHECK: alloca
; CHECK: phi i64
define void @data(ptr addrspace(1) %in, i64 %i) {
entry:
  %v = alloca [4 x float]
  br label %read
read:
  %k = phi i64 [ 0, %entry ], [ %k.next, %read ]
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %k
  %x = load float, ptr addrspace(1) %from
  %to = getelementptr inbounds float, ptr %v, i64 %k
  store float %x, ptr %to
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %k.next, 4
  br i1 %more, label %read, label %done
done:
  %at = getelementptr inbounds float, ptr %v, i64 %i
  %y = load float, ptr %at
  store float %y, ptr addrspace(1) %in
  ret void
}

; ... or somebody else knows the address.
; CHECK-LABEL: define void @known_elsewhere(
; CHECK: alloca
; CHECK: phi i64
declare void @f(ptr)
define void @known_elsewhere(ptr addrspace(1) %in) {
entry:
  %v = alloca [4 x float]
  br label %read
read:
  %k = phi i64 [ 0, %entry ], [ %k.next, %read ]
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %k
  %x = load float, ptr addrspace(1) %from
  %to = getelementptr inbounds float, ptr %v, i64 %k
  store float %x, ptr %to
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %k.next, 4
  br i1 %more, label %read, label %done
done:
  call void @f(ptr %v)
  ret void
}
