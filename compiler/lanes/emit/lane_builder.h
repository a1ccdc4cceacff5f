// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An IR builder for values of a fixed number of lanes.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace lanewise::spmd {

class LaneBuilder : public llvm::IRBuilder<> {
 public:
  LaneBuilder(llvm::LLVMContext& context, unsigned width) : IRBuilder(context), width_(width) {}

  /// The type of all lanes of a scalar type.
  [[nodiscard]] llvm::VectorType* wide(llvm::Type* type) const { return llvm::FixedVectorType::get(type, width_); }
  /// The same value in all lanes.
  llvm::Value* splat(llvm::Value* v) { return CreateVectorSplat(width_, v); }
  /// The mask of all lanes.
  llvm::Value* all_true() { return llvm::ConstantInt::getTrue(wide(getInt1Ty())); }
  /// A vector of one scalar per lane.
  llvm::Value* from_lanes(llvm::ArrayRef<llvm::Value*> lanes) {
    llvm::Value* all = llvm::PoisonValue::get(wide(lanes.front()->getType()));
    for (unsigned l = 0; l < lanes.size(); ++l) all = CreateInsertElement(all, lanes[l], l);
    return all;
  }

 private:
  const unsigned width_;
};

}  // namespace lanewise::spmd
