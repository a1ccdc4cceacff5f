// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/uniformity.h"

#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassInstrumentation.h>

#include "compiler/base/address_spaces.h"
#include "compiler/base/marks.h"
#include "compiler/builtins/known_functions.h"

namespace lanewise {
namespace {

using llvm::InstructionUniformity;
using llvm::Value;

/// Memory that is not written while a range runs.
bool is_constant_memory(const Value& pointer) {
  if (pointer.getType()->getPointerAddressSpace() == constant_space) return true;
  const Value* object = llvm::getUnderlyingObject(&pointer, 12);
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(object))
    return argument->hasAttribute(marks::kConstantPointee);
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object);
  return global != nullptr && global->isConstant();
}

class WorkItemTarget final : public llvm::TargetTransformInfoImplCRTPBase<WorkItemTarget> {
 public:
  WorkItemTarget(const llvm::DataLayout& layout, const WorkItemFunction& item, Uniformity::Scope scope)
      : TargetTransformInfoImplCRTPBase(layout), item_(&item), scope_(scope) {}

  bool hasBranchDivergence(const llvm::Function* /*function*/) const override { return true; }

  InstructionUniformity getInstructionUniformity(const Value* value) const override {
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value))
      return varies(*argument) ? InstructionUniformity::NeverUniform : InstructionUniformity::Default;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (const auto group = instruction == nullptr ? std::nullopt : work_group_call(*instruction))
      return group->is_uniform() ? InstructionUniformity::AlwaysUniform : InstructionUniformity::NeverUniform;
    if (scope_ == Uniformity::Scope::sub_group && instruction != nullptr)
      if (const auto call = sub_group_call(*instruction))
        return call->is_uniform() ? InstructionUniformity::AlwaysUniform : InstructionUniformity::NeverUniform;
    if (instruction == nullptr || follows_operands(*instruction)) return InstructionUniformity::Default;
    return InstructionUniformity::NeverUniform;
  }

 private:
  [[nodiscard]] bool varies(const llvm::Argument& argument) const {
    if (scope_ == Uniformity::Scope::row)
      for (unsigned d = 0; d < 3; ++d)
        if (&argument == item_->context(ContextParameter::local_id, d)) return d == item_->row;
    if (scope_ == Uniformity::Scope::sub_group && (&argument == item_->context(ContextParameter::sub_group_id) ||
                                                   &argument == item_->context(ContextParameter::sub_group_size)))
      return false;
    return item_->is_varying(argument);
  }

  static bool follows_operands(const llvm::Instruction& i) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i))
      return load->isUnordered() && !load->isVolatile() &&
             (load->hasMetadata(llvm::LLVMContext::MD_invariant_load) ||
              is_constant_memory(*load->getPointerOperand()));
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&i)) return call->doesNotAccessMemory();
    // A freeze of what nobody has computed may choose a different value in each work-item; arithmetic that overflows
    // gives the bits that the machine computes. Private variables have a different address in each.
    if (llvm::isa<llvm::FreezeInst>(i)) return llvm::isa<llvm::BinaryOperator, llvm::CastInst>(i.getOperand(0));
    return !llvm::isa<llvm::AllocaInst>(i) && !i.mayReadOrWriteMemory();
  }

  const WorkItemFunction* item_;
  Uniformity::Scope scope_;
};

}  // namespace

struct Uniformity::State {
  explicit State(llvm::Function& f) : function(f) {}
  llvm::UniformityInfo& info() { return manager.getResult<llvm::UniformityInfoAnalysis>(function); }
  llvm::CycleInfo& cycles() { return manager.getResult<llvm::CycleAnalysis>(function); }

  llvm::Function& function;
  llvm::FunctionAnalysisManager manager;
};

Uniformity::Uniformity(const WorkItemFunction& item, Scope scope) : state_(std::make_unique<State>(*item.function)) {
  llvm::FunctionAnalysisManager& m = state_->manager;
  m.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  m.registerPass([] { return llvm::DominatorTreeAnalysis(); });
  m.registerPass([] { return llvm::CycleAnalysis(); });
  m.registerPass([] { return llvm::UniformityInfoAnalysis(); });
  m.registerPass([&item, scope] {
    return llvm::TargetIRAnalysis([&item, scope](const llvm::Function& f) {
      return llvm::TargetTransformInfo(std::make_unique<WorkItemTarget>(f.getDataLayout(), item, scope));
    });
  });
}

Uniformity::~Uniformity() = default;

bool Uniformity::is_uniform_in(const llvm::Instruction& value, const llvm::BasicBlock& block) {
  if (state_->info().isDivergent(static_cast<const Value*>(&value))) return false;
  const llvm::BasicBlock* home = value.getParent();
  for (const llvm::Cycle* c = state_->cycles().getCycle(home); c != nullptr && !c->contains(&block);
       c = c->getParentCycle()) {
    llvm::SmallVector<llvm::BasicBlock*> exiting;
    c->getExitingBlocks(exiting);
    for (const llvm::BasicBlock* e : exiting)
      if (branch_diverges(*e)) return false;
  }
  return true;
}

bool Uniformity::branch_diverges(const llvm::BasicBlock& block) {
  return state_->info().hasDivergentTerminator(block);
}

}  // namespace lanewise
