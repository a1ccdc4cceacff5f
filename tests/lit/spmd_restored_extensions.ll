; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What InstCombine makes of the extension of an `int` index, as 3 * x + 5 of pixels of three bytes in OpenCV: products
; and sums in the upper half of 64 bits, shifted down again.
; RUN: %opt --passes=normalise-item-loops %s | %filecheck %s
; CHECK-LABEL: define void @forms
; CHECK: %[[X:.*]] = trunc i64 %id to i32
; CHECK-NEXT: %[[M:.*]] = mul i32 %[[X]], 3
; CHECK: sext i32 %[[M]] to i64
; CHECK: %[[X2:.*]] = trunc i64 %id to i32
; CHECK-NEXT: %[[M2:.*]] = mul i32 %[[X2]], 3
; CHECK-NEXT: %[[A2:.*]] = add i32 %[[M2]], 5
; CHECK: sext i32 %[[A2]] to i64
; CHECK: %[[X3:.*]] = trunc i64 %id to i32
; CHECK-NEXT: %[[S3:.*]] = shl i32 %[[X3]], 4
; CHECK: sext i32 %[[S3]] to i64
; CHECK: %[[X4:.*]] = trunc i64 %id to i16
; CHECK: %[[Y4:.*]] = trunc i64 %n to i16
; CHECK: %[[S4:.*]] = sub i16 %[[X4]], %[[Y4]]
; CHECK: %[[E4:.*]] = sext i16 %[[S4]] to i64
; CHECK-NEXT: shl i64 %[[E4]], 2
; CHECK-NOT: ashr
; CHECK: ret void
define void @forms(ptr %a, i64 %n) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %product = mul i64 %id, 12884901888
  %tripled = ashr exact i64 %product, 32
  store volatile i64 %tripled, ptr %a
  %sum = add i64 %product, 21474836480
  %moved = ashr exact i64 %sum, 32
  store volatile i64 %moved, ptr %a
  %sixteen = shl i64 %id, 36
  %scaled = ashr exact i64 %sixteen, 32
  store volatile i64 %scaled, ptr %a
  %high = shl i64 %id, 48
  %n.high = shl i64 %n, 48
  %difference = sub i64 %high, %n.high
  %short = ashr i64 %difference, 46
  store volatile i64 %short, ptr %a
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
; Near misses: lower bits that may be set come from the factor, from a part of the sum, or from a shift by fewer bits.
; CHECK-LABEL: define void @lower_bits
; CHECK-NOT: trunc
; CHECK: ret void
define void @lower_bits(ptr %a, i64 %n) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %product = mul i64 %id, 12884901889
  %factor = ashr i64 %product, 32
  store volatile i64 %factor, ptr %a
  %high = shl i64 %id, 32
  %sum = add i64 %high, %n
  %part = ashr i64 %sum, 32
  store volatile i64 %part, ptr %a
  %constant = add i64 %high, 2147483648
  %half = ashr i64 %constant, 32
  store volatile i64 %half, ptr %a
  %few = shl i64 %id, 31
  %shift = ashr i64 %few, 31
  store volatile i64 %shift, ptr %a
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
