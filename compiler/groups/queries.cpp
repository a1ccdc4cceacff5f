// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/queries.h"

#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

namespace lanewise {
namespace {

using llvm::IRBuilder;
using llvm::Value;

/// No work-group is this large, so that all local ids are below.
constexpr std::uint64_t kLocalIdLimit = std::uint64_t{1} << 30U;

/// The value of query `what` in dimension `dim` (0 to 2).
Value* query_value(IRBuilder<>& b, Known what, unsigned dim, const WorkItemFunction& item) {
  switch (what) {
    case Known::global_id:
      return b.CreateAdd(item.context(ContextParameter::group_base, dim), item.context(ContextParameter::local_id, dim),
                         "global.id");
    case Known::local_id:
      return item.context(ContextParameter::local_id, dim);
    case Known::group_id:
      return item.context(ContextParameter::group_id, dim);
    case Known::local_size:
      return item.context(ContextParameter::local_size, dim);
    case Known::enqueued_local_size:
      return item.context(ContextParameter::enqueued_size, dim);
    case Known::global_size:
      return item.context(ContextParameter::global_size, dim);
    case Known::num_groups:
      return item.context(ContextParameter::num_groups, dim);
    default:
      return item.context(ContextParameter::global_offset, dim);
  }
}

/// OpenCL C 6.15.1: get_global_linear_id does not include the global offset.
Value* global_linear_id(IRBuilder<>& b, const WorkItemFunction& item) {
  Value* id[3];
  for (unsigned d = 0; d < 3; ++d) {
    Value* start =
        b.CreateSub(item.context(ContextParameter::group_base, d), item.context(ContextParameter::global_offset, d));
    id[d] = b.CreateAdd(start, item.context(ContextParameter::local_id, d));
  }
  Value* plane = b.CreateMul(id[2], item.context(ContextParameter::global_size, 1));
  Value* row = b.CreateMul(b.CreateAdd(plane, id[1]), item.context(ContextParameter::global_size, 0));
  return b.CreateAdd(row, id[0], "global.linear");
}

/// Sub-groups are consecutive work-items of the group, all but the last of one size.
Value* sub_group_query(IRBuilder<>& b, Known what, const WorkItemFunction& item) {
  const auto count = [&](ContextParameter sizes) {
    Value* items = b.CreateMul(b.CreateMul(item.context(sizes, 0), item.context(sizes, 1)), item.context(sizes, 2));
    const unsigned size = item.sub_group_size;
    return b.CreateLShr(b.CreateAdd(items, b.getInt64(size - 1)), llvm::Log2_32(size));
  };
  switch (what) {
    case Known::sub_group_size:
      return item.context(ContextParameter::sub_group_size);
    case Known::sub_group_id:
      return item.context(ContextParameter::sub_group_id);
    case Known::sub_group_local_id:
      return item.context(ContextParameter::sub_group_local_id);
    case Known::num_sub_groups:
      return count(ContextParameter::local_size);
    case Known::enqueued_num_sub_groups:
      return count(ContextParameter::enqueued_size);
    default:
      return b.getInt64(item.sub_group_size);
  }
}

llvm::AtomicOrdering fence_order(const Value* order) {
  // The values of memory_order are those of C's __ATOMIC_ macros.
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(order);
  switch (constant == nullptr ? 5 : constant->getZExtValue()) {
    case 0:
      return llvm::AtomicOrdering::NotAtomic;
    case 1:
    case 2:
      return llvm::AtomicOrdering::Acquire;
    case 3:
      return llvm::AtomicOrdering::Release;
    case 4:
      return llvm::AtomicOrdering::AcquireRelease;
    default:
      return llvm::AtomicOrdering::SequentiallyConsistent;
  }
}

}  // namespace

llvm::PreservedAnalyses DescribeQueriesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  for (llvm::Function& function : module) {
    const Known what = known_function(function);
    if (asks_address_space(what)) {
      function.setDoesNotAccessMemory();
      function.setWillReturn();
      function.removeFnAttr(llvm::Attribute::Convergent);
    }
    if (!is_query(what) || !function.getReturnType()->isIntegerTy()) continue;
    function.addRetAttr(llvm::Attribute::NoUndef);
    const bool size = what == Known::local_size || what == Known::enqueued_local_size;
    if (!size && what != Known::local_id && what != Known::local_linear_id) continue;
    const unsigned bits = function.getReturnType()->getIntegerBitWidth();
    function.addRangeRetAttr({llvm::APInt(bits, size ? 1 : 0), llvm::APInt(bits, kLocalIdLimit)});
  }
  return llvm::PreservedAnalyses::none();
}

void lower_query(llvm::CallInst& call, Known what, const WorkItemFunction& item) {
  IRBuilder<> b(&call);
  Value* result = nullptr;
  if (what == Known::work_dim) {
    result = item.context(ContextParameter::work_dim);
  } else if (what == Known::local_linear_id) {
    result = item.context(ContextParameter::local_linear);
  } else if (what == Known::global_linear_id) {
    result = global_linear_id(b, item);
  } else if (concerns_sub_groups(what)) {
    result = sub_group_query(b, what, item);
  } else {
    const bool size = what == Known::local_size || what == Known::enqueued_local_size || what == Known::global_size ||
                      what == Known::num_groups;
    Value* dim = call.getArgOperand(0);
    result = b.getInt64(size ? 1 : 0);
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(dim)) {
      if (constant->getValue().ult(3))
        result = query_value(b, what, static_cast<unsigned>(constant->getZExtValue()), item);
    } else {
      for (unsigned d = 3; d-- > 0;) {
        Value* match = b.CreateICmpEQ(dim, llvm::ConstantInt::get(dim->getType(), d));
        result = b.CreateSelect(match, query_value(b, what, d, item), result);
      }
    }
  }
  result = b.CreateZExtOrTrunc(result, call.getType());  // size_t is 32 bits wide under a 32-bit address model
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

void lower_fence(llvm::CallInst& call, Known what) {
  IRBuilder<> b(&call);
  auto order = llvm::AtomicOrdering::AcquireRelease;
  bool single_thread = false;
  if (what == Known::work_item_fence) {
    order = fence_order(call.getArgOperand(1));
    single_thread = !beyond_work_group(call, 2);
  } else if (what == Known::sub_group_barrier) {
    // The work-items of a sub-group run in one thread, in lockstep, so that only memory has to be ordered.
    single_thread = call.arg_size() < 2 || !beyond_work_group(call, 1);
  } else {
    // CLK_LOCAL_MEM_FENCE (1) alone concerns memory that only this thread accesses.
    const auto* flags = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
    single_thread = flags != nullptr && flags->equalsInt(1);
  }
  if (order != llvm::AtomicOrdering::NotAtomic)
    b.CreateFence(order, single_thread ? llvm::SyncScope::SingleThread : llvm::SyncScope::System);
  call.eraseFromParent();
}

}  // namespace lanewise
