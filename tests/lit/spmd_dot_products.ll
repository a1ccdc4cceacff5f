; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Dot products of bytes: VNNI's or NEON's instruction where there is one, 16-bit products elsewhere.
; RUN: %opt --passes=lower-machine-operations --isa=x86-64-v4+avx512vnni %s | %filecheck %s --check-prefix=VNNI
; RUN: %opt --passes=lower-machine-operations --isa=x86-64-v4 %s | %filecheck %s --check-prefix=V4
; RUN: %opt --passes=lower-machine-operations --isa=x86-64-v2 %s | %filecheck %s --check-prefix=V2
; RUN: %opt --passes=lower-machine-operations --isa=armv8.2-a %s | %filecheck %s --check-prefix=DOTS
; RUN: %opt --passes=lower-machine-operations --isa=armv8-a %s | %filecheck %s --check-prefix=NEON
declare i32 @__lw_op_dot_us(i32, i32, i32) memory(none) nounwind willreturn
declare i32 @__lw_op_dot_sat_us(i32, i32, i32) memory(none) nounwind willreturn
declare <16 x i32> @__lw_op_dot_ss.16(<16 x i32>, <16 x i32>, <16 x i32>) memory(none) nounwind willreturn
declare <32 x i32> @__lw_op_dot_uu.32(<32 x i32>, <32 x i32>, <32 x i32>) memory(none) nounwind willreturn

; VNNI-LABEL: @scalar
; VNNI: call <4 x i32> @llvm.x86.avx512.vpdpbusd.128(
; VNNI: call <4 x i32> @llvm.x86.avx512.vpdpbusds.128(
; V4-LABEL: @scalar
; V4-NOT: vpdp
; V4-COUNT-2: call <4 x i32> @llvm.x86.sse2.pmadd.wd(
; V4-COUNT-2: call <4 x i32> @llvm.x86.sse2.pmadd.wd(
; V4: call <4 x i32> @llvm.sadd.sat.v4i32(
; V2-LABEL: @scalar
; V2-COUNT-2: call <4 x i32> @llvm.x86.sse2.pmadd.wd(
; V2-COUNT-2: call <4 x i32> @llvm.x86.sse2.pmadd.wd(
; V2: call <4 x i32> @llvm.sadd.sat.v4i32(
; DOTS-LABEL: @scalar
; DOTS: %[[A:.*]] = xor <4 x i32> %{{.*}}, splat (i32 -2139062144)
; DOTS: %[[B:.*]] = bitcast <4 x i32> %[[A]] to <16 x i8>
; DOTS: %[[P:.*]] = call <4 x i32> @llvm.aarch64.neon.sdot.v4i32.v16i8(<4 x i32> %{{.*}}, <16 x i8> %[[B]],
; DOTS: %[[S:.*]] = call <4 x i32> @llvm.aarch64.neon.sdot.v4i32.v16i8(<4 x i32> zeroinitializer, <16 x i8> {{.*}}-2139062144{{.*}}, <16 x i8>
; DOTS: sub <4 x i32> %[[P]], %[[S]]
; DOTS: call <4 x i32> @llvm.sadd.sat.v4i32(
; NEON-LABEL: @scalar
; NEON: zext <8 x i8> %{{.*}} to <8 x i16>
; NEON: sext <8 x i8> %{{.*}} to <8 x i16>
; NEON: mul <8 x i16>
; NEON: call <4 x i32> @llvm.aarch64.neon.saddlp.v4i32.v8i16(
; NEON: call <4 x i32> @llvm.aarch64.neon.addp.v4i32(
; NEON: call <4 x i32> @llvm.sadd.sat.v4i32(
define i32 @scalar(i32 %c, i32 %a, i32 %b) {
  %d = call i32 @__lw_op_dot_us(i32 %c, i32 %a, i32 %b)
  %s = call i32 @__lw_op_dot_sat_us(i32 %d, i32 %a, i32 %b)
  ret i32 %s
}

; A signed operand is made unsigned, and 128 times the sum of the other is subtracted.
; VNNI-LABEL: @signed
; VNNI: %[[U:.*]] = xor <16 x i32> %a, splat (i32 -2139062144)
; VNNI: %[[A:.*]] = bitcast <16 x i32> %[[U]] to <64 x i8>
; VNNI: %[[P:.*]] = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %c, <64 x i8> %[[A]], <64 x i8> %[[B:.*]])
; VNNI: %[[S:.*]] = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> zeroinitializer, <64 x i8> {{.*}}-2139062144{{.*}}, <64 x i8>
; VNNI: %[[R:.*]] = sub <16 x i32> %[[P]], %[[S]]
; VNNI: ret <16 x i32> %[[R]]
; V4-LABEL: @signed
; V4: %[[H:.*]] = shl <32 x i16> %{{.*}}, splat (i16 8)
; V4: ashr <32 x i16> %[[H]], splat (i16 8)
; V4-COUNT-2: call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(
; V2-LABEL: @signed
; V2-COUNT-8: call <4 x i32> @llvm.x86.sse2.pmadd.wd(
; DOTS-LABEL: @signed
; DOTS-NOT: xor
; DOTS-COUNT-4: call <4 x i32> @llvm.aarch64.neon.sdot.v4i32.v16i8(
; NEON-LABEL: @signed
; NEON-COUNT-2: sext <8 x i8> %{{.*}} to <8 x i16>
define <16 x i32> @signed(<16 x i32> %c, <16 x i32> %a, <16 x i32> %b) {
  %d = call <16 x i32> @__lw_op_dot_ss.16(<16 x i32> %c, <16 x i32> %a, <16 x i32> %b)
  ret <16 x i32> %d
}

; The uniform operand is the one whose sum is subtracted, so that loops compute that only once.
; VNNI-LABEL: @signed_uniform
; VNNI: %[[U:.*]] = xor <16 x i32> %b, splat (i32 -2139062144)
; VNNI: bitcast <16 x i32> %[[U]] to <64 x i8>
; VNNI: %[[B:.*]] = bitcast <16 x i32> %a to <64 x i8>
define <16 x i32> @signed_uniform(i32 %x, <16 x i32> %b) {
  %i = insertelement <16 x i32> poison, i32 %x, i64 0
  %a = shufflevector <16 x i32> %i, <16 x i32> poison, <16 x i32> zeroinitializer
  %d = call <16 x i32> @__lw_op_dot_ss.16(<16 x i32> zeroinitializer, <16 x i32> %a, <16 x i32> %b)
  ret <16 x i32> %d
}

; VNNI-LABEL: @unsigned
; VNNI-COUNT-2: xor <16 x i32> %{{.*}}, splat (i32 -2139062144)
; VNNI-NOT: pmadd
; V4-LABEL: @unsigned
; V4: and <32 x i16> %{{.*}}, splat (i16 255)
; V4: lshr <32 x i16> %{{.*}}, splat (i16 8)
; V4-COUNT-4: call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(
; DOTS-LABEL: @unsigned
; DOTS-COUNT-8: call <4 x i32> @llvm.aarch64.neon.udot.v4i32.v16i8(
; NEON-LABEL: @unsigned
; NEON: call <4 x i32> @llvm.aarch64.neon.uaddlp.v4i32.v8i16(
define <32 x i32> @unsigned(<32 x i32> %c, <32 x i32> %a, <32 x i32> %b) {
  %d = call <32 x i32> @__lw_op_dot_uu.32(<32 x i32> %c, <32 x i32> %a, <32 x i32> %b)
  ret <32 x i32> %d
}
