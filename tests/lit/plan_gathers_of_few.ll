; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where gathers are fast, vectors cost less; but a gather for one lane takes as long as for all, so the rest of a row, which may
; be all that there is, runs one by one as it does elsewhere.
; RUN: %opt --passes=print-vector-plans --emit=none --isa=x86-64-v4 %s | %filecheck %s
; RUN: %opt --passes=print-vector-plans --emit=none --isa=x86-64-v4+fast-gather %s | %filecheck %s
; CHECK: {{^}}; few items: width 16, scalar tail
; Near miss: consecutive loads of a part of a vector cost no more than their lanes.
; CHECK: {{^}}; rows items: width 16, masked tail
define void @few(ptr %a, ptr %b, ptr %index, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %q = getelementptr i32, ptr %index, i64 %id
  %i = load i32, ptr %q
  %far = icmp sgt i32 %i, 3
  br i1 %far, label %read, label %items.end
read:
  %e = sext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %e
  %v = load float, ptr %p
  %r = getelementptr float, ptr %b, i64 %id
  store float %v, ptr %r
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @rows(ptr %a, ptr %b, ptr %index, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %q = getelementptr i32, ptr %index, i64 %id
  %i = load i32, ptr %q
  %far = icmp sgt i32 %i, 3
  br i1 %far, label %read, label %items.end
read:
  %e = sext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %id
  %v = load float, ptr %p
  %r = getelementptr float, ptr %b, i64 %id
  store float %v, ptr %r
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !2
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
!2 = distinct !{!2, !1}
