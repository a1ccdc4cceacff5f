// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/program/foresight.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

#include "compiler/base/address_spaces.h"
#include "compiler/base/effort.h"
#include "compiler/base/shared_bodies.h"
#include "compiler/program/split.h"
#include "include/lanewise/variable_kernels.h"

namespace lanewise {
namespace {

/// What a built-in function counts as: more than most of them have.
constexpr std::uint64_t kBuiltinInstructions = 1'000;

/// A quarter of what a kernel may have (compiler/kernel/call_graph.h).
constexpr std::uint64_t kMostInstructions = 500'000;

/// A thousandth of what a work-item and a group may have (abi::kLargestKernelMemory).
constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 30;

/// Values that live across a barrier and are no variables of the source.
constexpr std::uint64_t kOtherValues = 1024;

struct Footprint {
  std::uint64_t instructions = 0;
  std::uint64_t private_bytes = 0;  ///< of its variables

  /// With `times` copies of the other one.
  void add(const Footprint& other, std::uint64_t times = 1) {
    instructions = llvm::SaturatingMultiplyAdd(times, other.instructions, instructions);
    private_bytes = llvm::SaturatingMultiplyAdd(times, other.private_bytes, private_bytes);
  }
};

struct FunctionFootprint {
  Footprint own;      ///< without the functions that it calls
  Footprint inlined;  ///< after inlining of every call
  llvm::SmallVector<const llvm::Function*> callees;
  /// It calls only functions that are known, has no variable of unknown size, and nothing that may become a call of a
  /// function that nobody defines, and no named barrier.
  bool plain = true;
  /// Its calls may share one body (shared_bodies.h): it has no operation of a group, whose work-items must meet in one
  /// call.
  bool shareable = true;
};

using Footprints = llvm::DenseMap<const llvm::Function*, FunctionFootprint>;

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

void add_call(const llvm::CallBase& call, const Footprints& known, FunctionFootprint& footprint) {
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr) {
    footprint.plain = false;
  } else {
    const FunctionFootprint& inner = known.at(callee);
    footprint.callees.push_back(callee);
    footprint.inlined.add(inner.inlined);
    footprint.plain = footprint.plain && inner.plain;
    footprint.shareable = footprint.shareable && inner.shareable;
  }
}

FunctionFootprint footprint_of_builtin(const llvm::Function& function) {
  const llvm::StringRef name = function.getName();
  FunctionFootprint footprint;
  footprint.own = footprint.inlined = {.instructions = kBuiltinInstructions};
  // How much local memory these take depends on what is inlined.
  footprint.plain = !name.contains("named_barrier_init");
  footprint.shareable = !name.contains("sub_group") && !name.contains("work_group_");
  return footprint;
}

/// @param known  the functions that it calls
FunctionFootprint footprint_of(const llvm::Function& function, const Footprints& known) {
  const llvm::DataLayout& layout = function.getDataLayout();
  FunctionFootprint footprint;
  footprint.shareable = can_share_body(function);
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    ++footprint.own.instructions;
    footprint.plain = footprint.plain && becomes_code(instruction);
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      const auto bytes = variable->getAllocationSize(layout);
      const bool fixed = bytes && bytes->isFixed();
      footprint.plain = footprint.plain && fixed;
      footprint.own.add({.private_bytes = fixed ? bytes->getFixedValue() : 0});
    }
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call != nullptr && !llvm::isa<llvm::IntrinsicInst>(call)) add_call(*call, known, footprint);
  }
  footprint.inlined.add(footprint.own);
  return footprint;
}

/// A bound of the kernel in which functions share their bodies, or stay calls, where copies would make it large. Each
/// function has one body, built-in ones too, or copies that are small together.
Footprint shared_footprint(const llvm::Function& kernel, const Footprints& known) {
  Footprint shared;
  llvm::SmallPtrSet<const llvm::Function*, 32> seen{&kernel};
  llvm::SmallVector<const llvm::Function*> work{&kernel};
  while (!work.empty()) {
    const FunctionFootprint& footprint = known.at(work.pop_back_val());
    shared.add({.instructions = footprint.own.instructions + kCopiedInstructions});
    shared.add({.private_bytes = footprint.own.private_bytes}, kCopiedInstructions);
    for (const llvm::Function* callee : footprint.callees)
      if (seen.insert(callee).second) work.push_back(callee);
  }
  return shared;
}

/// Upper bounds of what the kernel has after inlining.
Footprint bound_of(const llvm::Function& kernel, const Footprints& known) {
  const FunctionFootprint& footprint = known.at(&kernel);
  const bool shareable =
      llvm::all_of(footprint.callees, [&](const llvm::Function* callee) { return known.at(callee).shareable; });
  if (!shareable) return footprint.inlined;
  const Footprint shared = shared_footprint(kernel, known);
  return {.instructions = std::min(footprint.inlined.instructions, shared.instructions),
          .private_bytes = std::min(footprint.inlined.private_bytes, shared.private_bytes)};
}

/// The functions of the module. False: functions call each other in a circle.
bool measure(llvm::Module& module, Footprints& footprints) {
  llvm::CallGraph graph(module);
  for (auto scc = llvm::scc_begin(&graph); !scc.isAtEnd(); ++scc) {  // callees come before callers
    if (scc.hasCycle()) return false;
    const llvm::Function* function = scc->front()->getFunction();
    if (function == nullptr) continue;
    footprints[function] =
        function->isDeclaration() ? footprint_of_builtin(*function) : footprint_of(*function, footprints);
  }
  return true;
}

}  // namespace

Foresight::Foresight(llvm::Module& module, const std::vector<llvm::Function*>& kernels) : kernels_(kernels.size()) {
  Footprints footprints;
  plain_ = measure(module, footprints);
  const KernelParts parts(module, kernels);
  large_program_ = is_large_program(parts.instructions(), kernels.size());
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (!plain_) return;
    plain_ = footprints.at(kernels[i]).plain;
    const Footprint bound = bound_of(*kernels[i], footprints);
    kernels_[i] = {.instructions = bound.instructions,
                   .private_bytes = bound.private_bytes,
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
