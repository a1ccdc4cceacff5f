; RUN: %opt --passes=blend-where-guarded --isa=x86-64-v3 %s | %filecheck %s
; A blend with lanes for which code was skipped goes to the end of that code; where the mask is another one it stays.

; CHECK-LABEL: define <8 x float> @rare(
; CHECK: any:
; CHECK: %[[CHOSEN:.*]] = select <8 x i1> %m, <8 x float> %y, <8 x float> %x
; CHECK: %[[OTHER:.*]] = select <8 x i1> %m, <8 x float> %[[CHOSEN]], <8 x float> splat (float 1.000000e+00)
; CHECK: after:
; CHECK: %second = phi <8 x float> [ splat (float 1.000000e+00), %entry ], [ %[[OTHER]], %any ]
; CHECK: %first = phi <8 x float> [ %x, %entry ], [ %[[CHOSEN]], %any ]
; CHECK-NOT: select
; CHECK: ret
define <8 x float> @rare(<8 x float> %x, <8 x i1> %m) {
entry:
  %bits = bitcast <8 x i1> %m to i8
  %none = icmp eq i8 %bits, 0
  br i1 %none, label %after, label %any

any:
  %y = fdiv <8 x float> splat (float 1.0), %x
  br label %after

after:
  %v = phi <8 x float> [ zeroinitializer, %entry ], [ %y, %any ]
  %first = select <8 x i1> %m, <8 x float> %v, <8 x float> %x
  %second = select <8 x i1> %m, <8 x float> %first, <8 x float> splat (float 1.0)
  %r = fadd <8 x float> %first, %second
  ret <8 x float> %r
}

; The inverted mask, and the inverted test.
; CHECK-LABEL: define <8 x float> @inverted(
; CHECK: any:
; CHECK: %[[CHOSEN:.*]] = select <8 x i1> %not, <8 x float> %x, <8 x float> %y
; CHECK: after:
; CHECK: %r = phi <8 x float> [ %x, %entry ], [ %[[CHOSEN]], %any ]
define <8 x float> @inverted(<8 x float> %x, <8 x i1> %m) {
entry:
  %not = xor <8 x i1> %m, splat (i1 true)
  %bits = bitcast <8 x i1> %m to i8
  %some = icmp ne i8 %bits, 0
  br i1 %some, label %any, label %after

any:
  %y = fdiv <8 x float> splat (float 1.0), %x
  br label %after

after:
  %v = phi <8 x float> [ zeroinitializer, %entry ], [ %y, %any ]
  %r = select <8 x i1> %not, <8 x float> %x, <8 x float> %v
  ret <8 x float> %r
}

; A test for all lanes, another mask, and an operand that is computed behind the guard.
; CHECK-LABEL: define <8 x float> @near_misses(
; CHECK: after:
; CHECK: select <8 x i1> %n, <8 x float> %v, <8 x float> %x
; CHECK: select <8 x i1> %m, <8 x float> %v, <8 x float> %later
; CHECK: last:
; CHECK: select <8 x i1> %m, <8 x float> %w, <8 x float> %x
define <8 x float> @near_misses(<8 x float> %x, <8 x i1> %m, <8 x i1> %n) {
entry:
  %bits = bitcast <8 x i1> %m to i8
  %none = icmp eq i8 %bits, 0
  br i1 %none, label %after, label %any

any:
  %y = fdiv <8 x float> splat (float 1.0), %x
  br label %after

after:
  %v = phi <8 x float> [ zeroinitializer, %entry ], [ %y, %any ]
  %a = select <8 x i1> %n, <8 x float> %v, <8 x float> %x
  %later = fadd <8 x float> %a, %x
  %b = select <8 x i1> %m, <8 x float> %v, <8 x float> %later
  %all = icmp eq i8 %bits, -1
  br i1 %all, label %last, label %rest

rest:
  %z = fdiv <8 x float> %b, %x
  br label %last

last:
  %w = phi <8 x float> [ zeroinitializer, %after ], [ %z, %rest ]
  %c = select <8 x i1> %m, <8 x float> %w, <8 x float> %x
  ret <8 x float> %c
}
