; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Loads that are the same in all iterations stand before the loop, with what their addresses take.
; RUN: %opt --passes=normalise-item-loops %s | %filecheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @moved(
; CHECK: items:
; CHECK: %c = getelementptr i32, ptr %counts, i64 %id
; CHECK: %count = load i32, ptr %c
; CHECK: br label %top
define void @moved(ptr %counts, ptr %out, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %done ]
  br label %top
top:
  %n = phi i32 [ 0, %items ], [ %n.next, %body ]
  %v = phi i32 [ 1, %items ], [ %v.next, %body ]
  %c = getelementptr i32, ptr %counts, i64 %id
  %count = load i32, ptr %c, align 4
  %in = icmp slt i32 %n, %count
  br i1 %in, label %body, label %done
body:
  %v.next = mul i32 %v, 3
  %n.next = add i32 %n, 1
  br label %top
done:
  %q = getelementptr i32, ptr %out, i64 %id
  store i32 %v, ptr %q, align 4
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Not what a loop may write, not what comes behind its test, not what others may change meanwhile.
; CHECK-LABEL: define void @stays(
; CHECK: body:
; CHECK: load i32, ptr %limit
; CHECK: other:
; CHECK: load atomic i32, ptr %limit
; CHECK: writes:
; CHECK: load i32, ptr %limit
define void @stays(ptr %limit, ptr %out, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %done ]
  br label %top
top:
  %n = phi i32 [ 0, %items ], [ %n.next, %body ]
  %in = icmp slt i32 %n, 7
  br i1 %in, label %body, label %other
body:
  %step = load i32, ptr %limit, align 4
  %n.next = add i32 %n, %step
  br label %top
other:
  %m = phi i32 [ 0, %top ], [ %m.next, %other ]
  %l = load atomic i32, ptr %limit monotonic, align 4
  %m.next = add i32 %m, 1
  %again = icmp slt i32 %m.next, %l
  br i1 %again, label %other, label %writes
writes:
  %k = phi i32 [ 0, %other ], [ %k.next, %writes ]
  %w = load i32, ptr %limit, align 4
  %q = getelementptr i32, ptr %out, i64 %id
  store i32 %w, ptr %q, align 4
  %k.next = add i32 %k, 1
  %once.more = icmp slt i32 %k.next, %w
  br i1 %once.more, label %writes, label %done
done:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
