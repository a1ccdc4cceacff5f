// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Slips of producers that many programs carry, which the validator refuses and the translator has no meaning for:
///
///     in the module                                        what is read instead
///     the same decoration twice (oneAPI 2024)              once
///     a variable of Function storage outside of functions  one in each function that uses it
///     (oneAPI 2024, for names of constants)
///     a variable behind other instructions of a function   at the function's begin
///     (oneAPI 2024)
///     an access that is aligned to 0 bytes                 one that is aligned to 1
///     (oneAPI 2024, where nothing is known)
///     the size of a multi-sampled image at a level         its size
///     (the translator itself)
#pragma once

#include "compiler/spirv/instructions.h"

namespace lanewise::spirv {

/// The module without these slips. Takes any words.
Words mended_form(Words module);

}  // namespace lanewise::spirv
