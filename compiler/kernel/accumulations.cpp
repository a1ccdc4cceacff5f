// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/accumulations.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <optional>

#include "compiler/base/address_spaces.h"
#include "compiler/base/context.h"
#include "compiler/builtins/known_functions.h"

namespace lanewise {
namespace {

using abi::Accumulation;
using llvm::AtomicRMWInst;

Accumulation accumulation_of(AtomicRMWInst::BinOp operation) {
  switch (operation) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
      return Accumulation::sum;
    case AtomicRMWInst::And:
      return Accumulation::bit_and;
    case AtomicRMWInst::Or:
      return Accumulation::bit_or;
    case AtomicRMWInst::Xor:
      return Accumulation::bit_xor;
    case AtomicRMWInst::Min:
      return Accumulation::signed_min;
    case AtomicRMWInst::Max:
      return Accumulation::signed_max;
    case AtomicRMWInst::UMin:
      return Accumulation::unsigned_min;
    case AtomicRMWInst::UMax:
      return Accumulation::unsigned_max;
    default:
      return Accumulation::none;
  }
}

/// What all uses of a pointer have in common.
struct PointerUses {
  Accumulation what = Accumulation::none;
  unsigned bytes = 0;
  llvm::SmallVector<AtomicRMWInst*> operations;

  bool add(AtomicRMWInst& atomic, const llvm::Value* pointer) {
    const Accumulation kind = accumulation_of(atomic.getOperation());
    const unsigned size = atomic.getType()->getScalarSizeInBits() / 8;
    const bool fits = operations.empty() ? size == 4 || size == 8 : kind == what && size == bytes;
    if (kind == Accumulation::none || !fits || atomic.getPointerOperand() != pointer || !atomic.use_empty() ||
        atomic.isVolatile() || atomic.getOrdering() != llvm::AtomicOrdering::Monotonic)
      return false;
    what = kind;
    bytes = size;
    operations.push_back(&atomic);
    return true;
  }
};

/// Nothing if a use is anything else.
std::optional<PointerUses> uses_of(llvm::Argument& argument) {
  PointerUses uses;
  llvm::SmallVector<llvm::Value*> pointers{&argument};
  while (!pointers.empty()) {
    llvm::Value* pointer = pointers.pop_back_val();
    for (llvm::User* user : pointer->users()) {
      auto* atomic = llvm::dyn_cast<AtomicRMWInst>(user);
      if (atomic != nullptr
              ? uses.add(*atomic, pointer)
              : llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(user) && user->getType()->isPointerTy()) {
        if (atomic == nullptr) pointers.push_back(user);
        continue;
      }
      return std::nullopt;
    }
  }
  if (uses.operations.empty()) return std::nullopt;
  return uses;
}

bool is_ordered(const llvm::Instruction& i) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i))
    return load->getPointerAddressSpace() != local_space && llvm::isStrongerThanMonotonic(load->getOrdering());
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
    return store->getPointerAddressSpace() != local_space && llvm::isStrongerThanMonotonic(store->getOrdering());
  if (const auto* atomic = llvm::dyn_cast<AtomicRMWInst>(&i))
    return atomic->getPointerAddressSpace() != local_space && llvm::isStrongerThanMonotonic(atomic->getOrdering());
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i))
    return exchange->getPointerAddressSpace() != local_space &&
           llvm::isStrongerThanMonotonic(exchange->getMergedOrdering());
  return llvm::isa<llvm::FenceInst>(i);
}

/// Whether other threads may learn by `i` that earlier changes have been made.
bool tells_others(const llvm::Instruction& i) {
  if (is_ordered(i)) return true;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
  if (call == nullptr) return false;
  switch (known_call(*call)) {
    case Known::work_item_fence:
      return beyond_work_group(*call, 2);
    case Known::barrier:
    case Known::sub_group_barrier:
      return call->arg_size() > 1 && beyond_work_group(*call, 1);
    case Known::mem_fence: {
      const auto* flags = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
      return flags == nullptr || !flags->equalsInt(1);  // CLK_LOCAL_MEM_FENCE
    }
    case Known::enqueue:
    case Known::device_queue:
      return true;
    default:
      return false;
  }
}

/// Functions that were not inlined belong to the kernel too.
bool tells_others(llvm::Module& module) {
  return llvm::any_of(module, [](llvm::Function& function) {
    return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& i) { return tells_others(i); });
  });
}

void describe_accumulations(llvm::Function& kernel, abi::KernelInfo& info) {
  if (kernel.arg_size() != info.args.size()) return;
  for (llvm::Argument& argument : kernel.args()) {
    abi::ArgInfo& described = info.args[argument.getArgNo()];
    if (described.kind != abi::ArgKind::global_pointer) continue;
    const auto uses = uses_of(argument);
    if (!uses) continue;
    described.accumulation = uses->what;
    described.accumulated_bytes = static_cast<std::uint8_t>(uses->bytes);
    info.accumulates = true;
  }
  if (!info.accumulates || !tells_others(*kernel.getParent())) return;
  info.accumulates = false;
  for (abi::ArgInfo& argument : info.args) argument.accumulation = Accumulation::none;
}

bool mark_private_accumulations(llvm::Function& kernel, const abi::KernelInfo& info) {
  if (!info.accumulates) return false;
  for (llvm::Argument& argument : kernel.args()) {
    if (info.args[argument.getArgNo()].accumulation == Accumulation::none) continue;
    for (AtomicRMWInst* atomic : uses_of(argument)->operations) atomic->setSyncScopeID(llvm::SyncScope::SingleThread);
  }
  return true;
}

}  // namespace

llvm::PreservedAnalyses DescribeAccumulationsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  const bool copies = context.options.launches != nullptr && context.options.launches->private_copies;
  bool changed = false;
  for (abi::KernelInfo* info : context.kernels) {
    llvm::Function* kernel = module.getFunction(info->name);
    if (kernel == nullptr) continue;
    describe_accumulations(*kernel, *info);
    if (copies) changed |= mark_private_accumulations(*kernel, *info);
  }
  return keeping_blocks(changed);
}

}  // namespace lanewise
