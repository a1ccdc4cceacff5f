; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Dot products of bytes in scalable vectors of 512 bits; with few lanes in registers of 128 bits.
; RUN: %opt --passes=lower-machine-operations --isa=armv9-a-sve512 %s | %filecheck %s
declare i32 @__lw_op_dot_ss(i32, i32, i32) memory(none) nounwind willreturn
declare <32 x i32> @__lw_op_dot_uu.32(<32 x i32>, <32 x i32>, <32 x i32>) memory(none) nounwind willreturn
declare <16 x i32> @__lw_op_dot_us.16(<16 x i32>, <16 x i32>, <16 x i32>) memory(none) nounwind willreturn

; CHECK-LABEL: @scalar
; CHECK: call <4 x i32> @llvm.aarch64.neon.sdot.v4i32.v16i8(
define i32 @scalar(i32 %c, i32 %a, i32 %b) #0 {
  %d = call i32 @__lw_op_dot_ss(i32 %c, i32 %a, i32 %b)
  ret i32 %d
}

; CHECK-LABEL: @two_registers
; CHECK: %[[C:.*]] = call <vscale x 4 x i32> @llvm.vector.insert.nxv4i32.v16i32(<vscale x 4 x i32> poison, <16 x i32> %{{.*}}, i64 0)
; CHECK: %[[D:.*]] = call <vscale x 4 x i32> @llvm.aarch64.sve.udot.nxv4i32(<vscale x 4 x i32> %[[C]], <vscale x 16 x i8>
; CHECK: call <16 x i32> @llvm.vector.extract.v16i32.nxv4i32(<vscale x 4 x i32> %[[D]], i64 0)
; CHECK: @llvm.aarch64.sve.udot.nxv4i32(
define <32 x i32> @two_registers(<32 x i32> %c, <32 x i32> %a, <32 x i32> %b) #0 {
  %d = call <32 x i32> @__lw_op_dot_uu.32(<32 x i32> %c, <32 x i32> %a, <32 x i32> %b)
  ret <32 x i32> %d
}

; An unsigned a differs from a signed one by 128 times the sum of b.
; CHECK-LABEL: @mixed
; CHECK: xor <16 x i32> %{{.*}}, splat (i32 -2139062144)
; CHECK-COUNT-2: @llvm.aarch64.sve.sdot.nxv4i32(
; CHECK: sub <16 x i32>
define <16 x i32> @mixed(<16 x i32> %c, <16 x i32> %a, <16 x i32> %b) #0 {
  %d = call <16 x i32> @__lw_op_dot_us.16(<16 x i32> %c, <16 x i32> %a, <16 x i32> %b)
  ret <16 x i32> %d
}
attributes #0 = { vscale_range(4,4) }
