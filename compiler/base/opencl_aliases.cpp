// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/opencl_aliases.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Argument.h>
#include <llvm/IR/Function.h>

#include "compiler/base/address_spaces.h"
#include "compiler/base/marks.h"

namespace lanewise {
namespace {

bool are_apart(unsigned a, unsigned b) {
  return (a == local_space && is_buffer_space(b)) || (b == local_space && is_buffer_space(a));
}

bool is_restrict(const llvm::Value& object) {
  const auto* parameter = llvm::dyn_cast<llvm::Argument>(&object);
  return parameter != nullptr && parameter->hasAttribute(marks::kRestrict);
}

}  // namespace

llvm::AnalysisKey OpenClAliasAnalysis::Key;

llvm::AliasResult OpenClAliases::alias(const llvm::MemoryLocation& a, const llvm::MemoryLocation& b,
                                       llvm::AAQueryInfo& /*query*/, const llvm::Instruction* /*context*/) {
  if (are_apart(a.Ptr->getType()->getPointerAddressSpace(), b.Ptr->getType()->getPointerAddressSpace()))
    return llvm::AliasResult::NoAlias;
  const llvm::Value* first = llvm::getUnderlyingObject(a.Ptr);
  const llvm::Value* second = llvm::getUnderlyingObject(b.Ptr);
  const auto is_known = [](const llvm::Value* object) {
    return llvm::isa<llvm::Argument>(object) || llvm::isIdentifiedObject(object);
  };
  const bool apart =
      first != second && is_known(first) && is_known(second) && (is_restrict(*first) || is_restrict(*second));
  return apart ? llvm::AliasResult::NoAlias : llvm::AliasResult::MayAlias;
}

}  // namespace lanewise
