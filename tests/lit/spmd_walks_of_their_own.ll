; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Each work-item searches a line of its own. A vector would go on until its last lane has found something, so one
; work-item after the other is faster. The same search in lines that lie side by side pays.
; RUN: %opt --passes=vectorise --isa=x86-64-v4 %s | %filecheck %s
; CHECK: vectorise: f items: scalar, vectors do not pay
; CHECK: vectorise: g items: width
define void @f(ptr %text, ptr %out, i64 %length, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %begin = mul i64 %id, %length
  %line = getelementptr i8, ptr %text, i64 %begin
  br label %search
search:
  %k = phi i64 [ 0, %items ], [ %k.next, %search.more ]
  %p = getelementptr i8, ptr %line, i64 %k
  %c = load i8, ptr %p
  %found = icmp ult i8 %c, 8
  br i1 %found, label %items.end, label %search.more
search.more:
  %k.next = add nuw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %length
  br i1 %k.more, label %search, label %items.end
items.end:
  %r = phi i64 [ %k, %search ], [ -1, %search.more ]
  %to = getelementptr i64, ptr %out, i64 %id
  store i64 %r, ptr %to
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @g(ptr %text, ptr %out, i64 %length, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %line = getelementptr i8, ptr %text, i64 %id
  br label %search
search:
  %k = phi i64 [ 0, %items ], [ %k.next, %search.more ]
  %at = mul i64 %k, %size
  %p = getelementptr i8, ptr %line, i64 %at
  %c = load i8, ptr %p
  %found = icmp ult i8 %c, 8
  br i1 %found, label %items.end, label %search.more
search.more:
  %k.next = add nuw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %length
  br i1 %k.more, label %search, label %items.end
items.end:
  %r = phi i64 [ %k, %search ], [ -1, %search.more ]
  %to = getelementptr i64, ptr %out, i64 %id
  store i64 %r, ptr %to
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !1
exit:
  ret void
}
!0 = distinct !{!0, !2}
!1 = distinct !{!1, !2}
!2 = !{!"lanewise.items"}
