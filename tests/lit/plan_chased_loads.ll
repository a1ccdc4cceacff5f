; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A load that decides where the next iteration reads: one work-item waits for the latency of each, several in a vector wait
; together. By selection (a binary search) and by the value itself (a list).
; RUN: %opt --passes=print-vector-plans --emit=none --isa=x86-64-v3 %s | %filecheck %s

; CHECK: {{^}}; search items: width 8
; CHECK-NEXT: {{^}}; list items: width
; Near miss: the values that are read decide when the loop ends, not where it reads.
; CHECK-NEXT: {{^}}; probes items: scalar, vectors do not pay
; Three loads of an iteration that decide about the next one: together they take one latency, one after the other three.
; CHECK-NEXT: {{^}}; together items: width 8, {{.*}} against 1048
; CHECK-NEXT: {{^}}; one_by_one items: width 8, {{.*}} against 1496
define void @search(ptr %sorted, ptr %wanted, ptr %out, i32 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %kp = getelementptr i32, ptr %wanted, i64 %id
  %key = load i32, ptr %kp
  br label %step
step:
  %low = phi i32 [ 0, %items ], [ %low.next, %step ]
  %high = phi i32 [ %n, %items ], [ %high.next, %step ]
  %sum = add i32 %low, %high
  %middle = lshr i32 %sum, 1
  %at = zext i32 %middle to i64
  %p = getelementptr i32, ptr %sorted, i64 %at
  %v = load i32, ptr %p
  %less = icmp ult i32 %v, %key
  %above = add i32 %middle, 1
  %low.next = select i1 %less, i32 %above, i32 %low
  %high.next = select i1 %less, i32 %high, i32 %middle
  %again = icmp ult i32 %low.next, %high.next
  br i1 %again, label %step, label %items.end
items.end:
  %op = getelementptr i32, ptr %out, i64 %id
  store i32 %low.next, ptr %op
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @list(ptr %following, ptr %wanted, ptr %out, i32 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %kp = getelementptr i32, ptr %wanted, i64 %id
  %first = load i32, ptr %kp
  br label %step
step:
  %node = phi i32 [ %first, %items ], [ %v, %step ]
  %count = phi i32 [ 0, %items ], [ %counted, %step ]
  %at = zext i32 %node to i64
  %p = getelementptr i32, ptr %following, i64 %at
  %v = load i32, ptr %p
  %counted = add i32 %count, 1
  %again = icmp ult i32 %v, %n
  br i1 %again, label %step, label %items.end
items.end:
  %op = getelementptr i32, ptr %out, i64 %id
  store i32 %counted, ptr %op
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @probes(ptr %table, ptr %wanted, ptr %out, i32 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %kp = getelementptr i32, ptr %wanted, i64 %id
  %first = load i32, ptr %kp
  br label %step
step:
  %slot = phi i32 [ %first, %items ], [ %slot.next, %step ]
  %at = zext i32 %slot to i64
  %p = getelementptr i32, ptr %table, i64 %at
  %v = load i32, ptr %p
  %slot.next = add i32 %slot, 1
  %again = icmp ult i32 %v, %n
  br i1 %again, label %step, label %items.end
items.end:
  %op = getelementptr i32, ptr %out, i64 %id
  store i32 %slot, ptr %op
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @together(ptr %table, ptr %wanted, ptr %out, i32 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %kp = getelementptr i32, ptr %wanted, i64 %id
  %first = load i32, ptr %kp
  br label %step
step:
  %sum = phi i32 [ %first, %items ], [ %sum.next, %step ]
  %i = phi i32 [ 0, %items ], [ %i.next, %step ]
  %s0 = lshr i32 %sum, 0
  %at0 = zext i32 %s0 to i64
  %p0 = getelementptr i32, ptr %table, i64 %at0
  %x0 = load i32, ptr %p0
  %s1 = lshr i32 %sum, 8
  %at1 = zext i32 %s1 to i64
  %p1 = getelementptr i32, ptr %table, i64 %at1
  %x1 = load i32, ptr %p1
  %s2 = lshr i32 %sum, 16
  %at2 = zext i32 %s2 to i64
  %p2 = getelementptr i32, ptr %table, i64 %at2
  %x2 = load i32, ptr %p2
  %y = xor i32 %x0, %x1
  %sum.next = xor i32 %y, %x2
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %step, label %items.end
items.end:
  %op = getelementptr i32, ptr %out, i64 %id
  store i32 %sum.next, ptr %op
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @one_by_one(ptr %table, ptr %wanted, ptr %out, i32 %n, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %kp = getelementptr i32, ptr %wanted, i64 %id
  %first = load i32, ptr %kp
  br label %step
step:
  %sum = phi i32 [ %first, %items ], [ %sum.next, %step ]
  %i = phi i32 [ 0, %items ], [ %i.next, %step ]
  %s0 = lshr i32 %sum, 0
  %at0 = zext i32 %s0 to i64
  %p0 = getelementptr i32, ptr %table, i64 %at0
  %x0 = load i32, ptr %p0
  %s1 = lshr i32 %x0, 8
  %at1 = zext i32 %s1 to i64
  %p1 = getelementptr i32, ptr %table, i64 %at1
  %x1 = load i32, ptr %p1
  %s2 = lshr i32 %x1, 16
  %at2 = zext i32 %s2 to i64
  %p2 = getelementptr i32, ptr %table, i64 %at2
  %x2 = load i32, ptr %p2
  %sum.next = add i32 %x2, 1
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %step, label %items.end
items.end:
  %op = getelementptr i32, ptr %out, i64 %id
  store i32 %sum.next, ptr %op
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
