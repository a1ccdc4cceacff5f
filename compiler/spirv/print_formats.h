// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The SPIR-V translator passes a format to printf as a pointer to an array of characters: that of the first format in
/// the module, to which it converts all others. Validators of 2023 and before, which the conformance tests run on what
/// an offline compiler writes, want a pointer to a character:
///
///     %call = OpExtInst %uint %std printf %format %x
///  =>
///     %text = OpBitcast %_ptr_uchar %format
///     %call = OpExtInst %uint %std printf %text %x
#pragma once

#include "compiler/spirv/instructions.h"

namespace lanewise::spirv {

/// The module, which the translator has just written, with such formats.
Words with_character_formats(const Words& module);

}  // namespace lanewise::spirv
