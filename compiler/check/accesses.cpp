// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/check/accesses.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <map>

#include "compiler/base/address_spaces.h"
#include "compiler/base/context.h"
#include "compiler/base/marks.h"
#include "compiler/builtins/known_functions.h"
#include "compiler/check/calls.h"
#include "compiler/check/padding.h"
#include "compiler/check/places.h"
#include "compiler/check/races.h"

namespace lanewise {
namespace {

using llvm::IRBuilder;
using llvm::Value;

/// Turns private variables that are pointers into values.
void promote_pointers(llvm::Function& function) {
  llvm::DominatorTree dominators(function);
  std::vector<llvm::AllocaInst*> variables;
  for (llvm::Instruction& i : llvm::instructions(function))
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&i))
      if (variable->getAllocatedType()->isPointerTy() && llvm::isAllocaPromotable(variable))
        variables.push_back(variable);
  if (!variables.empty()) llvm::PromoteMemToReg(variables, dominators);
}

/// Without these flags an address that overflows is a number like others, and can be tested.
void drop_address_flags(llvm::Function& function) {
  for (llvm::Instruction& i : llvm::instructions(function))
    if (auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(&i)) step->setNoWrapFlags(llvm::GEPNoWrapFlags::none());
}

bool has_barrier(llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](llvm::Instruction& i) { return Intervals::orders(i); });
}

bool has_access_to_test(llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](llvm::Instruction& i) {
    return llvm::any_of(accesses_of(i), [](const CheckedAccess& access) {
      return !is_inside(access, pointee_of(*access.pointer, nullptr));
    });
  });
}

/// The library divides a copy among the work-items, which no program may rely on.
void mark_copies(llvm::Function& function) {
  if (!is_work_group_copy(function)) return;
  for (llvm::Instruction& i : llvm::instructions(function))
    if (i.mayReadOrWriteMemory()) i.setMetadata(marks::kAnyItem, llvm::MDNode::get(function.getContext(), {}));
}

bool has_recursion(llvm::Module& module) {
  llvm::CallGraph graph(module);
  for (auto group = llvm::scc_begin(&graph); !group.isAtEnd(); ++group)
    if (group.hasCycle()) return true;
  return false;
}

/// Inlines the functions with accesses to test. Recursion is left for mark-for-inlining to report.
bool inline_accesses(llvm::Module& module, llvm::ModuleAnalysisManager& analyses, const KernelContext& context) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    mark_copies(function);
    promote_pointers(function);
    // What is defined is followed through all functions of the program, and so are barriers.
    const bool followed = ((context.options.checks & check::init) != 0 && function.getSubprogram() != nullptr) ||
                          ((context.options.checks & check::race) != 0 && has_barrier(function));
    if (context.compiles(function.getName()) || (!followed && !has_access_to_test(function))) continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  if (has_recursion(module)) return false;
  llvm::AlwaysInlinerPass(/*InsertLifetime=*/false).run(module, analyses);
  return true;
}

/// Tests the accesses of one kernel.
class AccessChecks {
 public:
  AccessChecks(llvm::Function& kernel, abi::KernelInfo* info, std::uint32_t checks)
      : kernel_(kernel), info_(info), checks_(checks), calls_(*kernel.getParent()) {}

  void run() {
    llvm::SmallVector<llvm::Instruction*> instructions;
    for (llvm::Instruction& i : llvm::instructions(kernel_)) instructions.push_back(&i);
    for (llvm::Instruction* i : instructions) note_writes(*i);
    if ((checks_ & check::race) != 0) {
      for (llvm::Instruction* i : instructions)
        if (auto* store = llvm::dyn_cast<llvm::StoreInst>(i)) define_padding(*store);
      races_.emplace(kernel_, *info_, calls_);
    }
    for (llvm::Instruction* i : instructions) {
      if (races_ && races_->count(*i)) note_fence(*i);
      test(*i);
    }
    calls_.finish();
  }

 private:
  struct Tested {
    CheckedAccess access;
    AccessedObject pointee;
    CheckedObject object;
    Value* ok = nullptr;
    bool in_line = false;
  };

  /// Tells the runtime what is written.
  void note_writes(llvm::Instruction& i) {
    for (const CheckedAccess& access : accesses_of(i)) {
      const AccessedObject pointee = pointee_of(*access.pointer, info_);
      if (!access.writes || !pointee.is_shared() || pointee.space == local_space) continue;
      if (const auto* argument = llvm::dyn_cast_or_null<llvm::Argument>(pointee.base))
        info_->args[argument->getArgNo()].written = true;
      else
        info_->writes_elsewhere = true;
    }
  }

