; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop with two entries, in which a block branches to both: each keeps what the phi of the other one has for it.
; RUN: %opt --passes=normalise-item-loops %s | %filecheck %s

; CHECK-LABEL: define i32 @f(
; CHECK: %k = add i32 %[[V:.*]], 1
; CHECK: %[[V]] = phi i32 [ %j{{.*}}, %p.e_crit_edge ]
define i32 @f(i1 %c, i1 %d) {
entry:
  br i1 %c, label %h, label %e
h:
  %i = phi i32 [ 0, %entry ], [ %j, %p ], [ %k, %e ]
  br i1 %d, label %p, label %out
p:
  %j = add i32 %i, 1
  %t = icmp ult i32 %j, 5
  br i1 %t, label %e, label %h
e:
  %v = phi i32 [ 100, %entry ], [ %j, %p ]
  %k = add i32 %v, 1
  %u = icmp ult i32 %k, 50
  br i1 %u, label %h, label %out
out:
  %r = phi i32 [ %i, %h ], [ %k, %e ]
  ret i32 %r
}
