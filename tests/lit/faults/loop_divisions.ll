; RUN: %llvm_opt -passes=loop-vectorize -force-vector-width=4 -force-vector-interleave=1 -S %s | %fault
; RUN: %opt --passes='keep-loop-divisions,loop-vectorize' %s | %filecheck %s --check-prefix=AVOIDED
; A division that some iterations make, with the same operands in all of them, is made once, with the divisor of lane
; 0: 1 where lane 0 does not divide. The other lanes use its result. Not reported. Seen in 22.1.

; CHECK-LABEL: define void @conditional(
; CHECK: vector.body:
; CHECK: [[HERE:%.*]] = extractelement <4 x i1> {{.*}}, i32 0
; CHECK-NEXT: [[DIVISOR:%.*]] = select i1 [[HERE]], i32 %y, i32 1
; CHECK-NEXT: [[REST:%.*]] = urem i32 %x, [[DIVISOR]]
; CHECK-NEXT: [[INDEX:%.*]] = zext i32 [[REST]] to i64
; CHECK-NEXT: [[FROM:%.*]] = getelementptr double, ptr %a, i64 [[INDEX]]
; Lane 1:
; CHECK: extractelement <4 x i1> {{.*}}, i32 1
; CHECK: load double, ptr [[FROM]]

; AVOIDED-LABEL: define void @conditional(
; AVOIDED-NOT: vector.body
; AVOIDED: ret void
define void @conditional(ptr noalias %a, ptr noalias %b, i32 %x, i32 %y, i64 %n, i64 %k) {
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