  static CheckedObject object_of(const AccessedObject& pointee) {
    switch (pointee.kind) {
      case ObjectKind::argument:
        return {"argument", std::to_string(llvm::cast<llvm::Argument>(pointee.base)->getArgNo()), 0};
      case ObjectKind::alloca:
        return {"private", name_of(*pointee.base), pointee.bytes};
      case ObjectKind::variable:
        return {pointee.space == local_space      ? "local"
                : pointee.space == constant_space ? "constant"
                                                  : "variable",
                name_of(*pointee.base), pointee.bytes};
      default:
        return {};
    }
  }

  /// The name in the source, which debug information has. LLVM adds to the name of a private variable.
  static std::string name_of(const Value& variable) {
    const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&variable);
    if (global == nullptr) return variable.getName().split('.').first.str();
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> described;
    global->getDebugInfo(described);
    return (described.empty() ? global->getName() : described.front()->getVariable()->getName()).str();
  }

  /// Begin and size of an argument's memory, loaded once.
  std::pair<Value*, Value*> bounds_of(const llvm::Argument& argument, bool writes) {
    const auto [found, fresh] = bounds_.try_emplace({argument.getArgNo(), writes});
    if (!fresh) return found->second;
    IRBuilder<> b(&kernel_.getEntryBlock(), kernel_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    if (table_ == nullptr) table_ = calls_.bounds(b);
    b.SetInsertPoint(table_->getNextNode());
    const auto number = [&](std::size_t offset) {
      Value* place =
          b.CreateConstGEP1_64(b.getInt8Ty(), table_, argument.getArgNo() * sizeof(lanewise_bounds) + offset);
      auto* load = b.CreateLoad(b.getInt64Ty(), place);
      load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b.getContext(), {}));
      return load;
    };
    Value* begin = number(offsetof(lanewise_bounds, begin));
    if (argument.getType()->getPointerAddressSpace() == local_space)
      begin = b.CreatePtrToInt(const_cast<llvm::Argument*>(&argument), b.getInt64Ty());
    found->second = {begin, number(writes ? offsetof(lanewise_bounds, writable) : offsetof(lanewise_bounds, readable))};
    return found->second;
  }

  std::pair<Value*, Value*> range_of(IRBuilder<>& b, const AccessedObject& pointee, bool writes) {
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(pointee.base)) return bounds_of(*argument, writes);
    return {b.CreatePtrToInt(pointee.base, b.getInt64Ty()), b.getInt64(pointee.bytes)};
  }

  static check::CheckCall call_of(const CheckedAccess& access, check::CheckEvent event) {
    check::CheckCall call{.event = event, .align_log2 = static_cast<std::uint8_t>(std::min(Log2(access.align), 15U))};
    if (access.reads) call.flags |= check::reads;
    if (access.writes) call.flags |= check::writes;
    if (access.atomic) call.flags |= check::atomic;
    if (access.acquires) call.flags |= check::acquires;
    call.bytes = static_cast<std::uint32_t>(access.constant_bytes());
    return call;
  }
  static Value* dynamic_bytes(const CheckedAccess& access) {
    return access.constant_bytes() == 0 ? access.bytes : nullptr;
  }

  /// The condition under which an access may be made.
  Tested tested(IRBuilder<>& b, const CheckedAccess& access, const AccessedObject& pointee) {
    Tested t{.access = access, .pointee = pointee, .object = object_of(pointee)};
    Value* address = b.CreatePtrToInt(access.pointer, b.getInt64Ty());
    if (pointee.kind == ObjectKind::unknown) {
      Value* found = calls_.check(b, call_of(access, check::CheckEvent::find), b.getCurrentDebugLocation(), t.object,
                                  address, b.getInt64(0), dynamic_bytes(access));
      t.ok = b.CreateICmpNE(found, b.getInt64(0));
      return t;
    }
    t.in_line = true;
    const auto [begin, size] = range_of(b, pointee, access.writes || access.updates);
    Value* offset = b.CreateSub(address, begin, "check.offset");
    if (access.constant_bytes() != 0) {
      Value* limit = b.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, size, b.getInt64(access.constant_bytes() - 1));
      t.ok = b.CreateICmpULT(offset, limit);
    } else {
      Value* left = b.CreateSub(size, b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, offset, size));
      t.ok = b.CreateICmpULE(access.bytes, left);
    }
    if (!is_aligned(access, pointee)) {
      Value* rest = b.CreateAnd(address, b.getInt64(access.align.value() - 1));
      t.ok = b.CreateAnd(t.ok, b.CreateICmpEQ(rest, b.getInt64(0)));
    }
    return t;
  }

  void test(llvm::Instruction& i) {
    const llvm::DebugLoc where = i.getDebugLoc();
    IRBuilder<> b(&i);
    b.SetCurrentDebugLocation(where);
    llvm::SmallVector<Tested, 2> all;
    llvm::SmallVector<std::pair<CheckedAccess, AccessedObject>, 2> met;
    for (const CheckedAccess& access : accesses_of(i)) {
      const AccessedObject pointee = pointee_of(*access.pointer, info_);
      if (pointee.kind == ObjectKind::unknown && pointee.space == constant_space) continue;
      if (races_ && pointee.is_shared()) met.emplace_back(access, pointee);
      if ((checks_ & check::memory) != 0 && !is_inside(access, pointee))
        all.push_back(tested(b, access, array_in_structure(access, pointee)));
    }
    if (!all.empty()) guard(i, all);
    // Only of accesses that are made.
    for (const auto& [access, pointee] : met)
      races_->watch(i, access, pointee, call_of(access, check::CheckEvent::shared), object_of(pointee));
  }

  static llvm::Instruction& ok_branch(llvm::BasicBlock& access) {
    return *access.getSinglePredecessor()->getTerminator();
  }

  /// Makes the instruction conditional.
  void guard(llvm::Instruction& i, llvm::ArrayRef<Tested> all) {
    IRBuilder<> b(&i);
    Value* ok = all.front().ok;
    for (const Tested& other : all.drop_front()) ok = b.CreateAnd(ok, other.ok);
    llvm::Instruction* access = nullptr;
    llvm::Instruction* fault = nullptr;
    llvm::SplitBlockAndInsertIfThenElse(ok, &i, &access, &fault,
                                        llvm::MDBuilder(i.getContext()).createLikelyBranchWeights());
    ok_branch(*access->getParent()).setMetadata(marks::kCheck, llvm::MDNode::get(i.getContext(), {}));
    const llvm::DebugLoc where = i.getDebugLoc();
    llvm::BasicBlock* rest = i.getParent();
    i.moveBefore(access->getIterator());
    if (llvm::all_of(all, [](const Tested& t) { return t.in_line; }))
      fault->setMetadata(marks::kRare, llvm::MDNode::get(i.getContext(), {}));
    b.SetInsertPoint(fault);
    b.SetCurrentDebugLocation(where);
    for (const Tested& t : all) {
      if (!t.in_line) continue;
      Value* address = b.CreatePtrToInt(t.access.pointer, b.getInt64Ty());
      check::CheckCall call = call_of(t.access, check::CheckEvent::outside);
      if (t.access.updates) call.flags = check::writes;
      calls_.check(b, call, where, t.object, address, range_of(b, t.pointee, t.access.writes || t.access.updates).first,
                   dynamic_bytes(t.access));
    }
    if (i.getType()->isVoidTy() || i.use_empty()) return;
    b.SetInsertPoint(rest, rest->begin());
    llvm::PHINode* result = b.CreatePHI(i.getType(), 2, i.getName() + ".checked");
    i.replaceAllUsesWith(result);
    result->addIncoming(&i, access->getParent());
    result->addIncoming(llvm::Constant::getNullValue(i.getType()), fault->getParent());
  }

  /// A barrier or a fence, after which the interval is counted on.
  void note_fence(llvm::Instruction& i) {
    IRBuilder<> b(i.getNextNode());
    b.SetCurrentDebugLocation(i.getDebugLoc());
    calls_.shared(b, {.event = check::CheckEvent::fence}, i.getDebugLoc(), {}, b.getInt64(0), b.getInt64(0),
                  races_->now(b, false), b.getInt64(0));
  }

  llvm::Function& kernel_;
  abi::KernelInfo* info_;
  std::uint32_t checks_;
  CheckCalls calls_;
  std::optional<RaceChecks> races_;
  llvm::CallInst* table_ = nullptr;
  /// Begin and size of arguments' memory, by number and whether it is written.
  std::map<std::pair<unsigned, bool>, std::pair<Value*, Value*>> bounds_;
};

}  // namespace

llvm::PreservedAnalyses CheckAccessesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  KernelContext& context = context_of(module, analyses);
  if (!inline_accesses(module, analyses, context)) return llvm::PreservedAnalyses::none();
  for (abi::KernelInfo* info : context.kernels) {
    llvm::Function* kernel = module.getFunction(info->name);
    if (kernel == nullptr || kernel->isDeclaration()) continue;
    promote_pointers(*kernel);
    drop_address_flags(*kernel);
    AccessChecks(*kernel, info, context.options.checks).run();
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace lanewise
