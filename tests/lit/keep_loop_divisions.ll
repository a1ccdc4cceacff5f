; RUN: %opt --passes=keep-loop-divisions %s | %filecheck %s
; Loops with a division that only some iterations make are left scalar by LLVM's loop vectoriser.

; CHECK-LABEL: define void @conditional(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[LEFT:![0-9]+]]
define void @conditional(ptr %a, ptr %b, i32 %x, i32 %y, i64 %n, i64 %k) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %here = icmp eq i64 %i, %k
  br i1 %here, label %divide, label %latch
divide:
  %r = urem i32 %x, %y
  %wide = zext i32 %r to i64
  %from = getelementptr double, ptr %a, i64 %wide
  %v = load double, ptr %from
  store double %v, ptr %b
  br label %latch
latch:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @always(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define void @always(ptr %b, i32 %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = trunc i64 %i to i32
  %r = udiv i32 %x, %y
  %to = getelementptr i32, ptr %b, i64 %i
  store i32 %r, ptr %to
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @by_constant(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define void @by_constant(ptr %b, i32 %x, i64 %n, i64 %k) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %here = icmp ult i64 %i, %k
  br i1 %here, label %divide, label %latch
divide:
  %r = sdiv i32 %x, 10
  %to = getelementptr i32, ptr %b, i64 %i
  store i32 %r, ptr %to
  br label %latch
latch:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK: [[LEFT]] = distinct !{[[LEFT]], [[PROPERTY:![0-9]+]]}
; CHECK: [[PROPERTY]] = !{!"llvm.loop.vectorize.enable", i32 0}
