; RUN: %opt --passes=lower-machine-operations --isa=x86-64-v3 %s | %filecheck %s
; A table of eight floats is one permutation for eight lanes, whatever the number of lanes.

@table = private unnamed_addr constant [8 x float] zeroinitializer

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

declare <16 x float> @__lw_op_lookup8_f.16(ptr, <16 x i32>) memory(none) nounwind willreturn
declare float @__lw_op_lookup8_f(ptr, i32) memory(none) nounwind willreturn
