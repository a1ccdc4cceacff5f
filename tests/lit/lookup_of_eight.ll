; RUN: %opt --passes=lower-machine-operations --isa=x86-64-v3 %s | %filecheck %s
; A table of eight floats is one permutation for eight lanes, whatever the number of lanes. One of eight doubles is a
; permutation of the high words and one of the low words, both by the index in the high word; one of four doubles fits
; into one register.

@table = private unnamed_addr constant [8 x float] zeroinitializer
@high = private unnamed_addr constant [8 x i32] zeroinitializer
@four = private unnamed_addr constant [4 x double] [double 1.0, double 2.0, double 4.0, double 8.0]
@low = private unnamed_addr constant [8 x i32] zeroinitializer

; CHECK-LABEL: define <16 x float> @two_registers(
; CHECK: %[[LOW:.*]] = shufflevector <16 x i32> %i
; CHECK: %[[TABLE:.*]] = load <8 x float>, ptr @table
; CHECK: call <8 x float> @llvm.x86.avx2.permps(<8 x float> %[[TABLE]], <8 x i32> %[[LOW]])
; CHECK: call <8 x float> @llvm.x86.avx2.permps(
; CHECK-NOT: permps
; CHECK: ret <16 x float>
define <16 x float> @two_registers(<16 x i32> %i) {
  %t = call <16 x float> @__lw_op_lookup8_f.16(ptr @table, <16 x i32> %i)
  ret <16 x float> %t
}

; CHECK-LABEL: define float @one(
; CHECK: call <8 x float> @llvm.x86.avx2.permps(
; CHECK: extractelement <8 x float>
define float @one(i32 %i) {
  %t = call float @__lw_op_lookup8_f(ptr @table, i32 %i)
  ret float %t
}

; CHECK-LABEL: define <4 x double> @doubles(
; CHECK: %[[WORDS:.*]] = bitcast <4 x i64> %i to <8 x i32>
; CHECK: %[[INDEX:.*]] = shufflevector <8 x i32> %[[WORDS]], {{.*}} <8 x i32> <i32 1, i32 1, i32 3, i32 3, {{.*}}>
; CHECK: %[[TABLE:.*]] = load <8 x i32>, ptr @high
; CHECK: %[[HIGH:.*]] = call <8 x i32> @llvm.x86.avx2.permd(<8 x i32> %[[TABLE]], <8 x i32> %[[INDEX]])
; CHECK: %[[LOW:.*]] = call <8 x i32> @llvm.x86.avx2.permd(
; CHECK: shufflevector <8 x i32> %[[LOW]], <8 x i32> %[[HIGH]], <8 x i32> <i32 0, i32 9, i32 2, i32 11, {{.*}}>
; CHECK: ret <4 x double>
define <4 x double> @doubles(<4 x i64> %i) {
  %t = call <4 x double> @__lw_op_lookup8_d.4(ptr @high, ptr @low, <4 x i64> %i)
  ret <4 x double> %t
}

; CHECK-LABEL: define <4 x double> @four_doubles(
; CHECK: %[[WORDS:.*]] = bitcast <4 x i64> %i to <8 x i32>
; CHECK: %[[BOTH:.*]] = shufflevector <8 x i32> %[[WORDS]], {{.*}} <8 x i32> <i32 1, i32 1, i32 3, i32 3, {{.*}}>
; CHECK: %[[INDEX:.*]] = or <8 x i32> %[[BOTH]], <i32 0, i32 4, i32 0, i32 4, {{.*}}>
; CHECK: %[[TABLE:.*]] = load <8 x i32>, ptr @four
; CHECK: %[[APART:.*]] = shufflevector <8 x i32> %[[TABLE]], {{.*}} <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 1, i32 3, i32 5, i32 7>
; CHECK: call <8 x i32> @llvm.x86.avx2.permd(<8 x i32> %[[APART]], <8 x i32> %[[INDEX]])
; CHECK: ret <4 x double>
define <4 x double> @four_doubles(<4 x i64> %i) {
  %t = call <4 x double> @__lw_op_lookup4_d.4(ptr @four, <4 x i64> %i)
  ret <4 x double> %t
}

; CHECK-LABEL: define <8 x double> @high_words(
; CHECK: call <8 x i32> @llvm.x86.avx2.permd(
; CHECK: shufflevector <8 x i32> zeroinitializer, <8 x i32>
; CHECK: call <8 x i32> @llvm.x86.avx2.permd(
; CHECK: ret <8 x double>
define <8 x double> @high_words(<8 x i64> %i) {
  %t = call <8 x double> @__lw_op_lookup8_h.8(ptr @high, <8 x i64> %i)
  ret <8 x double> %t
}

declare <16 x float> @__lw_op_lookup8_f.16(ptr, <16 x i32>) memory(none) nounwind willreturn
declare float @__lw_op_lookup8_f(ptr, i32) memory(none) nounwind willreturn
declare <4 x double> @__lw_op_lookup8_d.4(ptr, ptr, <4 x i64>) memory(none) nounwind willreturn
declare <8 x double> @__lw_op_lookup8_h.8(ptr, <8 x i64>) memory(none) nounwind willreturn
declare <4 x double> @__lw_op_lookup4_d.4(ptr, <4 x i64>) memory(none) nounwind willreturn
