; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A second vector in flight where upper halves of products follow from each other, because one takes a dozen cycles. Not
; for two of them, nor where the lower half is enough, in code that has as much to do beside.
; RUN: %opt --passes=print-vector-plans --isa=x86-64-v3 --emit=none %s | %filecheck %s
; CHECK: {{^}}; upper items: width 8,
; CHECK-NEXT: {{^}}; few items: width 4,
; CHECK-NEXT: {{^}}; lower items: width 4,
define void @upper(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr i64, ptr %a, i64 %id
  %v = load i64, ptr %p
  %e0 = zext i64 %v to i128
  %m0 = mul i128 %e0, 15197193596820024467
  %h0 = lshr i128 %m0, 64
  %t0 = trunc i128 %h0 to i64
  %x0 = xor i64 %t0, %id
  %a0 = add i64 %v, 1000
  %b0 = lshr i64 %v, 1
  %c0 = shl i64 %v, 2
  %d0 = xor i64 %a0, %b0
  %f0 = or i64 %c0, %a0
  %g0 = and i64 %d0, %f0
  %i0 = add i64 %g0, %b0
  %s0 = xor i64 %i0, %v
  %e1 = zext i64 %x0 to i128
  %m1 = mul i128 %e1, 15197193596820024467
  %h1 = lshr i128 %m1, 64
  %t1 = trunc i128 %h1 to i64
  %x1 = xor i64 %t1, %id
  %a1 = add i64 %v, 1001
  %b1 = lshr i64 %v, 2
  %c1 = shl i64 %v, 3
  %d1 = xor i64 %a1, %b1
  %f1 = or i64 %c1, %a1
  %g1 = and i64 %d1, %f1
  %i1 = add i64 %g1, %b1
  %s1 = xor i64 %i1, %s0
  %e2 = zext i64 %x1 to i128
  %m2 = mul i128 %e2, 15197193596820024467
  %h2 = lshr i128 %m2, 64
  %t2 = trunc i128 %h2 to i64
  %x2 = xor i64 %t2, %id
  %a2 = add i64 %v, 1002
  %b2 = lshr i64 %v, 3
  %c2 = shl i64 %v, 4
  %d2 = xor i64 %a2, %b2
  %f2 = or i64 %c2, %a2
  %g2 = and i64 %d2, %f2
  %i2 = add i64 %g2, %b2
  %s2 = xor i64 %i2, %s1
  %e3 = zext i64 %x2 to i128
  %m3 = mul i128 %e3, 15197193596820024467
  %h3 = lshr i128 %m3, 64
  %t3 = trunc i128 %h3 to i64
  %x3 = xor i64 %t3, %id
  %a3 = add i64 %v, 1003
  %b3 = lshr i64 %v, 4
  %c3 = shl i64 %v, 5
  %d3 = xor i64 %a3, %b3
  %f3 = or i64 %c3, %a3
  %g3 = and i64 %d3, %f3
  %i3 = add i64 %g3, %b3
  %s3 = xor i64 %i3, %s2
  %e4 = zext i64 %x3 to i128
  %m4 = mul i128 %e4, 15197193596820024467
  %h4 = lshr i128 %m4, 64
  %t4 = trunc i128 %h4 to i64
  %x4 = xor i64 %t4, %id
  %a4 = add i64 %v, 1004
  %b4 = lshr i64 %v, 5
  %c4 = shl i64 %v, 6
  %d4 = xor i64 %a4, %b4
  %f4 = or i64 %c4, %a4
  %g4 = and i64 %d4, %f4
  %i4 = add i64 %g4, %b4
  %s4 = xor i64 %i4, %s3
  %e5 = zext i64 %x4 to i128
  %m5 = mul i128 %e5, 15197193596820024467
  %h5 = lshr i128 %m5, 64
  %t5 = trunc i128 %h5 to i64
  %x5 = xor i64 %t5, %id
  %a5 = add i64 %v, 1005
  %b5 = lshr i64 %v, 6
  %c5 = shl i64 %v, 7
  %d5 = xor i64 %a5, %b5
  %f5 = or i64 %c5, %a5
  %g5 = and i64 %d5, %f5
  %i5 = add i64 %g5, %b5
  %s5 = xor i64 %i5, %s4
  %e6 = zext i64 %x5 to i128
  %m6 = mul i128 %e6, 15197193596820024467
  %h6 = lshr i128 %m6, 64
  %t6 = trunc i128 %h6 to i64
  %x6 = xor i64 %t6, %id
  %a6 = add i64 %v, 1006
  %b6 = lshr i64 %v, 7
  %c6 = shl i64 %v, 8
  %d6 = xor i64 %a6, %b6
  %f6 = or i64 %c6, %a6
  %g6 = and i64 %d6, %f6
  %i6 = add i64 %g6, %b6
  %s6 = xor i64 %i6, %s5
  %e7 = zext i64 %x6 to i128
  %m7 = mul i128 %e7, 15197193596820024467
  %h7 = lshr i128 %m7, 64
  %t7 = trunc i128 %h7 to i64
  %x7 = xor i64 %t7, %id
  %a7 = add i64 %v, 1007
  %b7 = lshr i64 %v, 8
  %c7 = shl i64 %v, 9
  %d7 = xor i64 %a7, %b7
  %f7 = or i64 %c7, %a7
  %g7 = and i64 %d7, %f7
  %i7 = add i64 %g7, %b7
  %s7 = xor i64 %i7, %s6
  %e8 = zext i64 %x7 to i128
  %m8 = mul i128 %e8, 15197193596820024467
  %h8 = lshr i128 %m8, 64
  %t8 = trunc i128 %h8 to i64
  %x8 = xor i64 %t8, %id
  %a8 = add i64 %v, 1008
  %b8 = lshr i64 %v, 9
  %c8 = shl i64 %v, 10
  %d8 = xor i64 %a8, %b8
  %f8 = or i64 %c8, %a8
  %g8 = and i64 %d8, %f8
  %i8 = add i64 %g8, %b8
  %s8 = xor i64 %i8, %s7
  %e9 = zext i64 %x8 to i128
  %m9 = mul i128 %e9, 15197193596820024467
  %h9 = lshr i128 %m9, 64
  %t9 = trunc i128 %h9 to i64
  %x9 = xor i64 %t9, %id
  %a9 = add i64 %v, 1009
  %b9 = lshr i64 %v, 10
  %c9 = shl i64 %v, 11
  %d9 = xor i64 %a9, %b9
  %f9 = or i64 %c9, %a9
  %g9 = and i64 %d9, %f9
  %i9 = add i64 %g9, %b9
  %s9 = xor i64 %i9, %s8
  %sum = xor i64 %x9, %s9
  store i64 %sum, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @few(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr i64, ptr %a, i64 %id
  %v = load i64, ptr %p
  %e0 = zext i64 %v to i128
  %m0 = mul i128 %e0, 15197193596820024467
  %h0 = lshr i128 %m0, 64
  %t0 = trunc i128 %h0 to i64
  %x0 = xor i64 %t0, %id
  %a0 = add i64 %v, 1000
  %b0 = lshr i64 %v, 1
  %c0 = shl i64 %v, 2
  %d0 = xor i64 %a0, %b0
  %f0 = or i64 %c0, %a0
  %g0 = and i64 %d0, %f0
  %i0 = add i64 %g0, %b0
  %s0 = xor i64 %i0, %v
  %e1 = zext i64 %x0 to i128
  %m1 = mul i128 %e1, 15197193596820024467
  %h1 = lshr i128 %m1, 64
  %t1 = trunc i128 %h1 to i64
  %x1 = xor i64 %t1, %id
  %a1 = add i64 %v, 1001
  %b1 = lshr i64 %v, 2
  %c1 = shl i64 %v, 3
  %d1 = xor i64 %a1, %b1
  %f1 = or i64 %c1, %a1
  %g1 = and i64 %d1, %f1
  %i1 = add i64 %g1, %b1
  %s1 = xor i64 %i1, %s0
  %sum = xor i64 %x1, %s1
  store i64 %sum, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @lower(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr i64, ptr %a, i64 %id
  %v = load i64, ptr %p
  %e0 = add i64 %v, 3
  %m0 = mul i64 %e0, 1519719359682002447
  %h0 = lshr i64 %m0, 7
  %t0 = add i64 %h0, %e0
  %x0 = xor i64 %t0, %id
  %a0 = add i64 %v, 1000
  %b0 = lshr i64 %v, 1
  %c0 = shl i64 %v, 2
  %d0 = xor i64 %a0, %b0
  %f0 = or i64 %c0, %a0
  %g0 = and i64 %d0, %f0
  %i0 = add i64 %g0, %b0
  %s0 = xor i64 %i0, %v
  %e1 = add i64 %x0, 3
  %m1 = mul i64 %e1, 1519719359682002447
  %h1 = lshr i64 %m1, 7
  %t1 = add i64 %h1, %e1
  %x1 = xor i64 %t1, %id
  %a1 = add i64 %v, 1001
  %b1 = lshr i64 %v, 2
  %c1 = shl i64 %v, 3
  %d1 = xor i64 %a1, %b1
  %f1 = or i64 %c1, %a1
  %g1 = and i64 %d1, %f1
  %i1 = add i64 %g1, %b1
  %s1 = xor i64 %i1, %s0
  %e2 = add i64 %x1, 3
  %m2 = mul i64 %e2, 1519719359682002447
  %h2 = lshr i64 %m2, 7
  %t2 = add i64 %h2, %e2
  %x2 = xor i64 %t2, %id
  %a2 = add i64 %v, 1002
  %b2 = lshr i64 %v, 3
  %c2 = shl i64 %v, 4
  %d2 = xor i64 %a2, %b2
  %f2 = or i64 %c2, %a2
  %g2 = and i64 %d2, %f2
  %i2 = add i64 %g2, %b2
  %s2 = xor i64 %i2, %s1
  %e3 = add i64 %x2, 3
  %m3 = mul i64 %e3, 1519719359682002447
  %h3 = lshr i64 %m3, 7
  %t3 = add i64 %h3, %e3
  %x3 = xor i64 %t3, %id
  %a3 = add i64 %v, 1003
  %b3 = lshr i64 %v, 4
  %c3 = shl i64 %v, 5
  %d3 = xor i64 %a3, %b3
  %f3 = or i64 %c3, %a3
  %g3 = and i64 %d3, %f3
  %i3 = add i64 %g3, %b3
  %s3 = xor i64 %i3, %s2
  %e4 = add i64 %x3, 3
  %m4 = mul i64 %e4, 1519719359682002447
  %h4 = lshr i64 %m4, 7
  %t4 = add i64 %h4, %e4
  %x4 = xor i64 %t4, %id
  %a4 = add i64 %v, 1004
  %b4 = lshr i64 %v, 5
  %c4 = shl i64 %v, 6
  %d4 = xor i64 %a4, %b4
  %f4 = or i64 %c4, %a4
  %g4 = and i64 %d4, %f4
  %i4 = add i64 %g4, %b4
  %s4 = xor i64 %i4, %s3
  %e5 = add i64 %x4, 3
  %m5 = mul i64 %e5, 1519719359682002447
  %h5 = lshr i64 %m5, 7
  %t5 = add i64 %h5, %e5
  %x5 = xor i64 %t5, %id
  %a5 = add i64 %v, 1005
  %b5 = lshr i64 %v, 6
  %c5 = shl i64 %v, 7
  %d5 = xor i64 %a5, %b5
  %f5 = or i64 %c5, %a5
  %g5 = and i64 %d5, %f5
  %i5 = add i64 %g5, %b5
  %s5 = xor i64 %i5, %s4
  %e6 = add i64 %x5, 3
  %m6 = mul i64 %e6, 1519719359682002447
  %h6 = lshr i64 %m6, 7
  %t6 = add i64 %h6, %e6
  %x6 = xor i64 %t6, %id
  %a6 = add i64 %v, 1006
  %b6 = lshr i64 %v, 7
  %c6 = shl i64 %v, 8
  %d6 = xor i64 %a6, %b6
  %f6 = or i64 %c6, %a6
  %g6 = and i64 %d6, %f6
  %i6 = add i64 %g6, %b6
  %s6 = xor i64 %i6, %s5
  %e7 = add i64 %x6, 3
  %m7 = mul i64 %e7, 1519719359682002447
  %h7 = lshr i64 %m7, 7
  %t7 = add i64 %h7, %e7
  %x7 = xor i64 %t7, %id
  %a7 = add i64 %v, 1007
  %b7 = lshr i64 %v, 8
  %c7 = shl i64 %v, 9
  %d7 = xor i64 %a7, %b7
  %f7 = or i64 %c7, %a7
  %g7 = and i64 %d7, %f7
  %i7 = add i64 %g7, %b7
  %s7 = xor i64 %i7, %s6
  %e8 = add i64 %x7, 3
  %m8 = mul i64 %e8, 1519719359682002447
  %h8 = lshr i64 %m8, 7
  %t8 = add i64 %h8, %e8
  %x8 = xor i64 %t8, %id
  %a8 = add i64 %v, 1008
  %b8 = lshr i64 %v, 9
  %c8 = shl i64 %v, 10
  %d8 = xor i64 %a8, %b8
  %f8 = or i64 %c8, %a8
  %g8 = and i64 %d8, %f8
  %i8 = add i64 %g8, %b8
  %s8 = xor i64 %i8, %s7
  %e9 = add i64 %x8, 3
  %m9 = mul i64 %e9, 1519719359682002447
  %h9 = lshr i64 %m9, 7
  %t9 = add i64 %h9, %e9
  %x9 = xor i64 %t9, %id
  %a9 = add i64 %v, 1009
  %b9 = lshr i64 %v, 10
  %c9 = shl i64 %v, 11
  %d9 = xor i64 %a9, %b9
  %f9 = or i64 %c9, %a9
  %g9 = and i64 %d9, %f9
  %i9 = add i64 %g9, %b9
  %s9 = xor i64 %i9, %s8
  %sum = xor i64 %x9, %s9
  store i64 %sum, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
