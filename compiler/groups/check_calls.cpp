// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <cstddef>

#include "compiler/groups/load_pointer.h"
#include "compiler/groups/queries.h"
#include "include/lanewise/check_abi.h"
#include "include/lanewise/kernel_abi.h"

namespace lanewise {
namespace {

using llvm::Value;

/// The global linear id, from global ids: a kernel that uses no other ids may still run groups as rows.
Value* linear_id(llvm::IRBuilder<>& b, const WorkItemFunction& item) {
  Value* id[3];
  for (unsigned d = 0; d < 3; ++d)
    id[d] = b.CreateSub(
        b.CreateAdd(item.context(ContextParameter::group_base, d), item.context(ContextParameter::local_id, d)),
        item.context(ContextParameter::global_offset, d));
  Value* row = b.CreateAdd(b.CreateMul(id[2], item.context(ContextParameter::global_size, 1)), id[1]);
  return b.CreateAdd(b.CreateMul(row, item.context(ContextParameter::global_size, 0)), id[0]);
}

/// The bits of a record that name the work-item.
Value* record_id(llvm::IRBuilder<>& b, const WorkItemFunction& item, bool linear) {
  using namespace check::race_record;
  if (linear) return b.CreateShl(linear_id(b, item), kItemShift);
  Value* group = b.CreateAnd(b.CreateShl(item.context(ContextParameter::group_linear), kGroupShift), kSeveralGroups);
  return b.CreateOr(b.CreateShl(item.context(ContextParameter::local_linear), kItemShift), group);
}

}  // namespace

void lower_check_call(llvm::CallInst& call, Known what, const WorkItemFunction& item) {
  llvm::IRBuilder<> b(&call);
  Value* worker = item.context(ContextParameter::worker);
  Value* result = nullptr;
  if (what == Known::check_bounds) {
    result = load_pointer(b, worker, offsetof(lanewise_worker, bounds), "check.bounds");
  } else if (what == Known::check_races) {
    result = load_pointer(b, worker, offsetof(lanewise_worker, races), "check.races");
  } else if (what == Known::check_id) {
    result = record_id(b, item, !llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->isZero());
  } else {
    llvm::SmallVector<Value*, 8> operands{worker};
    for (unsigned i = 0; i < 4; ++i) operands.push_back(call.getArgOperand(i));
    if (what == Known::check_shared) {
      operands.push_back(call.getArgOperand(4));
      operands.push_back(call.getArgOperand(5));
    } else {
      operands.push_back(linear_id(b, item));
      operands.push_back(b.getInt64(0));
    }
    llvm::SmallVector<llvm::Type*, 8> types;
    for (Value* operand : operands) types.push_back(operand->getType());
    Value* services = load_pointer(b, worker, offsetof(lanewise_worker, services), "services");
    Value* service = load_pointer(b, services, offsetof(lanewise_services, check), "check");
    auto* made = b.CreateCall(llvm::FunctionType::get(b.getInt64Ty(), types, false), service, operands);
    made->setDoesNotThrow();
    result = made;
  }
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

}  // namespace lanewise
