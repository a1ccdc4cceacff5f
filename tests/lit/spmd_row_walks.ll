; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Loops in which each work-item walks through a row of its own: as many iterations as fill a window of each lane are one,
; whose elements are transposed in registers.
; RUN: %opt --passes=vectorise,block-registers,block-items --width=8 --isa=x86-64-v3 %s | %filecheck %s
; RUN: %opt --passes=vectorise,block-registers,block-items --width=4 --isa=x86-64-v3 %s | %filecheck %s --check-prefix=FOUR

; Rows of halves of a register: lane 0 and 4, 1 and 5, ... come out in their order.
; CHECK-LABEL: define void @walk(
; CHECK: items.vector:
; CHECK: %[[W0:.*]] = load <4 x float>
; CHECK: %[[W1:.*]] = load <4 x float>
; CHECK: load <4 x float>
; CHECK: load <4 x float>
; CHECK: %[[W4:.*]] = load <4 x float>
; CHECK: %[[W5:.*]] = load <4 x float>
; CHECK: load <4 x float>
; CHECK: load <4 x float>
; CHECK-NOT: load
; CHECK: shufflevector <4 x float> %[[W0]], <4 x float> %[[W4]], <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK: shufflevector <4 x float> %[[W1]], <4 x float> %[[W5]]
; CHECK-COUNT-4: fadd <8 x float>
; CHECK: label %items.vector, label %items.vector.end
; FOUR-LABEL: define void @walk(
; FOUR: items.vector:
; FOUR-COUNT-4: load <4 x float>
; FOUR-NOT: load
; FOUR-COUNT-4: fadd <4 x float>
define void @walk(ptr %a, ptr %out, i64 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %end ]
  %row = mul nsw i64 %id, %n
  %first = getelementptr float, ptr %a, i64 %row
  br label %loop
loop:
  %k = phi i64 [ 0, %items ], [ %k.next, %loop ]
  %s = phi float [ 0.0, %items ], [ %sum, %loop ]
  %p = getelementptr float, ptr %first, i64 %k
  %x = load float, ptr %p
  %sum = fadd float %s, %x
  %k.next = add nuw nsw i64 %k, 1
  %on = icmp ult i64 %k.next, 64
  br i1 %on, label %loop, label %done
done:
  %q = getelementptr float, ptr %out, i64 %id
  store float %sum, ptr %q
  br label %end
end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; The number of iterations is an argument, and the test comes first: a loop of single iterations runs the rest.
; CHECK-LABEL: define void @walk_any_length(
; CHECK: items.vector:
; CHECK-COUNT-16: load <8 x i8>
; CHECK: load i8
; CHECK: label %items.vector, label %items.vector.end
define void @walk_any_length(ptr %a, ptr %out, i32 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %end ]
  %wide = sext i32 %n to i64
  br label %loop
loop:
  %k = phi i32 [ 0, %items ], [ %k.next, %body ]
  %s = phi i32 [ 0, %items ], [ %sum, %body ]
  %on = icmp slt i32 %k, %n
  br i1 %on, label %body, label %done
body:
  %row = mul nsw i64 %id, %wide
  %first = getelementptr i8, ptr %a, i64 %row
  %at = zext nneg i32 %k to i64
  %p = getelementptr i8, ptr %first, i64 %at
  %x = load i8, ptr %p
  %x.wide = zext i8 %x to i32
  %sum = add i32 %s, %x.wide
  %k.next = add nuw nsw i32 %k, 1
  br label %loop
done:
  %q = getelementptr i32, ptr %out, i64 %id
  store i32 %s, ptr %q
  br label %end
end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !2
exit:
  ret void
}

; Neighbours at addresses that were loaded, without a loop.
; CHECK-LABEL: define void @neighbours(
; CHECK: items.vector:
; CHECK-COUNT-8: load <4 x i32>
; CHECK-NOT: load i32
; CHECK: label %items.vector, label %items.vector.end
define void @neighbours(ptr %at, ptr %out, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %w = getelementptr ptr, ptr %at, i64 %id
  %p0 = load ptr, ptr %w
  %p1 = getelementptr i32, ptr %p0, i64 1
  %p2 = getelementptr i32, ptr %p0, i64 2
  %p3 = getelementptr i32, ptr %p0, i64 3
  %x2 = load i32, ptr %p2
  %x0 = load i32, ptr %p0
  %x3 = load i32, ptr %p3
  %x1 = load i32, ptr %p1
  %s0 = add i32 %x0, %x1
  %s1 = mul i32 %x2, %x3
  %s = xor i32 %s0, %s1
  %q = getelementptr i32, ptr %out, i64 %id
  store i32 %s, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !4
exit:
  ret void
}

; Three of them fill no window.
; CHECK-LABEL: define void @three(
; CHECK: items.vector:
; CHECK-NOT: load <4 x i32>
; CHECK: label %items.vector, label %items.vector.end
define void @three(ptr %at, ptr %out, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %w = getelementptr ptr, ptr %at, i64 %id
  %p0 = load ptr, ptr %w
  %p1 = getelementptr i32, ptr %p0, i64 1
  %p2 = getelementptr i32, ptr %p0, i64 2
  %x0 = load i32, ptr %p0
  %x1 = load i32, ptr %p1
  %x2 = load i32, ptr %p2
  %s0 = add i32 %x0, %x1
  %s = xor i32 %s0, %x2
  %q = getelementptr i32, ptr %out, i64 %id
  store i32 %s, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !5
exit:
  ret void
}

; A store between them may change one.
; CHECK-LABEL: define void @stored_between(
; CHECK: items.vector:
; CHECK-NOT: load <4 x i32>
; CHECK: label %items.vector, label %items.vector.end
define void @stored_between(ptr %at, ptr %out, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %w = getelementptr ptr, ptr %at, i64 %id
  %p0 = load ptr, ptr %w
  %p1 = getelementptr i32, ptr %p0, i64 1
  %p2 = getelementptr i32, ptr %p0, i64 2
  %p3 = getelementptr i32, ptr %p0, i64 3
  %q = getelementptr i32, ptr %out, i64 %id
  %x0 = load i32, ptr %p0
  %x1 = load i32, ptr %p1
  store i32 %x1, ptr %q
  %x2 = load i32, ptr %p2
  %x3 = load i32, ptr %p3
  %s0 = add i32 %x0, %x2
  %s = xor i32 %s0, %x3
  store i32 %s, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !6
exit:
  ret void
}

; Work-items beside each other read elements beside each other: nothing to transpose.
; CHECK-LABEL: define void @columns(
; CHECK: items.vector:
; CHECK: load <8 x float>
; CHECK: fadd <8 x float>
; CHECK-NOT: fadd <8 x float>
; CHECK: label %items.vector, label %items.vector.end
define void @columns(ptr %a, ptr %out, i64 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %end ]
  br label %loop
loop:
  %k = phi i64 [ 0, %items ], [ %k.next, %loop ]
  %s = phi float [ 0.0, %items ], [ %sum, %loop ]
  %column = getelementptr float, ptr %a, i64 %id
  %p = getelementptr float, ptr %column, i64 %k
  %x = load float, ptr %p
  %sum = fadd float %s, %x
  %k.next = add nuw nsw i64 %k, 1
  %on = icmp ult i64 %k.next, 64
  br i1 %on, label %loop, label %done
done:
  %q = getelementptr float, ptr %out, i64 %id
  store float %sum, ptr %q
  br label %end
end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !7
exit:
  ret void
}

; Rows of different lengths: lanes leave one by one.
; CHECK-LABEL: define void @lengths(
; CHECK-NOT: load <4 x float>
; CHECK: ret void
define void @lengths(ptr %a, ptr %out, ptr %length, i64 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %end ]
  %l = getelementptr i64, ptr %length, i64 %id
  %m = load i64, ptr %l
  %row = mul nsw i64 %id, %n
  %first = getelementptr float, ptr %a, i64 %row
  br label %loop
loop:
  %k = phi i64 [ 0, %items ], [ %k.next, %loop ]
  %s = phi float [ 0.0, %items ], [ %sum, %loop ]
  %p = getelementptr float, ptr %first, i64 %k
  %x = load float, ptr %p
  %sum = fadd float %s, %x
  %k.next = add nuw nsw i64 %k, 1
  %on = icmp ult i64 %k.next, %m
  br i1 %on, label %loop, label %done
done:
  %q = getelementptr float, ptr %out, i64 %id
  store float %sum, ptr %q
  br label %end
end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !8
exit:
  ret void
}

; Each second element, and a loop that is not to be unrolled.
; CHECK-LABEL: define void @kept(
; CHECK-NOT: load <4 x float>
; CHECK: ret void
define void @kept(ptr %a, ptr %out, i64 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %end ]
  %row = mul nsw i64 %id, %n
  %first = getelementptr float, ptr %a, i64 %row
  br label %loop
loop:
  %k = phi i64 [ 0, %items ], [ %k.next, %loop ]
  %s = phi float [ 0.0, %items ], [ %sum, %loop ]
  %p = getelementptr float, ptr %first, i64 %k
  %x = load float, ptr %p
  %sum = fadd float %s, %x
  %k.next = add nuw nsw i64 %k, 2
  %on = icmp ult i64 %k.next, 64
  br i1 %on, label %loop, label %again
again:
  %j = phi i64 [ 0, %loop ], [ %j.next, %again ]
  %t = phi float [ %sum, %loop ], [ %total, %again ]
  %r = getelementptr float, ptr %first, i64 %j
  %y = load float, ptr %r
  %total = fadd float %t, %y
  %j.next = add nuw nsw i64 %j, 1
  %go = icmp ult i64 %j.next, 64
  br i1 %go, label %again, label %done, !llvm.loop !10
done:
  %q = getelementptr float, ptr %out, i64 %id
  store float %total, ptr %q
  br label %end
end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !9
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
!2 = distinct !{!2, !1}
!4 = distinct !{!4, !1}
!5 = distinct !{!5, !1}
!6 = distinct !{!6, !1}
!7 = distinct !{!7, !1}
!8 = distinct !{!8, !1}
!9 = distinct !{!9, !1}
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.unroll.disable"}
