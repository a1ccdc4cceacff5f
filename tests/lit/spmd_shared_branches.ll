; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Vectors that run in one iteration share the tests of their accesses: all of them take the fast form or the general one. They
; share the branch around a masked store, too: it is skipped where none of them has an active lane.
; RUN: %opt --isa=x86-64-v3 --width=8 --passes=vectorise,block-registers %s | %filecheck %s

; CHECK-LABEL: define void @f(
; CHECK: items.vector.columns.sum.uniform:
; CHECK-COUNT-2: phi <8 x float>
; CHECK: br i1 %[[BOTH:.*]], label %items.vector.columns.consecutive, label %items.vector.columns.scattered
; CHECK: items.vector.columns.scattered:
; CHECK-COUNT-2: call <8 x float> @llvm.masked.gather
; CHECK: items.vector.columns.consecutive:
; CHECK-COUNT-2: load <8 x float>
; CHECK: items.vector.columns.end.vector:
; CHECK: %[[SOME:.*]] = or i1
; CHECK: br i1 %[[SOME]], label %items.vector.columns.write.any, label %items.vector.columns.write.skipped
define void @f(ptr %a, ptr %w, ptr %c, i32 %first, i32 %last, i64 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %x = trunc i64 %id to i32
  br label %sum
sum:
  %k = phi i64 [ 0, %items ], [ %k.next, %sum ]
  %s = phi float [ 0.0, %items ], [ %t, %sum ]
  %wp = getelementptr float, ptr %w, i64 %k
  %wv = load float, ptr %wp
  %kn = trunc i64 %k to i32
  %at = add i32 %x, %kn
  %low = call i32 @llvm.smax.i32(i32 %at, i32 0)
  %clamped = call i32 @llvm.smin.i32(i32 %low, i32 %last)
  %i = sext i32 %clamped to i64
  %p = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %p
  %m = fmul float %wv, %v
  %t = fadd float %s, %m
  %k.next = add nuw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %n
  br i1 %k.more, label %sum, label %end
end:
  %r = phi float [ %t, %sum ]
  %inside = icmp slt i32 %x, %last
  %seen = fcmp olt float %r, 1.0
  %writes = and i1 %inside, %seen
  br i1 %writes, label %write, label %items.end
write:
  %cp = getelementptr float, ptr %c, i64 %id
  store float %r, ptr %cp
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; What is read behind the branch is only there where a lane is active: a vector without one must not go there.
; CHECK-LABEL: define void @reads_behind(
; CHECK-NOT: items.vector.columns
define void @reads_behind(ptr %a, ptr %w, ptr %c, i32 %last, i64 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %x = trunc i64 %id to i32
  br label %sum
sum:
  %k = phi i64 [ 0, %items ], [ %k.next, %sum ]
  %s = phi float [ 0.0, %items ], [ %t, %sum ]
  %wp = getelementptr float, ptr %w, i64 %k
  %wv = load float, ptr %wp
  %at = add i64 %id, %k
  %p = getelementptr float, ptr %a, i64 %at
  %v = load float, ptr %p
  %m = fmul float %wv, %v
  %t = fadd float %s, %m
  %k.next = add nuw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %n
  br i1 %k.more, label %sum, label %end
end:
  %r = phi float [ %t, %sum ]
  %writes = fcmp olt float %r, 1.0
  br i1 %writes, label %write, label %items.end
write:
  %where = load ptr, ptr %c
  %factor = load float, ptr %where
  %product = fmul float %factor, %r
  %cp = getelementptr float, ptr %c, i64 %id
  store float %product, ptr %cp
  br label %items.end
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
