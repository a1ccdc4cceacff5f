; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Work-items that are neighbours in memory and go far in each iteration: one after the other they would take a new cache
; line for each element, in a vector they share it. So vectors pay although their atomics are done lane by lane.
; RUN: %opt --passes=print-vector-plans --emit=none %s | %filecheck %s

; CHECK: {{^}}; strides items: width 8, scalar tail, cost
; CHECK-NEXT: {{^}}; constant_stride items: width 8
; Near misses: each work-item walks through its own lines, or the step is small.
; CHECK-NEXT: {{^}}; neighbours items: scalar, vectors do not pay
; CHECK-NEXT: {{^}}; small_steps items: scalar, vectors do not pay
define void @strides(ptr %in, ptr addrspace(3) %bins, i64 %stride, i64 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  br label %walk
walk:
  %k = phi i64 [ %id, %items ], [ %further, %walk ]
  %p = getelementptr i32, ptr %in, i64 %k
  %v = load i32, ptr %p
  %w = zext i32 %v to i64
  %bin = getelementptr i32, ptr addrspace(3) %bins, i64 %w
  %old = atomicrmw add ptr addrspace(3) %bin, i32 1 monotonic
  %further = add i64 %k, %stride
  %again = icmp ult i64 %further, %n
  br i1 %again, label %walk, label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @constant_stride(ptr %in, ptr addrspace(3) %bins, i64 %stride, i64 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  br label %walk
walk:
  %k = phi i64 [ %id, %items ], [ %further, %walk ]
  %p = getelementptr i32, ptr %in, i64 %k
  %v = load i32, ptr %p
  %w = zext i32 %v to i64
  %bin = getelementptr i32, ptr addrspace(3) %bins, i64 %w
  %old = atomicrmw add ptr addrspace(3) %bin, i32 1 monotonic
  %further = add i64 %k, 256
  %again = icmp ult i64 %further, %n
  br i1 %again, label %walk, label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @neighbours(ptr %in, ptr addrspace(3) %bins, i64 %stride, i64 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  br label %walk
walk:
  %k = phi i64 [ %id, %items ], [ %further, %walk ]
  %p = getelementptr i32, ptr %in, i64 %k
  %v = load i32, ptr %p
  %w = zext i32 %v to i64
  %bin = getelementptr i32, ptr addrspace(3) %bins, i64 %w
  %old = atomicrmw add ptr addrspace(3) %bin, i32 1 monotonic
  %further = add i64 %k, 1
  %again = icmp ult i64 %further, %n
  br i1 %again, label %walk, label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @small_steps(ptr %in, ptr addrspace(3) %bins, i64 %stride, i64 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  br label %walk
walk:
  %k = phi i64 [ %id, %items ], [ %further, %walk ]
  %p = getelementptr i32, ptr %in, i64 %k
  %v = load i32, ptr %p
  %w = zext i32 %v to i64
  %bin = getelementptr i32, ptr addrspace(3) %bins, i64 %w
  %old = atomicrmw add ptr addrspace(3) %bin, i32 1 monotonic
  %further = add i64 %k, 2
  %again = icmp ult i64 %further, %n
  br i1 %again, label %walk, label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

!0 = distinct !{!0, !4}
!1 = distinct !{!1, !5}
!2 = distinct !{!2, !4, !6}
!3 = distinct !{!3, !4, !7}
!4 = !{!"lanewise.items"}
!5 = !{!"lanewise.items", !"it is told to"}
!6 = !{!"lanewise.sub_group", i32 16}
!7 = !{!"lanewise.sub_group", i32 16, !"flattened"}
