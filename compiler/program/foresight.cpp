// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/program/foresight.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

#include "compiler/base/address_spaces.h"
#include "compiler/base/effort.h"
#include "compiler/program/split.h"
#include "include/lanewise/variable_kernels.h"

namespace lanewise {
namespace {

/// What a call of a built-in function counts as: more than most of them have.
constexpr std::uint64_t kBuiltinInstructions = 1'000;

/// A quarter of what a kernel may have (compiler/kernel/call_graph.h).
constexpr std::uint64_t kMostInstructions = 500'000;

/// A thousandth of what a work-item and a group may have (abi::kLargestKernelMemory).
constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 30;

/// Values that live across a barrier and are no variables of the source.
constexpr std::uint64_t kOtherValues = 1024;

/// A function after inlining of every call.
struct InlinedExtent {
  std::uint64_t instructions = 0;
  std::uint64_t private_bytes = 0;
  /// It calls only functions that are known, has no variable of unknown size, and nothing that may become a call of a
  /// function that nobody defines.
  bool plain = true;
};

using Extents = llvm::DenseMap<const llvm::Function*, InlinedExtent>;

/// Whether the code generator has instructions for values of the type. OpenCL has no others, but Clang does.
bool is_of_machine(const llvm::Type& type) {
  const llvm::Type* scalar = type.getScalarType();
  if (scalar->isIntegerTy()) return scalar->getIntegerBitWidth() <= 64;
  return !scalar->isFloatingPointTy() || scalar->getPrimitiveSizeInBits() <= 64;
}

/// Whether the intrinsic function is one that never becomes a call.
bool becomes_code(const llvm::IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::memcpy:
    case llvm::Intrinsic::memmove:
    case llvm::Intrinsic::memset:
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::lifetime_end:
    case llvm::Intrinsic::fmuladd:
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::expect:
    case llvm::Intrinsic::ctpop:
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::cttz:
    case llvm::Intrinsic::bswap:
    case llvm::Intrinsic::bitreverse:
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr:
      return true;
    default:
      return llvm::isa<llvm::DbgInfoIntrinsic>(call);
  }
}

bool becomes_code(const llvm::Instruction& instruction) {
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return (intrinsic == nullptr || becomes_code(*intrinsic)) && is_of_machine(*instruction.getType()) &&
         llvm::all_of(instruction.operands(), [](const llvm::Use& use) { return is_of_machine(*use->getType()); });
}

/// @param known  the functions that it calls
InlinedExtent extent_of(const llvm::Function& function, const Extents& known) {
  const llvm::DataLayout& layout = function.getDataLayout();
  InlinedExtent extent;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    ++extent.instructions;
    extent.plain = extent.plain && becomes_code(instruction);
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      const auto bytes = variable->getAllocationSize(layout);
      const bool fixed = bytes && bytes->isFixed();
      extent.plain = extent.plain && fixed;
      extent.private_bytes = llvm::SaturatingAdd(extent.private_bytes, fixed ? bytes->getFixedValue() : 0);
    }
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call)) continue;
    const llvm::Function* callee = call->getCalledFunction();
    if (callee == nullptr) {
      extent.plain = false;
    } else if (callee->isDeclaration()) {
      extent.instructions += kBuiltinInstructions;
    } else {
      const InlinedExtent inner = known.lookup(callee);
      extent.instructions = llvm::SaturatingAdd(extent.instructions, inner.instructions);
      extent.private_bytes = llvm::SaturatingAdd(extent.private_bytes, inner.private_bytes);
      extent.plain = extent.plain && inner.plain;
    }
  }
  return extent;
}

/// The functions of the module. False: functions call each other in a circle.
bool measure(llvm::Module& module, Extents& extents) {
  llvm::CallGraph graph(module);
  for (auto scc = llvm::scc_begin(&graph); !scc.isAtEnd(); ++scc) {  // callees come before callers
    if (scc.hasCycle()) return false;
    const llvm::Function* function = scc->front()->getFunction();
    if (function != nullptr && !function->isDeclaration()) extents[function] = extent_of(*function, extents);
  }
  return true;
}

}  // namespace

Foresight::Foresight(llvm::Module& module, const std::vector<llvm::Function*>& kernels) : kernels_(kernels.size()) {
  Extents extents;
  plain_ = measure(module, extents);
  const KernelParts parts(module, kernels);
  large_program_ = parts.instructions() > kLargeProgram;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const InlinedExtent extent = extents.lookup(kernels[i]);
    plain_ = plain_ && extent.plain;
    kernels_[i] = {.instructions = extent.instructions,
                   .private_bytes = extent.private_bytes,
                   .local_bytes = parts.local_bytes(i),
                   .used = !kernels[i]->use_empty()};
  }
}

bool Foresight::can_wait(const std::vector<abi::KernelInfo>& infos) const {
  if (!plain_) return false;
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    const Bounds& bounds = kernels_[i];
    const abi::KernelInfo& info = infos[i];
    const bool alone = info.block == 0 && !is_variable_kernel(info.name) && !bounds.used;
    const bool sub_groups = info.reqd_sub_group_size != 0 || info.reqd_sub_groups != 0;
    const bool small = bounds.instructions <= kMostInstructions &&
                       std::max(bounds.private_bytes, bounds.local_bytes) <= kMostMemory &&
                       info.args_bytes <= abi::kLargestArguments;
    if (!alone || sub_groups || !small) return false;
  }
  return true;
}

void Foresight::bound(std::size_t number, abi::KernelInfo& info) const {
  info.local_bytes = kernels_[number].local_bytes;
  info.item_bytes = kernels_[number].private_bytes + kOtherValues;
}

}  // namespace lanewise
