// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/faults/lone_lanes.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <optional>

#include "compiler/base/statistic.h"

namespace lanewise {
namespace {

Statistic lone_lane_stores{"store-lone-lanes", "stores", "masked stores of one lane made plain"};

/// The only active lane of a constant mask; nullopt for other masks.
std::optional<unsigned> lone_lane(const llvm::Value* mask) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(mask);
  if (constant == nullptr) return std::nullopt;
  std::optional<unsigned> lone;
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements();
  for (unsigned i = 0; i < lanes; ++i) {
    const llvm::Constant* lane = constant->getAggregateElement(i);
    if (lane == nullptr) return std::nullopt;
    if (lane->isNullValue() || llvm::isa<llvm::UndefValue>(lane)) continue;
    if (!lane->isOneValue() || lone) return std::nullopt;
    lone = i;
  }
  return lone;
}

void store_lane(llvm::IntrinsicInst& store, unsigned lane) {
  llvm::IRBuilder<> builder(&store);
  llvm::Value* vector = store.getArgOperand(0);
  auto* type = vector->getType()->getScalarType();
  const std::uint64_t offset = lane * store.getDataLayout().getTypeStoreSize(type);
  const llvm::Align alignment = llvm::commonAlignment(store.getParamAlign(1).valueOrOne(), offset);
  auto* address = builder.CreateConstInBoundsGEP1_64(type, store.getArgOperand(1), lane);
  auto* plain = builder.CreateAlignedStore(builder.CreateExtractElement(vector, lane), address, alignment);
  plain->copyMetadata(store);
  store.eraseFromParent();
}

bool store_lone_lanes(llvm::Module& module) {
  llvm::SmallVector<std::pair<llvm::IntrinsicInst*, unsigned>, 8> stores;
  for (llvm::Function& function : module)
    for (llvm::Instruction& i : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
      if (call == nullptr || call->getIntrinsicID() != llvm::Intrinsic::masked_store) continue;
      if (const auto lane = lone_lane(call->getArgOperand(2))) stores.emplace_back(call, *lane);
    }
  for (auto [store, lane] : stores) store_lane(*store, lane);
  lone_lane_stores += stores.size();
  return !stores.empty();
}

}  // namespace

llvm::PreservedAnalyses StoreLoneLanesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  return keeping_blocks(store_lone_lanes(module));
}

}  // namespace lanewise
