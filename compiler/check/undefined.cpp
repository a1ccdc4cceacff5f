// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/check/undefined.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/base/address_spaces.h"
#include "compiler/base/context.h"
#include "compiler/base/marks.h"
#include "compiler/builtins/known_functions.h"
#include "compiler/check/calls.h"
#include "compiler/check/definedness.h"
#include "compiler/check/places.h"

namespace lanewise {
namespace {

using llvm::IRBuilder;
using llvm::Value;

bool is_of_check(const llvm::Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  if (call != nullptr && is_check(known_call(*call))) return true;
  const Value* pointer = llvm::getLoadStorePointerOperand(&i);
  return i.getName().starts_with("check.") || (pointer != nullptr && pointer->getName().starts_with("check."));
}

/// Whether all uses of a variable's address are accesses that are seen here.
bool is_followed(const Value& address) {
  for (const llvm::User* user : address.users()) {
    const auto* i = llvm::cast<llvm::Instruction>(user);
    if (llvm::isa<llvm::LoadInst, llvm::DbgInfoIntrinsic, llvm::MemIntrinsic, llvm::PtrToIntInst>(i)) continue;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(i);
        store != nullptr && store->getValueOperand() != &address)
      continue;
    if (i->isLifetimeStartOrEnd() || is_of_check(*i)) continue;
    if (!llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst, llvm::BitCastInst>(i) || !is_followed(*i))
      return false;
  }
  return true;
}

class UndefinedChecks {
 public:
  UndefinedChecks(llvm::Function& kernel, const abi::KernelInfo& info)
      : kernel_(kernel), info_(info), calls_(*kernel.getParent()) {}

  void run() {
    llvm::SmallVector<llvm::Instruction*> instructions;
    llvm::ReversePostOrderTraversal<llvm::Function*> order(&kernel_);
    for (llvm::BasicBlock* block : order)
      for (llvm::Instruction& i : *block) instructions.push_back(&i);
    shadow_variables(instructions);
    follow_local_ = !writes_unknown_memory(instructions);
    for (llvm::Instruction* i : instructions) visit(*i);
    for (llvm::Instruction* i : instructions)
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(i)) values_.complete(*phi);
    for (const Use& use : uses_) report(use);
  }

 private:
  struct Use {
    llvm::Instruction* at;
    Value* shadow;
    const char* text;
  };

  void shadow_variables(llvm::ArrayRef<llvm::Instruction*> instructions) {
    for (llvm::Instruction* i : instructions) {
      auto* variable = llvm::dyn_cast<llvm::AllocaInst>(i);
      if (variable == nullptr || !is_followed(*variable) || variable->getName().starts_with("check.")) continue;
      const auto bytes = variable->getAllocationSize(variable->getDataLayout());
      if (!bytes) continue;
      IRBuilder<> b(variable->getNextNode());
      auto* shadow = b.CreateAlloca(llvm::ArrayType::get(b.getInt8Ty(), bytes->getFixedValue()), nullptr,
                                    variable->getName() + ".shadow");
      shadow->setAlignment(variable->getAlign());
      b.SetInsertPoint(&kernel_.getEntryBlock(), kernel_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      b.CreateMemSet(shadow, b.getInt8(0xff), bytes->getFixedValue(), variable->getAlign());
      variables_[variable] = shadow;
    }
  }

  /// Writes that the local memory's shadow would not see.
  bool writes_unknown_memory(llvm::ArrayRef<llvm::Instruction*> instructions) {
    return llvm::any_of(instructions, [&](llvm::Instruction* i) {
      return llvm::any_of(accesses_of(*i), [&](const CheckedAccess& access) {
        const AccessedObject pointee = pointee_of(*access.pointer, &info_);
        return access.writes && pointee.kind == ObjectKind::unknown && pointee.space == generic_space;
      });
    });
  }

  /// The address that is as far from `shadow` as `pointer` is from `base`, by the same steps, so that LLVM can make a
  /// value of the shadow where it can make one of the variable.
  static Value* same_steps(IRBuilder<>& b, Value& pointer, const Value& base, Value& shadow) {
    if (&pointer == &base) return &shadow;
    auto* step = llvm::cast<llvm::Instruction>(&pointer);
    Value* from = same_steps(b, *step->getOperand(0), base, shadow);
    if (!llvm::isa<llvm::GetElementPtrInst>(step)) return from;
    llvm::Instruction* copy = step->clone();
    copy->setOperand(0, from);
    if (copy->getType() != from->getType()) copy->mutateType(from->getType());
    return b.Insert(copy);
  }

  /// The shadow of memory; null: it has none.
  Value* shadow_of(IRBuilder<>& b, Value& pointer) {
    const AccessedObject pointee = pointee_of(pointer, &info_);
    if (pointee.kind == ObjectKind::alloca) {
      llvm::AllocaInst* shadow = variables_.lookup(pointee.base);
      if (shadow == nullptr) return nullptr;
      return same_steps(b, pointer, *pointee.base, *shadow);
    }
    if (pointee.space != local_space || !follow_local_) return nullptr;
    Value* address = b.CreateAdd(b.CreatePtrToInt(&pointer, b.getInt64Ty()), local_distance());
    return b.CreateIntToPtr(address, b.getPtrTy());
  }

  /// Bytes from local memory to its shadow: the entry of the bounds after those of the arguments.
  Value* local_distance() {
    if (distance_ != nullptr) return distance_;
    IRBuilder<> b(&kernel_.getEntryBlock(), kernel_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    Value* place = b.CreateConstGEP1_64(b.getInt8Ty(), calls_.bounds(b), info_.args.size() * sizeof(lanewise_bounds));
    distance_ = b.CreateLoad(b.getInt64Ty(), place, "check.local.shadow");
    distance_->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b.getContext(), {}));
    return distance_;
  }

