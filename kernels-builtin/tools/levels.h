// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Turns plain optimised bitcode into the library of one ISA level.
#pragma once

#include <llvm/IR/Module.h>

#include "src/base/isa.h"

namespace lanewise::shards {

/// For all levels: C calling convention, no target or library attributes, `convergent` only where work-items of a group
/// wait for each other, no module flags, and float-to-integer conversions whose result is fixed, though not specified,
/// where the operand is out of range: such a value cannot poison the program.
void normalise(llvm::Module& module);

/// For one level: chooses the `_v4` and `_v3` forms of helpers, from x86-64-v4 and x86-64-v3 on, or the `_arm` forms on
/// AArch64; inlines the steps; lets minima and maxima ignore NaNs that signal, which only AArch64 needs to be told; turns
/// llvm.fma of float and double into calls of the software form where there is no instruction (code objects have no C
/// library); marks small functions `alwaysinline`.
void specialise(llvm::Module& module, Isa isa);

}  // namespace lanewise::shards
