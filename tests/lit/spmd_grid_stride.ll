; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A 32-bit counter that InstCombine widened to 64 bits, because it begins at a 64-bit id, gets 32 bits again: it is
; consecutive unless it wraps, which one comparison of the first lane finds.
; RUN: %opt --passes=vectorise --width=8 %s | %filecheck %s
; CHECK: items.vector:
; CHECK: loop.live:
; CHECK: %[[I:in.*]] = phi i32
; CHECK: %[[FITS:.*]] = icmp ule i32 %[[I]], -8
; CHECK: br i1 %[[FITS]], label %consecutive, label %scattered
; CHECK: consecutive:
; CHECK: call <8 x float> @llvm.masked.load
define void @f(ptr %a, i64 %size, i64 %base, i64 %stride, i32 %n) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %gid = add i64 %base, %id
  br label %loop
loop:
  %in = phi i64 [ %gid, %items ], [ %on, %work ]
  %i = trunc i64 %in to i32
  %c = icmp ugt i32 %n, %i
  br i1 %c, label %work, label %items.end
work:
  %e = and i64 %in, 4294967295
  %p = getelementptr float, ptr %a, i64 %e
  %v = load float, ptr %p
  %r = fadd float %v, 1.0
  store float %r, ptr %p
  %on = add i64 %e, %stride
  br label %loop
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
