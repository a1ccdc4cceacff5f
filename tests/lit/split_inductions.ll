; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A counter that begins at an id and increases by the same step in all work-items: only the common part crosses the
; barrier. So do addresses, and components of vectors. An i1 that has to be kept per work-item takes a byte.
; RUN: %opt --emit=none --passes=print-live-values %s | %filecheck %s
; RUN: %opt %s | %filecheck %s --check-prefix=CODE
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @_Z13get_global_idj(i32)
declare void @_Z7barrierj(i32)

; CHECK-LABEL: ; across 1:
; CHECK-DAG: %i (recompute)
; CHECK-DAG: %i.offset (group)
; CHECK-DAG: %odd (item 0+1)
; CHECK: ; item bytes 1
; CODE-LABEL: define {{.*}}void @k(
; CODE: region.1.items:
; CODE: %[[WIDE:i.*]] = add i64 %{{.*}}, %i.offset
; CODE: icmp ne i8
; CODE: getelementptr i32, ptr addrspace(1) %x, i64 %[[WIDE]]
define void @k(ptr addrspace(1) %x, i32 %n, i32 %step) !kernel_arg_addr_space !0 {
entry:
  %g = call i64 @_Z13get_global_idj(i32 0)
  %start = trunc i64 %g to i32
  br label %header
header:
  %z = phi i32 [ 0, %entry ], [ %z.next, %work ]
  %i = phi i32 [ %start, %entry ], [ %next, %work ]
  %c = icmp slt i32 %z, %n
  br i1 %c, label %work, label %exit
work:
  %e0 = sext i32 %i to i64
  %p0 = getelementptr i32, ptr addrspace(1) %x, i64 %e0
  %v = load i32, ptr addrspace(1) %p0
  %odd = trunc i32 %v to i1
  call void @_Z7barrierj(i32 1)
  %value = select i1 %odd, i32 1, i32 %n
  %e = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %e
  store i32 %value, ptr addrspace(1) %p
  %next = add nsw i32 %i, %step
  %z.next = add i32 %z, 1
  br label %header
exit:
  ret void
}

; %p moves by arguments alone, in two steps; %q by what is loaded, and %r begins where it is loaded.
; CHECK-LABEL: ; across 1:
; CHECK-DAG: %first (recompute)
; CHECK-DAG: %p.offset (group)
; CHECK-DAG: %q (item
; CHECK-DAG: %r (item
; CHECK-DAG: %distance (item
; CHECK: ; item bytes 24
; CHECK: %[[SUM:.*]] = add i64 24, %{{.*}}
; CHECK: header:
; CHECK: %p.offset = phi i64 [ 0, %{{.*}} ], [ %[[NEXT:.*]], %
; CHECK: %p = getelementptr i8, ptr addrspace(1) %first, i64 %p.offset
; CHECK: %[[NEXT]] = add i64 %p.offset, %[[SUM]]
define void @addresses(ptr addrspace(1) %x, i32 %n, i32 %step) !kernel_arg_addr_space !0 {
entry:
  %g = call i64 @_Z13get_global_idj(i32 0)
  %first = getelementptr i32, ptr addrspace(1) %x, i64 %g
  %loaded = load ptr addrspace(1), ptr addrspace(1) %first
  br label %header
header:
  %z = phi i32 [ 0, %entry ], [ %z.next, %work ]
  %p = phi ptr addrspace(1) [ %first, %entry ], [ %p.next, %work ]
  %q = phi ptr addrspace(1) [ %first, %entry ], [ %q.next, %work ]
  %r = phi ptr addrspace(1) [ %loaded, %entry ], [ %r.next, %work ]
  %c = icmp slt i32 %z, %n
  br i1 %c, label %work, label %exit
work:
  %distance = load i64, ptr addrspace(1) %x
  call void @_Z7barrierj(i32 1)
  store volatile i32 1, ptr addrspace(1) %p
  store volatile i32 2, ptr addrspace(1) %q
  store volatile i32 3, ptr addrspace(1) %r
  %wide = sext i32 %step to i64
  %row = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  %p.next = getelementptr inbounds i8, ptr addrspace(1) %row, i64 24
  %q.next = getelementptr i32, ptr addrspace(1) %q, i64 %distance
  %r.next = getelementptr i32, ptr addrspace(1) %r, i64 %wide
  %z.next = add i32 %z, 1
  br label %header
exit:
  ret void
}

; One component is counted and the other stays; a vector is added; the components change places; bytes are replaced by
; what is loaded, so that nothing is counted.
; CHECK-LABEL: ; across 1:
; CHECK-DAG: %v.1.offset (group)
; CHECK-DAG: %w.0.offset (group)
; CHECK-DAG: %w.1.offset (group)
; CHECK-DAG: %swapped (item 0+8)
; CHECK-DAG: %bytes (item 8+2)
; CHECK: ; item bytes 10
; CHECK-LABEL: define internal void @vectors.item(
; CHECK-NOT: %v = phi
; CHECK: call void @use(<2 x i32> %{{.*}}, <2 x i32> %{{.*}}, <2 x i32> %swapped, <2 x i8> %bytes)
declare void @use(<2 x i32>, <2 x i32>, <2 x i32>, <2 x i8>)
define void @vectors(ptr addrspace(1) %x, i32 %n, i32 %step) !kernel_arg_addr_space !0 {
entry:
  %g = call i64 @_Z13get_global_idj(i32 0)
  %start = trunc i64 %g to i32
  %half = insertelement <2 x i32> poison, i32 %start, i64 0
  %both = insertelement <2 x i32> %half, i32 %start, i64 1
  %some = load <2 x i8>, ptr addrspace(1) %x
  br label %header
header:
  %z = phi i32 [ 0, %entry ], [ %z.next, %work ]
  %v = phi <2 x i32> [ %both, %entry ], [ %v.next, %work ]
  %w = phi <2 x i32> [ %both, %entry ], [ %w.next, %work ]
  %swapped = phi <2 x i32> [ %both, %entry ], [ %swapped.next, %work ]
  %bytes = phi <2 x i8> [ %some, %entry ], [ %bytes.next, %work ]
  %c = icmp slt i32 %z, %n
  br i1 %c, label %work, label %exit
work:
  call void @_Z7barrierj(i32 1)
  call void @use(<2 x i32> %v, <2 x i32> %w, <2 x i32> %swapped, <2 x i8> %bytes)
  %y = extractelement <2 x i32> %v, i64 1
  %y.next = add nsw i32 %y, %step
  %v.next = insertelement <2 x i32> %v, i32 %y.next, i64 1
  %w.next = add <2 x i32> %w, <i32 2, i32 -3>
  %swapped.next = shufflevector <2 x i32> %swapped, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %byte = load i8, ptr addrspace(1) %x
  %byte.1 = insertelement <2 x i8> %bytes, i8 %byte, i64 1
  %bytes.next = insertelement <2 x i8> %byte.1, i8 %byte, i64 0
  %z.next = add i32 %z, 1
  br label %header
exit:
  ret void
}
!0 = !{i32 1, i32 0, i32 0}
