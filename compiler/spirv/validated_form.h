// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the validator is shown of a module. It refuses some things that widespread producers make and that drivers
/// take; because it stops at the first error, they are written in a form that it knows, and all that follows is looked
/// at.
///
///     in the module                                        what the validator sees
///     scopes of SPV_INTEL_memory_access_aliasing           accesses without them
///     capabilities of SPV_INTEL_subgroups (oneMKL)         the extension declared as well
///     OpenCL.DebugInfo.100, which changes no result        nothing
///     OpConstantNull %int, as LLVM's index of a member     OpConstant %int 0
///     a variable that the interface (1.4) does not list    listed
///     OpImageWrite with a level (cl_khr_mipmap_image)      without
///     a 3D image with gradients of four components         OpUndef of the same type
///     printf whose format is a pointer to an array         OpUndef of the same type
///     a constant generic pointer to another type           OpConstantNull
///     OpPtrEqual and the like of two types (Clang 22)      of the first operand and itself
///     OpConstantComposite of a specialisation constant     OpSpecConstantComposite
///     a mode of sub-groups without SubgroupDispatch        the capability declared as well
///     FPFastMathDefault without FloatControls2 (LLVM 22)   nothing
///     lifetimes of untyped variables                       nothing
///     vloadn, vstoren through untyped pointers             OpUndef of the same type, nothing
///     flags (OpAtomicFlagTestAndSet, Clear) behind these   the same
///     OpUntypedPtrAccessChainKHR among pointers            OpUndef of the same type
///     casts of them to typed generic pointers, and back    OpUndef of the same type, OpConstantNull
///     constants that are made of untyped variables         OpConstantNull
///     constants of SPV_INTEL_long_composites               OpConstantNull
///     OpConstantFunctionPointerINTEL (its function comes   OpConstantNull
///     later)
///     a type of pointers to functions                      of pointers to what they return, of class Function
///
/// What is newer than the validator of Debian 12 (2023.1) is written as what has the same rules:
///
///     OpConvertFToBF16INTEL %ushort %float                 OpConvertFToU; widths are checked here
///     OpConvertBF16ToFINTEL %float %ushort                 OpConvertUToF
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lanewise::spirv {

/// The words of the module in this machine's byte order, in that form. Takes any bytes; those that are no instructions
/// stay as they are.
std::vector<std::uint32_t> validated_form(std::span<const std::uint8_t> module);

}  // namespace lanewise::spirv
