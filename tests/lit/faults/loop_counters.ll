; RUN: %llvm_opt -passes=loop-vectorize -force-vector-width=8 -force-vector-interleave=1 -S %s | %fault
; RUN: %opt --passes='keep-loop-counters,loop-vectorize' %s | %filecheck %s --check-prefix=AVOIDED
; SCEVWrapPredicate::implies takes it that the lower two bits of a counter do not wrap where the lower three do not.
; Upstream: llvm/llvm-project issue 191382; mended in 23 by pull request 191498.

; The vector loop runs where the counter does not pass 7, and stores eight elements from b[0].
; CHECK-LABEL: define void @different(
; CHECK: [[LAST:%.*]] = add i64 %umax, -1
; CHECK-NEXT: [[WRAPS:%.*]] = icmp ugt i64 [[LAST]], 7
; CHECK-NEXT: br i1 [[WRAPS]]
; CHECK: vector.body:
; CHECK: [[INDEX:%.*]] = and i64 %index, 3
; CHECK-NEXT: [[TO:%.*]] = getelementptr i32, ptr %b, i64 [[INDEX]]
; CHECK: store <8 x i32> {{.*}}, ptr [[TO]]

; AVOIDED-LABEL: define void @different(
; AVOIDED-NOT: <8 x i32>
; AVOIDED: ret void
define void @different(ptr noalias %a, ptr noalias %b, i64 %n) {
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
