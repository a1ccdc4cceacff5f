// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/check/calls.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace lanewise {

using llvm::IRBuilder;
using llvm::Value;

const CheckCalls::CheckPlace& CheckCalls::place(IRBuilder<>& b, const llvm::DebugLoc& where,
                                                const CheckedObject& object) {
  const llvm::DILocation* location = where.get();
  std::string text = location == nullptr ? "" : location->getFilename().str();
  const auto field = [&](const std::string& part) { (text += check::kFieldEnd) += part; };
  field(std::to_string(location == nullptr ? 0 : location->getLine()));
  field(std::to_string(location == nullptr ? 0 : location->getColumn()));
  field(object.kind);
  field(object.name);
  field(std::to_string(object.size));
  text += check::kFieldEnd;
  const auto [found, fresh] = places_.try_emplace(text);
  if (fresh)
    found->second = {b.CreateGlobalString(text, "check.place", 0, &module_),
                     std::min(static_cast<unsigned>(places_.size() - 1), check::kLastPlace)};
  return found->second;
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

Value* CheckCalls::what(IRBuilder<>& b, check::CheckCall call, const CheckPlace& place, Value* bytes) {
  call.place = static_cast<std::uint16_t>(place.number);
  if (bytes == nullptr) return b.getInt64(call.packed());
  call.bytes = 0;
  Value* some = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, bytes, b.getInt64(0xffff'ffff));
  return b.CreateOr(b.CreateShl(some, check::CheckCall::kBytesShift), b.getInt64(call.packed()));
}

llvm::CallInst* CheckCalls::check(IRBuilder<>& b, check::CheckCall call, const llvm::DebugLoc& where,
                                  const CheckedObject& object, Value* address, Value* value, Value* bytes) {
  const CheckPlace& at = place(b, where, object);
  return this->call(b, "__lw_check", {what(b, call, at, bytes), at.text, address, value});
}

llvm::CallInst* CheckCalls::shared(IRBuilder<>& b, check::CheckCall call, const llvm::DebugLoc& where,
                                   const CheckedObject& object, Value* address, Value* value, Value* interval,
                                   Value* bytes) {
  const CheckPlace& at = place(b, where, object);
  return this->call(b, "__lw_check_shared", {what(b, call, at, bytes), at.text, address, value, interval});
}

llvm::CallInst* CheckCalls::bounds(IRBuilder<>& b) {
  llvm::CallInst* made = call(b, "__lw_check_bounds", {});
  made->setDoesNotAccessMemory();
  return made;
}

}  // namespace lanewise
