// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/check/calls.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>

#include "compiler/base/marks.h"

namespace lanewise {

using llvm::IRBuilder;
using llvm::Value;

namespace {

llvm::Instruction& block_if(Value* condition, llvm::Instruction& at, llvm::MDNode* weights) {
  llvm::Instruction* end = llvm::SplitBlockAndInsertIfThen(condition, &at, /*Unreachable=*/false, weights);
  end->setDebugLoc(at.getDebugLoc());
  llvm::Instruction* branch = end->getParent()->getSinglePredecessor()->getTerminator();
  branch->setMetadata(marks::kCheck, llvm::MDNode::get(at.getContext(), {}));
  return *end;
}

}  // namespace

llvm::Instruction& block_if(Value* condition, llvm::Instruction& at) {
  return block_if(condition, at, nullptr);
}

llvm::Instruction& rare_block_if(Value* condition, llvm::Instruction& at) {
  llvm::Instruction& end = block_if(condition, at, llvm::MDBuilder(at.getContext()).createUnlikelyBranchWeights());
  end.setMetadata(marks::kRare, llvm::MDNode::get(at.getContext(), {}));
  return end;
}

std::string CheckCalls::text_of(const llvm::DebugLoc& where, const CheckedObject& object) {
  const llvm::DILocation* location = where.get();
  std::string text = location == nullptr ? "" : location->getFilename().str();
  const auto field = [&](const std::string& part) { (text += check::kFieldEnd) += part; };
  field(std::to_string(location == nullptr ? 0 : location->getLine()));
  field(std::to_string(location == nullptr ? 0 : location->getColumn()));
  field(object.kind);
  field(object.name);
  field(std::to_string(object.size));
  text += check::kFieldEnd;
  return text;
}

unsigned CheckCalls::race_place(check::CheckCall call, const llvm::DebugLoc& where, const CheckedObject& object) {
  // All steps of an access are one place.
  call.event = check::CheckEvent::shared;
  call.flags &= static_cast<std::uint8_t>(~check::after);
  const std::string text = text_of(where, object) + std::to_string(call.packed()) + check::kFieldEnd;
  const auto [found, fresh] = race_places_.try_emplace(text, race_places_.size());
  if (found->second >= check::kLastPlace) return check::kLastPlace;
  if (fresh) race_text_ += text;
  return found->second;
}

void CheckCalls::finish() {
  if (race_texts_ == nullptr) return;
  IRBuilder<> b(module_.getContext());
  race_texts_->replaceAllUsesWith(b.CreateGlobalString(race_text_, "check.places", 0, &module_));
  race_texts_->eraseFromParent();
}

llvm::CallInst* CheckCalls::call(IRBuilder<>& b, const char* name, llvm::ArrayRef<Value*> operands) {
  llvm::SmallVector<llvm::Type*, 6> types;
  for (Value* operand : operands) types.push_back(operand->getType());
  llvm::Type* result = operands.empty() ? static_cast<llvm::Type*>(b.getPtrTy()) : b.getInt64Ty();
  const auto function = module_.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  llvm::CallInst* made = b.CreateCall(function, operands);
  made->setDoesNotThrow();
  return made;
}

Value* CheckCalls::what(IRBuilder<>& b, check::CheckCall call, Value* bytes) {
  if (bytes == nullptr) return b.getInt64(call.packed());
  call.bytes = 0;
  Value* some = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, bytes, b.getInt64(0xffff'ffff));
  return b.CreateOr(b.CreateShl(some, check::CheckCall::kBytesShift), b.getInt64(call.packed()));
}

llvm::CallInst* CheckCalls::check(IRBuilder<>& b, check::CheckCall call, const llvm::DebugLoc& where,
                                  const CheckedObject& object, Value* address, Value* value, Value* bytes) {
  const auto [text, fresh] = places_.try_emplace(text_of(where, object));
  if (fresh) text->second = b.CreateGlobalString(text->first, "check.place", 0, &module_);
  return this->call(b, "__lw_check", {what(b, call, bytes), text->second, address, value});
}

llvm::CallInst* CheckCalls::shared(IRBuilder<>& b, check::CheckCall call, const llvm::DebugLoc& where,
                                   const CheckedObject& object, Value* address, Value* value, Value* global,
                                   Value* local, Value* bytes) {
  if (race_texts_ == nullptr)
    race_texts_ = new llvm::GlobalVariable(module_, b.getInt8Ty(), /*isConstant=*/true,
                                           llvm::GlobalValue::ExternalLinkage, nullptr, "check.places.later");
  call.place = static_cast<std::uint16_t>(race_place(call, where, object));
  return this->call(b, "__lw_check_shared", {what(b, call, bytes), race_texts_, address, value, global, local});
}

llvm::CallInst* CheckCalls::bounds(IRBuilder<>& b) {
  llvm::CallInst* made = call(b, "__lw_check_bounds", {});
  made->setDoesNotAccessMemory();
  return made;
}

llvm::CallInst* CheckCalls::races(IRBuilder<>& b) {
  llvm::CallInst* made = call(b, "__lw_check_races", {});
  made->setDoesNotAccessMemory();
  return made;
}

llvm::CallInst* CheckCalls::id(IRBuilder<>& b, bool linear) {
  llvm::CallInst* made = call(b, "__lw_check_id", {b.getInt64(linear ? 1 : 0)});
  made->setDoesNotAccessMemory();
  return made;
}

}  // namespace lanewise