  void use(llvm::Instruction& at, Value& value, const char* text) {
    if (Value* shadow = values_.of(value)) uses_.push_back({&at, shadow, text});
  }

  void visit(llvm::Instruction& i) {
    if (is_of_check(i)) return;
    if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&i)) {
      if (branch->isConditional() && !branch->hasMetadata(marks::kCheck))
        use(i, *branch->getCondition(), "a branch depends on a value that nobody has written");
    } else if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&i)) {
      use(i, *choice->getCondition(), "a branch depends on a value that nobody has written");
    } else if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&i)) {
      visit_block(*memory);
    } else if (i.isLifetimeStartOrEnd()) {
      begin_life(i);
    } else if (i.mayReadOrWriteMemory() && !accesses_of(i).empty()) {
      visit_access(i);
    } else {
      values_.visit(i);
    }
  }

  void visit_access(llvm::Instruction& i) {
    const CheckedAccess access = accesses_of(i).front();
    use(i, *access.pointer, "an address depends on a value that nobody has written");
    IRBuilder<> b(i.getNextNode());
    b.SetCurrentDebugLocation(i.getDebugLoc());
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) {
      llvm::Type* type = ShadowValues::type_of(*load->getType());
      Value* shadow = type == nullptr ? nullptr : shadow_of(b, *access.pointer);
      if (shadow != nullptr) values_.set(i, b.CreateAlignedLoad(type, shadow, load->getAlign()));
      return;
    }
    Value* written = access.stored != nullptr ? values_.of(*access.stored) : nullptr;
    if (Value* shadow = shadow_of(b, *access.pointer)) {
      if (written != nullptr)
        b.CreateAlignedStore(written, shadow, access.align);
      else
        b.CreateMemSet(shadow, b.getInt8(0), access.bytes, llvm::MaybeAlign());
      return;
    }
    const AccessedObject pointee = pointee_of(*access.pointer, &info_);
    if (access.stored != nullptr && pointee.space == global_space)
      use(i, *access.stored, "a value that nobody has written goes to global memory");
  }

  void visit_block(llvm::MemIntrinsic& memory) {
    IRBuilder<> b(memory.getNextNode());
    b.SetCurrentDebugLocation(memory.getDebugLoc());
    Value* to = shadow_of(b, *memory.getRawDest());
    if (to == nullptr) return;
    auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&memory);
    Value* from = copy == nullptr ? nullptr : shadow_of(b, *copy->getRawSource());
    if (from != nullptr)
      b.CreateMemMove(to, llvm::MaybeAlign(), from, llvm::MaybeAlign(), memory.getLength());
    else
      b.CreateMemSet(to, b.getInt8(0), memory.getLength(), llvm::MaybeAlign());
  }

  void begin_life(llvm::Instruction& i) {
    auto* marker = llvm::cast<llvm::IntrinsicInst>(&i);
    if (marker->getIntrinsicID() != llvm::Intrinsic::lifetime_start) return;
    llvm::AllocaInst* shadow = variables_.lookup(marker->getArgOperand(marker->arg_size() - 1)->stripPointerCasts());
    if (shadow == nullptr) return;
    IRBuilder<> b(i.getNextNode());
    const auto bytes = shadow->getAllocationSize(shadow->getDataLayout());
    b.CreateMemSet(shadow, b.getInt8(0xff), bytes->getFixedValue(), shadow->getAlign());
  }

  void report(const Use& use) {
    IRBuilder<> b(use.at);
    b.SetCurrentDebugLocation(use.at->getDebugLoc());
    Value* bad = ShadowValues::any(b, use.shadow);
    if (bad == nullptr) return;
    llvm::Instruction* fault = llvm::SplitBlockAndInsertIfThen(
        bad, use.at, /*Unreachable=*/false, llvm::MDBuilder(kernel_.getContext()).createUnlikelyBranchWeights());
    fault->setMetadata(marks::kRare, llvm::MDNode::get(kernel_.getContext(), {}));
    b.SetInsertPoint(fault);
    b.SetCurrentDebugLocation(use.at->getDebugLoc());
    calls_.check(b, {.event = check::CheckEvent::undefined}, use.at->getDebugLoc(), {"operation", use.text},
                 b.getInt64(0), b.getInt64(0));
  }

  llvm::Function& kernel_;
  const abi::KernelInfo& info_;
  CheckCalls calls_;
  ShadowValues values_;
  llvm::DenseMap<const Value*, llvm::AllocaInst*> variables_;
  llvm::SmallVector<Use> uses_;
  llvm::LoadInst* distance_ = nullptr;
  bool follow_local_ = true;
};

}  // namespace

llvm::PreservedAnalyses CheckUndefinedPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  for (const abi::KernelInfo* info : context_of(module, analyses).kernels)
    if (llvm::Function* kernel = module.getFunction(info->name); kernel != nullptr && !kernel->isDeclaration())
      UndefinedChecks(*kernel, *info).run();
  return llvm::PreservedAnalyses::none();
}

}  // namespace lanewise
