; RUN: %opt --passes=keep-loop-counters %s | %filecheck %s
; Loops that go through memory by different numbers of a counter's lower bits are left scalar by LLVM's loop vectoriser,
; which tests the larger number only.

; CHECK-LABEL: define void @different(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[LEFT:![0-9]+]]
define void @different(ptr %a, ptr %b, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %low = trunc i64 %i to i32
  %of.a = and i64 %i, 7
  %p = getelementptr i32, ptr %a, i64 %of.a
  store i32 %low, ptr %p
  %of.b = and i64 %i, 3
  %q = getelementptr i32, ptr %b, i64 %of.b
  store i32 %low, ptr %q
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The bits of an index and of a counter that is narrower than an address.
; CHECK-LABEL: define void @narrow_counter(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop {{![0-9]+}}
define void @narrow_counter(ptr %a, ptr %b, i32 %start, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %of.a = zext i32 %i to i64
  %p = getelementptr i32, ptr %a, i64 %of.a
  store i32 %i, ptr %p
  %bits = trunc i32 %i to i8
  %of.b = zext i8 %bits to i64
  %q = getelementptr i32, ptr %b, i64 %of.b
  store i32 %i, ptr %q
  %next = add i32 %i, 1
  %more = icmp ne i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @same(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define void @same(ptr %a, ptr %b, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %low = trunc i64 %i to i32
  %bits = and i64 %i, 7
  %p = getelementptr i32, ptr %a, i64 %bits
  store i32 %low, ptr %p
  %q = getelementptr i32, ptr %b, i64 %bits
  store i32 %low, ptr %q
  %r = getelementptr i32, ptr %b, i64 %i
  store i32 %low, ptr %r
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK: [[LEFT]] = distinct !{[[LEFT]], [[PROPERTY:![0-9]+]]}
; CHECK: [[PROPERTY]] = !{!"llvm.loop.vectorize.enable", i32 0}
