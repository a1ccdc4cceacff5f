; RUN: %llc -mcpu=x86-64-v4 %s -o - | %fault
; RUN: %opt --passes=verify --isa=x86-64-v4 --emit=asm %s | %filecheck %s --check-prefix=AVOIDED
; KMOVBkk, KMOVWkk and KMOVDkk clear the upper bits of a mask, but count as copies (isMoveReg). Where the result is
; kept in memory, TargetInstrInfo::foldMemoryOperand stores the source in its place, with all bits. Not reported. Seen
; in 22.1.

; Nothing clears the upper half of %m.
; CHECK-LABEL: lower_half:
; CHECK: vpmovb2m %zmm0, %[[M:k[0-7]]]
; CHECK-NEXT: kmovq %[[M]], {{.*}} Spill

; AVOIDED-LABEL: lower_half:
; AVOIDED: kandd [[M:%k[0-7]]], [[M]], [[M]]
; AVOIDED-NEXT: kmovq [[M]], {{.*}}(%rsp)
define i64 @lower_half(<64 x i8> %x) {
  %m = icmp slt <64 x i8> %x, zeroinitializer
  %r = shufflevector <64 x i1> %m, <64 x i1> zeroinitializer, <64 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95>
  call void asm sideeffect "", "~{k0},~{k1},~{k2},~{k3},~{k4},~{k5},~{k6},~{k7}"()
  %bits = bitcast <64 x i1> %r to i64
  ret i64 %bits
}
