; RUN: %opt --passes=order-sums %s | %filecheck %s
; Terms that are known early are added first, and constants among them become loads before the loop.

; CHECK: @term = private unnamed_addr constant <4 x i32> splat (i32 100), align 16

; CHECK-LABEL: define <4 x i32> @rounds(
; CHECK: entry:
; CHECK: [[K:%term[0-9]*]] = load <4 x i32>, ptr @term, align 16, !invariant.load
; CHECK: loop:
; CHECK: %f0 = mul
; CHECK-NEXT: [[A:%b0[0-9]*]] = add <4 x i32> [[K]], %early
; CHECK-NEXT: [[B:%b0[0-9]*]] = add <4 x i32> [[A]], %f0
; CHECK-NEXT: %s1 = xor <4 x i32> [[B]], %f0
; CHECK-NOT: splat
define <4 x i32> @rounds(ptr %w, <4 x i32> %start, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr <4 x i32>, ptr %w, i64 %i
  %early = load <4 x i32>, ptr %at
  %s0 = xor <4 x i32> %early, %start
  %f0 = mul <4 x i32> %s0, %s0
  %a0 = add <4 x i32> %f0, %early
  %b0 = add <4 x i32> %a0, splat (i32 100)
  %s1 = xor <4 x i32> %b0, %f0
  %f1 = mul <4 x i32> %s1, %s1
  %a1 = add <4 x i32> %f1, %early
  %b1 = add <4 x i32> %a1, splat (i32 101)
  %s2 = xor <4 x i32> %b1, %f1
  %f2 = mul <4 x i32> %s2, %s2
  %a2 = add <4 x i32> %f2, %early
  %b2 = add <4 x i32> %a2, splat (i32 102)
  %s3 = xor <4 x i32> %b2, %f2
  %f3 = mul <4 x i32> %s3, %s3
  %a3 = add <4 x i32> %f3, %early
  %b3 = add <4 x i32> %a3, splat (i32 103)
  %s4 = xor <4 x i32> %b3, %f3
  %f4 = mul <4 x i32> %s4, %s4
  %a4 = add <4 x i32> %f4, %early
  %b4 = add <4 x i32> %a4, splat (i32 104)
  %s5 = xor <4 x i32> %b4, %f4
  %f5 = mul <4 x i32> %s5, %s5
  %a5 = add <4 x i32> %f5, %early
  %b5 = add <4 x i32> %a5, splat (i32 105)
  %s6 = xor <4 x i32> %b5, %f5
  %f6 = mul <4 x i32> %s6, %s6
  %a6 = add <4 x i32> %f6, %early
  %b6 = add <4 x i32> %a6, splat (i32 106)
  %s7 = xor <4 x i32> %b6, %f6
  %f7 = mul <4 x i32> %s7, %s7
  %a7 = add <4 x i32> %f7, %early
  %b7 = add <4 x i32> %a7, splat (i32 107)
  %s8 = xor <4 x i32> %b7, %f7
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret <4 x i32> %s8
}

; Not for a few sums: the constants would take registers.
; CHECK-LABEL: define <4 x i32> @few(
; CHECK: %a0 = add <4 x i32> %f0, %early
; CHECK-NEXT: %b0 = add <4 x i32> %a0, splat (i32 100)
define <4 x i32> @few(ptr %w, <4 x i32> %start, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr <4 x i32>, ptr %w, i64 %i
  %early = load <4 x i32>, ptr %at
  %s0 = xor <4 x i32> %early, %start
  %f0 = mul <4 x i32> %s0, %s0
  %a0 = add <4 x i32> %f0, %early
  %b0 = add <4 x i32> %a0, splat (i32 100)
  %s1 = xor <4 x i32> %b0, %f0
  %f1 = mul <4 x i32> %s1, %s1
  %a1 = add <4 x i32> %f1, %early
  %b1 = add <4 x i32> %a1, splat (i32 101)
  %s2 = xor <4 x i32> %b1, %f1
  %f2 = mul <4 x i32> %s2, %s2
  %a2 = add <4 x i32> %f2, %early
  %b2 = add <4 x i32> %a2, splat (i32 102)
  %s3 = xor <4 x i32> %b2, %f2
  %f3 = mul <4 x i32> %s3, %s3
  %a3 = add <4 x i32> %f3, %early
  %b3 = add <4 x i32> %a3, splat (i32 103)
  %s4 = xor <4 x i32> %b3, %f3
  %f4 = mul <4 x i32> %s4, %s4
  %a4 = add <4 x i32> %f4, %early
  %b4 = add <4 x i32> %a4, splat (i32 104)
  %s5 = xor <4 x i32> %b4, %f4
  %f5 = mul <4 x i32> %s5, %s5
  %a5 = add <4 x i32> %f5, %early
  %b5 = add <4 x i32> %a5, splat (i32 105)
  %s6 = xor <4 x i32> %b5, %f5
  %f6 = mul <4 x i32> %s6, %s6
  %a6 = add <4 x i32> %f6, %early
  %b6 = add <4 x i32> %a6, splat (i32 106)
  %s7 = xor <4 x i32> %b6, %f6
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret <4 x i32> %s7
}

; Scalar constants are parts of addresses.
; CHECK-LABEL: define i32 @scalars(
; CHECK: %a0 = add i32 %f0, %early
; CHECK-NEXT: %b0 = add i32 %a0, 100
define i32 @scalars(ptr %w, i32 %start, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr %w, i64 %i
  %early = load i32, ptr %at
  %s0 = xor i32 %early, %start
  %f0 = mul i32 %s0, %s0
  %a0 = add i32 %f0, %early
  %b0 = add i32 %a0, 100
  %s1 = xor i32 %b0, %f0
  %f1 = mul i32 %s1, %s1
  %a1 = add i32 %f1, %early
  %b1 = add i32 %a1, 101
  %s2 = xor i32 %b1, %f1
  %f2 = mul i32 %s2, %s2
  %a2 = add i32 %f2, %early
  %b2 = add i32 %a2, 102
  %s3 = xor i32 %b2, %f2
  %f3 = mul i32 %s3, %s3
  %a3 = add i32 %f3, %early
  %b3 = add i32 %a3, 103
  %s4 = xor i32 %b3, %f3
  %f4 = mul i32 %s4, %s4
  %a4 = add i32 %f4, %early
  %b4 = add i32 %a4, 104
  %s5 = xor i32 %b4, %f4
  %f5 = mul i32 %s5, %s5
  %a5 = add i32 %f5, %early
  %b5 = add i32 %a5, 105
  %s6 = xor i32 %b5, %f5
  %f6 = mul i32 %s6, %s6
  %a6 = add i32 %f6, %early
  %b6 = add i32 %a6, 106
  %s7 = xor i32 %b6, %f6
  %f7 = mul i32 %s7, %s7
  %a7 = add i32 %f7, %early
  %b7 = add i32 %a7, 107
  %s8 = xor i32 %b7, %f7
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %s8
}

; What earlier iterations have added up stays the last term: it is the longer chain.
; CHECK-LABEL: define <4 x i32> @accumulates(
; CHECK: %both0 = add <4 x i32> %early, %late
; CHECK-NEXT: %u0 = add <4 x i32> %t0, %both0
define <4 x i32> @accumulates(ptr %w, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %t0 = phi <4 x i32> [ zeroinitializer, %entry ], [ %u0, %loop ]
  %t1 = phi <4 x i32> [ zeroinitializer, %entry ], [ %u1, %loop ]
  %t2 = phi <4 x i32> [ zeroinitializer, %entry ], [ %u2, %loop ]
  %t3 = phi <4 x i32> [ zeroinitializer, %entry ], [ %u3, %loop ]
  %t4 = phi <4 x i32> [ zeroinitializer, %entry ], [ %u4, %loop ]
  %t5 = phi <4 x i32> [ zeroinitializer, %entry ], [ %u5, %loop ]
  %t6 = phi <4 x i32> [ zeroinitializer, %entry ], [ %u6, %loop ]
  %t7 = phi <4 x i32> [ zeroinitializer, %entry ], [ %u7, %loop ]
  %at = getelementptr <4 x i32>, ptr %w, i64 %i
  %early = load <4 x i32>, ptr %at
  %late = mul <4 x i32> %early, %early
  %both0 = add <4 x i32> %early, %late
  %u0 = add <4 x i32> %t0, %both0
  %both1 = add <4 x i32> %early, %late
  %u1 = add <4 x i32> %t1, %both1
  %both2 = add <4 x i32> %early, %late
  %u2 = add <4 x i32> %t2, %both2
  %both3 = add <4 x i32> %early, %late
  %u3 = add <4 x i32> %t3, %both3
  %both4 = add <4 x i32> %early, %late
  %u4 = add <4 x i32> %t4, %both4
  %both5 = add <4 x i32> %early, %late
  %u5 = add <4 x i32> %t5, %both5
  %both6 = add <4 x i32> %early, %late
  %u6 = add <4 x i32> %t6, %both6
  %both7 = add <4 x i32> %early, %late
  %u7 = add <4 x i32> %t7, %both7
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %r = xor <4 x i32> %u0, %u7
  ret <4 x i32> %r
}
