// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/generic_pointers.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <cstddef>
#include <optional>

#include "compiler/base/address_spaces.h"
#include "compiler/groups/range_function.h"
#include "include/lanewise/kernel_abi.h"

namespace lanewise {
namespace {

using llvm::IRBuilder;
using llvm::Value;

// CLK_LOCAL_MEM_FENCE and CLK_GLOBAL_MEM_FENCE.
constexpr unsigned kLocalFence = 1;
constexpr unsigned kGlobalFence = 2;

/// The address space that a generic pointer was made from, where the code shows it.
std::optional<unsigned> origin(const Value* pointer) {
  while (pointer->getType()->getPointerAddressSpace() == generic_space) {
    const auto* operation = llvm::dyn_cast<llvm::Operator>(pointer);
    if (operation == nullptr || (operation->getOpcode() != llvm::Instruction::AddrSpaceCast &&
                                 operation->getOpcode() != llvm::Instruction::GetElementPtr))
      return std::nullopt;
    pointer = operation->getOperand(0);
  }
  return pointer->getType()->getPointerAddressSpace();
}

class Classifier {
 public:
  Classifier(IRBuilder<>& builder, Value& pointer, const WorkItemFunction& item)
      : b_(builder), pointer_(pointer), item_(item), origin_(origin(&pointer)) {}

  Value* is_local() { return origin_ ? b_.getInt1(*origin_ == local_space) : lies_in(Area::local); }
  Value* is_private() {
    if (origin_) return b_.getInt1(*origin_ == private_space);
    Value* scratch = b_.CreateOr(lies_in(Area::item_scratch), lies_in(Area::group_scratch));
    return b_.CreateOr(lies_in(Area::stack), scratch, "is.private");
  }
  Value* is_global() {
    if (origin_) return b_.getInt1(*origin_ == global_space);
    return b_.CreateNot(b_.CreateOr(is_local(), is_private()), "is.global");
  }

 private:
  Value* lies_in(Area which) {
    const AreaParameters area = item_.area(which);
    if (address_ == nullptr) address_ = b_.CreatePtrToInt(&pointer_, b_.getInt64Ty(), "address");
    return b_.CreateICmpULT(b_.CreateSub(address_, area.begin), area.bytes);
  }

  IRBuilder<>& b_;
  Value& pointer_;
  const WorkItemFunction& item_;
  std::optional<unsigned> origin_;
  Value* address_ = nullptr;
};

bool asks(const AreaParameters& area) {
  return !area.begin->use_empty() || !area.bytes->use_empty();
}

struct AddressRange {
  Value* begin;
  Value* bytes;
};

/// Variables on the stack are in the frame of the range function: all code that could use them is inlined into it.
AddressRange stack_frame(IRBuilder<>& b) {
  // A function that calls nothing may use this much below its stack pointer (System V ABI).
  constexpr std::int64_t kRedZone = 128;
  Value* top = b.CreateIntrinsic(llvm::Intrinsic::frameaddress, {b.getPtrTy()}, {b.getInt32(0)});
  Value* stack = b.CreateIntrinsic(llvm::Intrinsic::stacksave, {b.getPtrTy()}, {});
  Value* bottom = b.CreateGEP(b.getInt8Ty(), stack, b.getInt64(-kRedZone), "stack");
  Value* first = b.CreatePtrToInt(bottom, b.getInt64Ty());
  return {bottom, b.CreateSub(b.CreatePtrToInt(top, b.getInt64Ty()), first, "stack.bytes")};
}

/// A field of the worker, which does not change while a range runs.
Value* worker_bytes(IRBuilder<>& b, Value* worker, std::size_t offset, const llvm::Twine& name) {
  Value* address = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), worker, offset);
  auto* load = b.CreateAlignedLoad(b.getInt64Ty(), address, llvm::Align(8), name);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b.getContext(), {}));
  return load;
}

}  // namespace

void describe_areas(IRBuilder<>& builder, RangeFunction& range, const WorkItemFunction& item,
                    const abi::KernelInfo& info, Value& local) {
  Value* worker = range.parameter(item, ContextParameter::worker);
  const auto set = [&](Area which, Value* begin, llvm::function_ref<AddressRange()> place) {
    const AreaParameters area = item.area(which);
    AddressRange found{llvm::ConstantPointerNull::get(builder.getPtrTy()), builder.getInt64(0)};
    if (begin != nullptr && asks(area)) found = place();
    range.parameters[area.begin->getArgNo()] =
        builder.CreatePtrToInt(found.begin, builder.getInt64Ty(), area.begin->getName());
    range.parameters[area.bytes->getArgNo()] = found.bytes;
  };
  const auto of_worker = [&](Area which, Value* begin, std::size_t offset) {
    set(which, begin,
        [&] { return AddressRange{begin, worker_bytes(builder, worker, offset, item.area(which).bytes->getName())}; });
  };
  of_worker(Area::local, &local, offsetof(lanewise_worker, local_bytes));
  of_worker(Area::item_scratch, info.item_bytes != 0 ? range.item_scratch : nullptr,
            offsetof(lanewise_worker, item_bytes));
  of_worker(Area::group_scratch, info.group_bytes != 0 ? range.group_scratch : nullptr,
            offsetof(lanewise_worker, group_bytes));
  set(Area::stack, worker, [&] { return stack_frame(builder); });
}

void lower_address_space_query(llvm::CallInst& call, Known what, const WorkItemFunction& item) {
  IRBuilder<> b(&call);
  Value* pointer = call.getArgOperand(0);
  Classifier classifier(b, *pointer, item);
  Value* result = nullptr;
  if (what == Known::get_fence) {
    result = b.CreateSelect(classifier.is_local(), b.getInt32(kLocalFence), b.getInt32(kGlobalFence));
  } else {
    Value* there = what == Known::to_global  ? classifier.is_global()
                   : what == Known::to_local ? classifier.is_local()
                                             : classifier.is_private();
    auto* type = llvm::cast<llvm::PointerType>(call.getType());
    result = b.CreateSelect(there, b.CreateAddrSpaceCast(pointer, type), llvm::ConstantPointerNull::get(type));
  }
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

}  // namespace lanewise
