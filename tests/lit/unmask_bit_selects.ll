; RUN: %opt --passes=unmask-bit-selects --isa=x86-64-v4 %s | %filecheck %s
; RUN: %opt --passes=unmask-bit-selects --isa=x86-64-v3 %s | %filecheck %s --check-prefix=V3
; Bits of two vectors under a mask, without the select for which LLVM's code generator for AVX-512 makes wrong code.

; CHECK-LABEL: define <4 x i32> @select_joined(
; CHECK: %[[MASK:.*]] = select <4 x i1> %k, <4 x i32> splat (i32 -16), <4 x i32> zeroinitializer
; CHECK: %[[X:.*]] = freeze <4 x i32> %x
; CHECK: %[[Y:.*]] = freeze <4 x i32> %y
; CHECK: %[[DIFFER:.*]] = xor <4 x i32> %[[X]], %[[Y]]
; CHECK: %[[CHANGED:.*]] = and <4 x i32> %[[DIFFER]], %[[MASK]]
; CHECK: %[[RESULT:.*]] = xor <4 x i32> %[[X]], %[[CHANGED]]
; CHECK: ret <4 x i32> %[[RESULT]]
; V3: select <4 x i1> %k, <4 x i32> %joined, <4 x i32> %x
define <4 x i32> @select_joined(<4 x i1> %k, <4 x i32> %x, <4 x i32> %y) {
  %low = and <4 x i32> %x, splat (i32 15)
  %high = and <4 x i32> %y, splat (i32 -16)
  %joined = or <4 x i32> %low, %high
  %r = select <4 x i1> %k, <4 x i32> %joined, <4 x i32> %x
  ret <4 x i32> %r
}

; Here a set mask keeps the vector, so the lanes of the constant are swapped.
; CHECK-LABEL: define <4 x i32> @select_kept(
; CHECK: select <4 x i1> %k, <4 x i32> zeroinitializer, <4 x i32> splat (i32 -16)
; CHECK-NOT: select
; CHECK: ret <4 x i32>
define <4 x i32> @select_kept(<4 x i1> %k, <4 x i32> %x, <4 x i32> %y) {
  %low = and <4 x i32> %x, splat (i32 15)
  %high = and <4 x i32> %y, splat (i32 -16)
  %joined = add <4 x i32> %low, %high
  %r = select <4 x i1> %k, <4 x i32> %x, <4 x i32> %joined
  ret <4 x i32> %r
}

; Inverted bits: l & ~3 | (l & 3 ^ 3), a neighbour in a cluster of four.
; CHECK-LABEL: define <4 x i32> @inverted(
; CHECK: %[[MASK:.*]] = select <4 x i1> %k, <4 x i32> splat (i32 3), <4 x i32> zeroinitializer
; CHECK: %[[X:.*]] = freeze <4 x i32> %x
; CHECK: %[[Y:.*]] = freeze <4 x i32> %x
; CHECK: %[[N:.*]] = xor <4 x i32> %[[Y]], splat (i32 3)
; CHECK: %[[DIFFER:.*]] = xor <4 x i32> %[[X]], %[[N]]
; CHECK: and <4 x i32> %[[DIFFER]], %[[MASK]]
; CHECK-NOT: select
; CHECK: ret <4 x i32>
define <4 x i32> @inverted(<4 x i1> %k, <4 x i32> %x) {
  %first = and <4 x i32> %x, splat (i32 -4)
  %lane = and <4 x i32> %x, splat (i32 3)
  %other = xor <4 x i32> %lane, splat (i32 3)
  %joined = or disjoint <4 x i32> %first, %other
  %r = select <4 x i1> %k, <4 x i32> %joined, <4 x i32> %x
  ret <4 x i32> %r
}

; Bits beyond the mask are inverted too, so the parts overlap.
; CHECK-LABEL: define <4 x i32> @inverted_beyond(
; CHECK: select <4 x i1> %k, <4 x i32> %joined, <4 x i32> %x
define <4 x i32> @inverted_beyond(<4 x i1> %k, <4 x i32> %x) {
  %first = and <4 x i32> %x, splat (i32 -4)
  %lane = and <4 x i32> %x, splat (i32 3)
  %other = xor <4 x i32> %lane, splat (i32 7)
  %joined = or <4 x i32> %first, %other
  %r = select <4 x i1> %k, <4 x i32> %joined, <4 x i32> %x
  ret <4 x i32> %r
}

; With bits that both constants have, or neither, this does not select between the two.
; CHECK-LABEL: define <4 x i32> @overlapping(
; CHECK: select <4 x i1> %k, <4 x i32> %joined, <4 x i32> %x
define <4 x i32> @overlapping(<4 x i1> %k, <4 x i32> %x, <4 x i32> %y) {
  %low = and <4 x i32> %x, splat (i32 31)
  %high = and <4 x i32> %y, splat (i32 -16)
  %joined = or <4 x i32> %low, %high
  %r = select <4 x i1> %k, <4 x i32> %joined, <4 x i32> %x
  ret <4 x i32> %r
}
