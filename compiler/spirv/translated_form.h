// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the translator is shown of a module with untyped pointers or bfloat16.
///
/// A bfloat16 is 16 bits of an integer, on which only conversions compute: so code for it is the same on all machines, and
/// LLVM sees no type for which it would call functions of its run-time library. A number with more bits than a float is
/// first rounded to odd, by a function of the built-in library, so that it is not rounded twice.
///
///     in the module                                  what the translator sees
///     %b = OpTypeFloat 16 BFloat16KHR                %b = OpTypeInt 16 0
///     OpFConvert %b %float_value                     OpConvertFToBF16INTEL
///     OpFConvert %float %b_value                     OpConvertBF16ToFINTEL
///     OpConvertFToS %int %b_value                    OpConvertBF16ToFINTEL, OpConvertFToS
///     OpFConvert %b %double_value, of int, long      call of __lw_to_odd, OpConvertFToBF16INTEL
///     OpDot %b %x %y                                 OpDot of the floats, OpConvertFToBF16INTEL
///
/// The translator takes untyped pointers, but where an instruction does not name the type of what it accesses, it guesses:
///
///     OpCopyMemory with an untyped pointer           OpLoad, OpStore
///     OpExtInst vloadn %offset %untyped (and others) OpBitcast to a typed pointer, OpExtInst
///     OpUntypedPrefetchKHR                           nothing: it is a hint
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lanewise::spirv {

struct TranslatedForm {
  std::vector<std::uint8_t> module;
  std::string fault;  ///< what of the module cannot be translated; empty if all can
};

/// `module` is in this machine's byte order. A module of neither extension comes back as it is.
TranslatedForm translated_form(std::span<const std::uint8_t> module);

}  // namespace lanewise::spirv
