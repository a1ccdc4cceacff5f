; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Work-items that may wait for each other are not put into one vector, and the function keeps its form.
; RUN: %opt --passes=vectorise --width=8 %s | %filecheck %s
; CHECK: vectorise: f items: scalar, atomics in a loop that lanes leave at different times
; CHECK-NOT: <8 x
define void @f(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  br label %loop
loop:
  %old = atomicrmw xchg ptr %a, i32 1 acquire
  %c = icmp eq i32 %old, 1
  br i1 %c, label %loop, label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
