// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Dot products of four bytes in instructions: VNNI's where the machine has them, products of 16-bit halves elsewhere.
///
/// VPDPBUSD adds the four products of unsigned bytes of a and signed bytes of b to a sum. Other signs differ from it by
/// 128 times the sum of the bytes of one operand, which is such a product too:
///
///     signed a:    a . b = (a + 128) . b - 128 . b       a + 128 has a's bits but for the highest of each byte
///     unsigned b:  a . b = a . (b - 128) - a . -128
///
/// Without VNNI, with the even and the odd bytes extended to 16 bits: PMADDWD of the even ones plus that of the odd
/// ones. Everything is exact: a product's magnitude is at most 255^2, and sums wrap as OpenCL's do.
#pragma once

#include <llvm/IR/Instructions.h>

namespace llvm {
class TargetMachine;
}  // namespace llvm

namespace lanewise {

/// The operations of the table in machine_operations.h whose names begin with "dot_".
struct DotProduct {
  bool a_signed, b_signed;
  bool saturates;  ///< the sum, once, as signed numbers; else it wraps
};

/// What a call of such an operation, (sum, a, b) of scalars or vectors, is in instructions of the machine; emitted
/// before the call, which stays.
llvm::Value* lowered_dot_product(llvm::CallInst& call, const DotProduct& dot, const llvm::TargetMachine& machine);

}  // namespace lanewise
