; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Elements of a vector that are tested one after the other are compared at once.
; RUN: %opt --passes=compare-elements-together --isa=x86-64-v4 %s | %filecheck %s

; CHECK-LABEL: define i1 @any(
; CHECK: %[[OTHER:.*]] = shufflevector <4 x i32> {{.*}} zeroinitializer
; CHECK-NEXT: %[[EACH:.*]] = icmp eq <4 x i32> %v, %[[OTHER]]
; CHECK-NEXT: %[[STABLE:.*]] = freeze <4 x i1> %[[EACH]]
; CHECK-NEXT: %[[BITS:.*]] = bitcast <4 x i1> %[[STABLE]] to i4
; CHECK-NEXT: %[[ANY:.*]] = icmp ne i4 %[[BITS]], 0
; CHECK-NEXT: ret i1 %[[ANY]]
define i1 @any(<4 x i32> %v, i32 %x) {
  %e0 = extractelement <4 x i32> %v, i64 0
  %c0 = icmp eq i32 %e0, %x
  %e1 = extractelement <4 x i32> %v, i64 1
  %c1 = icmp eq i32 %x, %e1
  %a1 = select i1 %c0, i1 true, i1 %c1
  %e2 = extractelement <4 x i32> %v, i64 2
  %c2 = icmp eq i32 %e2, %x
  %a2 = select i1 %a1, i1 true, i1 %c2
  %e3 = extractelement <4 x i32> %v, i64 3
  %c3 = icmp eq i32 %e3, %x
  %a3 = select i1 %a2, i1 true, i1 %c3
  ret i1 %a3
}

; For all, element by element of another vector, and without one element.
; CHECK-LABEL: define i1 @all(
; CHECK: %[[EACH:.*]] = fcmp olt <8 x float> %v, %w
; CHECK: %[[BITS:.*]] = bitcast <8 x i1> %{{.*}} to i8
; CHECK: %[[SOME:.*]] = and i8 %[[BITS]], 15
; CHECK: %[[ALL:.*]] = icmp eq i8 %[[SOME]], 15
; CHECK: %[[BOTH:.*]] = select i1 %[[ALL]], i1 %c, i1 false
; CHECK: ret i1 %[[BOTH]]
define i1 @all(<8 x float> %v, <8 x float> %w, i1 %c) {
  %v0 = extractelement <8 x float> %v, i64 0
  %w0 = extractelement <8 x float> %w, i64 0
  %c0 = fcmp olt float %v0, %w0
  %v1 = extractelement <8 x float> %v, i64 1
  %w1 = extractelement <8 x float> %w, i64 1
  %c1 = fcmp ogt float %w1, %v1
  %v2 = extractelement <8 x float> %v, i64 2
  %w2 = extractelement <8 x float> %w, i64 2
  %c2 = fcmp olt float %v2, %w2
  %v3 = extractelement <8 x float> %v, i64 3
  %w3 = extractelement <8 x float> %w, i64 3
  %c3 = fcmp olt float %v3, %w3
  %a0 = select i1 %c0, i1 %c, i1 false
  %a1 = and i1 %c1, %c2
  %a2 = select i1 %a0, i1 %a1, i1 false
  %a3 = select i1 %a2, i1 %c3, i1 false
  ret i1 %a3
}

; Results that are in a vector already, and a part of the test that is used elsewhere too.
; CHECK-LABEL: define i1 @results(
; CHECK: %c = icmp ult <4 x i32> %v, %w
; CHECK: store i1 %a2, ptr %p
; CHECK: %[[STABLE:.*]] = freeze <4 x i1> %c
; CHECK: %[[BITS:.*]] = bitcast <4 x i1> %[[STABLE]] to i4
; CHECK: %[[ALL:.*]] = icmp eq i4 %[[BITS]], -1
; CHECK: ret i1 %[[ALL]]
define i1 @results(<4 x i32> %v, <4 x i32> %w, ptr %p) {
  %c = icmp ult <4 x i32> %v, %w
  %c0 = extractelement <4 x i1> %c, i64 0
  %c1 = extractelement <4 x i1> %c, i64 1
  %a1 = select i1 %c0, i1 %c1, i1 false
  %c2 = extractelement <4 x i1> %c, i64 2
  %a2 = select i1 %a1, i1 %c2, i1 false
  store i1 %a2, ptr %p
  %c3 = extractelement <4 x i1> %c, i64 3
  %a3 = select i1 %a2, i1 %c3, i1 false
  ret i1 %a3
}

; Near misses: too few elements of the vector, other predicates and values, indices that are not known, another element of
; the other vector.
; CHECK-LABEL: define i1 @few(
; CHECK-NOT: icmp eq <
define i1 @few(<16 x i32> %v, i32 %x) {
  %e0 = extractelement <16 x i32> %v, i64 0
  %c0 = icmp eq i32 %e0, %x
  %e1 = extractelement <16 x i32> %v, i64 1
  %c1 = icmp eq i32 %e1, %x
  %a1 = select i1 %c0, i1 true, i1 %c1
  %e2 = extractelement <16 x i32> %v, i64 2
  %c2 = icmp eq i32 %e2, %x
  %a2 = select i1 %a1, i1 true, i1 %c2
  %e3 = extractelement <16 x i32> %v, i64 3
  %c3 = icmp eq i32 %e3, %x
  %a3 = select i1 %a2, i1 true, i1 %c3
  ret i1 %a3
}

; CHECK-LABEL: define i1 @different(
; CHECK-NOT: icmp {{[a-z]*}} <
define i1 @different(<4 x i32> %v, i32 %x, i32 %y) {
  %e0 = extractelement <4 x i32> %v, i64 0
  %c0 = icmp eq i32 %e0, %x
  %e1 = extractelement <4 x i32> %v, i64 1
  %c1 = icmp ult i32 %e1, %x
  %a1 = select i1 %c0, i1 true, i1 %c1
  %e2 = extractelement <4 x i32> %v, i64 2
  %c2 = icmp eq i32 %e2, %y
  %a2 = select i1 %a1, i1 true, i1 %c2
  %e3 = extractelement <4 x i32> %v, i64 3
  %c3 = icmp eq i32 %e3, %x
  %a3 = select i1 %a2, i1 true, i1 %c3
  ret i1 %a3
}

; CHECK-LABEL: define i1 @unknown(
; CHECK-NOT: icmp eq <
define i1 @unknown(<4 x i32> %v, <4 x i32> %w, i32 %x, i64 %k) {
  %e0 = extractelement <4 x i32> %v, i64 %k
  %c0 = icmp eq i32 %e0, %x
  %e1 = extractelement <4 x i32> %v, i64 1
  %w2 = extractelement <4 x i32> %w, i64 2
  %c1 = icmp eq i32 %e1, %w2
  %a1 = select i1 %c0, i1 true, i1 %c1
  %e2 = extractelement <4 x i32> %v, i64 2
  %c2 = icmp eq i32 %e2, %x
  %a2 = select i1 %a1, i1 true, i1 %c2
  %e3 = extractelement <4 x i32> %v, i64 3
  %c3 = icmp eq i32 %e3, %x
  %a3 = select i1 %a2, i1 true, i1 %c3
  ret i1 %a3
}
