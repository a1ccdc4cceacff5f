// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Dot products of four bytes as machine instructions: VNNI, SDOT and UDOT where the processor has them, else 16-bit
/// products.
///
/// VPDPBUSD adds the four products of unsigned bytes of a and signed bytes of b to a sum. Other signs differ from it by
/// 128 times the sum of the bytes of one operand, which is itself a dot product:
///
///     signed a:    a . b = (a + 128) . b - 128 . b       a + 128 has a's bits but for the highest of each byte
///     unsigned b:  a . b = a . (b - 128) - a . -128
///
/// Without VNNI, the even and the odd bytes are extended to 16 bits, and PMADDWD of the even ones is added to that of
/// the odd ones. AArch64's instructions have operands of equal signs, and without them products of 16 bits are added in
/// pairs. Everything is exact: a product's magnitude is at most 255^2, and sums wrap as OpenCL's do.
#pragma once

#include <llvm/IR/Instructions.h>

namespace llvm {
class TargetMachine;
}  // namespace llvm

namespace lanewise {

/// The operations of the table in machine_operations.h whose names begin with "dot_".
struct DotProduct {
  bool a_signed, b_signed;
  bool saturates;  ///< the sum is saturated once, as a signed number; else it wraps
};

/// Emits, before a call of such an operation with the operands (sum, a, b), scalars or vectors, the instructions of the
/// machine that compute it, and returns their result. The call itself stays.
llvm::Value* lowered_dot_product(llvm::CallInst& call, const DotProduct& dot, const llvm::TargetMachine& machine);

}  // namespace lanewise
