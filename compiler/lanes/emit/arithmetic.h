// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Integer division and conversions for which processors have no vector instructions.
///
/// The quotient of two integers of at most 32 bits is that of their values as double, rounded to zero: if a / b is not
/// an integer, it is at least 1/b away from the next one, a relative distance of 1/a, which is more than a rounding
/// error. A uniform divisor's reciprocal r is computed once, and made a little too large. Then a * r is never below a /
/// b, and above it by less than 1/b, too little to reach the next integer. Float does the same for 16 bits.
///
/// Where divisors differ and the processor has an estimate r of reciprocals to 2^-14, the estimate is refined instead,
/// as divisions take several times as long. With e = 1 - b * r, the product r * (1 + e + e^2) is 1/b to 2^-42, and r *
/// (1 + e), which is enough for 16 bits, is 1/b to 2^-22. Here e is made a little too large.
#pragma once

#include "compiler/lanes/emit/vector_state.h"

namespace lanewise::spmd {

/// The vector form of a division or remainder of integers for the lanes in `mask`; null: leave it to LLVM.
llvm::Value* widened_division(VectorState& state, const llvm::BinaryOperator& i, llvm::Value* mask);

/// The vector form of `fptosi.sat` and `fptoui.sat` to at most 16 bits; null: it is another call.
llvm::Value* saturated_conversion(VectorState& state, const llvm::CallInst& call);

/// The vector form of a conversion to floating point of a 64-bit id whose lanes are all in [0, 2^31): a conversion from
/// 32 bits. Where the first lane may be alone and beyond that (BodyForm::bounded), it is converted from 64 bits. Null:
/// it is another conversion.
llvm::Value* converted_id(VectorState& state, const llvm::CastInst& cast);

}  // namespace lanewise::spmd
