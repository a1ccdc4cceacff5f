// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/check/intervals.h"

#include <llvm/IR/Instructions.h>

#include "compiler/builtins/known_functions.h"
#include "include/lanewise/check_abi.h"

namespace lanewise {
namespace {

/// Bits of the flags of a barrier.
constexpr std::uint64_t kLocal = 1;
constexpr std::uint64_t kGlobal = 2;

/// What a barrier orders, where it says so; otherwise all.
std::uint64_t ordered_by(const llvm::CallInst& call, Known what) {
  if (what != Known::barrier && what != Known::mem_fence) return kLocal | kGlobal;
  const auto* flags = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
  return flags == nullptr ? kLocal | kGlobal : flags->getZExtValue() & (kLocal | kGlobal);
}

bool waits(Known what) {
  return what == Known::barrier || what == Known::work_group_operation || what == Known::sub_group_barrier ||
         what == Known::sub_group_operation;
}

void add_one(llvm::IRBuilder<>& b, llvm::AllocaInst* counter) {
  // It stays at its largest value, with which the runtime knows no order.
  llvm::Value* next = b.CreateAdd(b.CreateLoad(b.getInt32Ty(), counter), b.getInt32(1));
  constexpr auto kLast =
      static_cast<std::uint32_t>(check::race_record::kLastInterval >> check::race_record::kIntervalShift);
  b.CreateStore(b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, next, b.getInt32(kLast)), counter);
}

}  // namespace

Intervals::Intervals(llvm::Function& kernel) {
  llvm::IRBuilder<> b(&kernel.getEntryBlock(), kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  local_ = b.CreateAlloca(b.getInt32Ty(), nullptr, "check.local.interval");
  global_ = b.CreateAlloca(b.getInt32Ty(), nullptr, "check.global.interval");
  b.CreateStore(b.getInt32(0), local_);
  b.CreateStore(b.getInt32(0), global_);
}

bool Intervals::orders(const llvm::Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  if (call == nullptr) return false;
  const Known what = known_call(*call);
  return waits(what) || what == Known::mem_fence || what == Known::work_item_fence;
}

bool Intervals::count(llvm::Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  if (call == nullptr) return false;
  const Known what = known_call(*call);
  if (!orders(i)) return false;
  const std::uint64_t ordered = ordered_by(*call, what);
  if (waits(what)) {
    llvm::IRBuilder<> b(i.getNextNode());
    if ((ordered & kLocal) != 0) add_one(b, local_);
    if ((ordered & kGlobal) != 0) add_one(b, global_);
  }
  return (ordered & kGlobal) != 0;
}

llvm::Value* Intervals::now(llvm::IRBuilder<>& b, bool local) const {
  return b.CreateZExt(b.CreateLoad(b.getInt32Ty(), local ? local_ : global_), b.getInt64Ty());
}

}  // namespace lanewise
