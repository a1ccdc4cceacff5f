; RUN: %opt --passes=unmask-bit-selects --isa=x86-64-v4 --emit=asm %s | %filecheck %s
; Masks whose upper part is cleared, by an operation that no later step of the code generator takes for a copy.

; CHECK-LABEL: halves:
; CHECK-NOT: kmovw %k
; CHECK: kandw [[M:%k[0-7]]], [[M]],
; CHECK-NOT: kmovw %k
; CHECK: retq
define i32 @halves(i32 %bits) {
  %m = bitcast i32 %bits to <32 x i1>
  %n = shufflevector <32 x i1> %m, <32 x i1> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %r = shufflevector <16 x i1> %n, <16 x i1> zeroinitializer, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %cleared = bitcast <32 x i1> %r to i32
  ret i32 %cleared
}

; CHECK-LABEL: quarters:
; CHECK-NOT: kmovb %k
; CHECK: kandb [[M:%k[0-7]]], [[M]],
; CHECK-NOT: kmovb %k
; CHECK: retq
define i16 @quarters(i16 %bits) {
  %m = bitcast i16 %bits to <16 x i1>
  %r = shufflevector <16 x i1> %m, <16 x i1> zeroinitializer, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %cleared = bitcast <16 x i1> %r to i16
  ret i16 %cleared
}

; A copy is one as before.
; CHECK-LABEL: copies:
; CHECK-NOT: kand
; CHECK: retq
define <16 x i32> @copies(<16 x i32> %x, <16 x i32> %y) {
  %m = icmp slt <16 x i32> %x, zeroinitializer
  %r = select <16 x i1> %m, <16 x i32> %y, <16 x i32> %x
  ret <16 x i32> %r
}
