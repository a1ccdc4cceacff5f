// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the translator is shown of a module with untyped pointers, bfloat16 or instructions that it does not know.
///
/// A bfloat16 is 16 bits of an integer, on which only conversions compute: so code for it is the same on all machines,
/// and LLVM sees no type for which it would call functions of its run-time library. A number with more bits than a
/// float is first rounded to odd, by a function of the built-in library, so that it is not rounded twice.
///
///     in the module                                  what the translator sees
///     %b = OpTypeFloat 16 BFloat16KHR                %b = OpTypeInt 16 0
///     OpFConvert %b %float_value                     OpConvertFToBF16INTEL
///     OpFConvert %float %b_value                     OpConvertBF16ToFINTEL
///     OpConvertFToS %int %b_value                    OpConvertBF16ToFINTEL, OpConvertFToS
///     OpFConvert %b %double_value, of int, long      call of __lw_to_odd, OpConvertFToBF16INTEL
///     OpDot %b %x %y                                 OpDot of the floats, OpConvertFToBF16INTEL
///
/// The translator takes untyped pointers, but where an instruction does not name the type of what it accesses, it
/// guesses; and that for LLVM 22 goes by components where an access chain is said to go by vectors or pointers:
///
///     OpCopyMemory with an untyped pointer           OpLoad, OpStore
///     OpExtInst vloadn %offset %untyped (and others) OpBitcast to a typed pointer, OpExtInst
///     OpPtrDiff, OpAtomicFlag..., OpSubgroupBlock... OpBitcast to a typed pointer, the instruction
///     OpUntypedPtrAccessChainKHR %float4 %p %i %j    OpUntypedPtrAccessChainKHR %{float4} %p %i %zero %j
///     OpUntypedGroupAsyncCopyKHR                     call of async_work_group_copy_2D2D
///     OpUntypedPrefetchKHR                           nothing: it is a hint
///
/// Of Clang's back end, which compares pointers of two types:
///
///     OpPtrEqual, OpPtrNotEqual, OpPtrDiff           OpBitcast of the second pointer, the instruction
///
/// What it does not know, or would make calls of that nobody defines:
///
///     OpPredicatedLoadINTEL, OpPredicatedStoreINTEL  call of __lw_predicated_... (frontend/predicated_accesses.h)
///     OpBitwiseFunctionINTEL, OpRoundFToTF32INTEL    call of the built-in library's function
///     OpTypeNamedBarrier                             OpTypePointer to local memory
///     OpNamedBarrierInitialize, OpMemoryNamedBarrier call of the built-in library's function
///     OpSubgroupBlockPrefetchINTEL                   nothing
///     SPV_EXT_split_barrier                          SPV_INTEL_split_barrier
///     SPV_ALTERA_arbitrary_precision_integers        SPV_INTEL_arbitrary_precision_integers
///     FPFastMathDefault, AllowTransform              nothing: they are permissions
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

/// `module` is in this machine's byte order. A module of none of these extensions comes back as it is.
TranslatedForm translated_form(std::span<const std::uint8_t> module);

}  // namespace lanewise::spirv
