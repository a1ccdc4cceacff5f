// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Vector instructions that LLVM's generic operations cannot express, for the built-in library. Each form of it uses
/// those that its level has (compiler/target/interface/operations.h); all have the dot products.
///
/// A source of the library calls an operation on scalars; the vectoriser widens the call like any elementwise
/// intrinsic; before LLVM optimises, both forms become the instruction (compiler/target/machine_operations.h):
///
///     %y = call float @__lw_op_scalef_f(float %x, float %n)
///     %y = call <16 x float> @__lw_op_scalef_f.16(<16 x float> %x, <16 x float> %n)           the widened form
///
/// | operation | result |
/// |---|---|
/// | scalef_f, _d (x, n)   | x 2^floor(n), one rounding |
/// | getexp_f, _d (x)      | floor(log2 |x|) as a number, of subnormals too; -infinity for 0, infinity for infinity |
/// | getmant_f, _d (x)     | the significand of x in [0.75, 1.5); 1 for 0 and infinity; NaN for x < 0 |
/// | mantissa_f, _d (x)    | the significand of |x| in [1, 2); 1 for 0 and infinity |
/// | rcp14_f, _d (x)       | 1 / x, relative error below 2^-14 |
/// | rsqrt14_f, _d (x)     | 1 / sqrt(x), relative error below 2^-14; exact at 0 and infinity; NaN for x < 0 |
/// | rcp12_f (x)           | 1 / x, relative error below 1.5 x 2^-12; subnormal numbers count as 0 |
/// | rsqrt12_f (x)         | 1 / sqrt(x), the same |
/// | lookup8_f (table, i)  | table[i modulo 8] of a constant table of 8 floats |
/// | lookup4_d (table, i)  | table[i / 2^32] of a constant table of 4 doubles, i / 2^32 < 4 |
/// | lookup8_d (high, low, i) | the double of the words high[i / 2^32 modulo 8] and low[the same] |
/// | lookup8_h (high, i)   | the same, where the low word is 0 |
/// | lookup_f (table, i)   | table[i modulo 16] of a constant table of 16 floats |
/// | lookup_d (table, i)   | table[i modulo 16] of a constant table of 16 doubles |
/// | dot_uu, _us, _ss (sum, a, b) | sum + a . b of four bytes, unsigned or signed in a and in b; wraps |
/// | dot_sat_us (sum, a, b) | the same, saturated as a signed number |
#pragma once

#include <llvm/IR/Function.h>

#include "compiler/base/pass.h"

namespace lanewise {

/// What the names of all operations begin with.
inline constexpr llvm::StringLiteral kMachineOperationPrefix = "__lw_op_";

bool is_machine_operation(const llvm::Function& function);

/// The declaration of an operation of the table on scalars, by its name there.
llvm::Function& machine_operation(llvm::Module& module, llvm::StringRef name, llvm::FunctionType& type);

/// The declaration for `width` lanes. Pointer parameters stay single: a table is the same for all lanes.
llvm::Function& wide_machine_operation(const llvm::Function& scalar, unsigned width);

}  // namespace lanewise
