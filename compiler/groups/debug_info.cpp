// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/debug_info.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "compiler/base/context.h"
#include "compiler/base/debug_locations.h"
#include "compiler/builtins/sub_group_operations.h"

namespace lanewise {
namespace {

using llvm::AllocaInst;
using llvm::DbgVariableRecord;
using llvm::Instruction;
using llvm::Value;

/// An expression for a slot that holds the variable's address and not the variable.
llvm::DIExpression* through_pointer(llvm::DIExpression* expression) {
  return llvm::DIExpression::prepend(expression, llvm::DIExpression::DerefBefore);
}

/// The first declaration of a variable: copies of it say nothing new.
const DbgVariableRecord* declaration_of(const AllocaInst& variable) {
  const auto found = llvm::findDVRDeclares(const_cast<AllocaInst*>(&variable));
  return found.empty() ? nullptr : found.front();
}

}  // namespace

DebugInfo::DebugInfo(const WorkItemFunction& item, RangeFunction& range, bool every_value)
    : item_(item), range_(range), every_value_(every_value) {
  llvm::DISubprogram* visible = range.function->getSubprogram();
  if (visible == nullptr || !describes_variables(*visible->getUnit())) {
    every_value_ = false;
    return;
  }
  name_bodies();
  if (body_ != nullptr)
    wrapper_ = visible;
  else
    body_ = visible;
  if (every_value_)
    make_subprogram();
  else
    range_.function->setSubprogram(body_);
  move_locations();
  if (!every_value_) describe_arguments();
}

/// Clang makes two functions of a kernel: the body, which other kernels call, and a wrapper, which the host calls.
void DebugInfo::name_bodies() {
  constexpr llvm::StringLiteral kBody = "__clang_ocl_kern_imp_";
  constexpr unsigned kLinkageNameOperand = 3;
  const llvm::DISubprogram* visible = range_.function->getSubprogram();
  llvm::SmallPtrSet<llvm::DISubprogram*, 4> bodies;
  const auto look = [&](const llvm::DebugLoc& at) {
    for (const llvm::DILocation* l = at.get(); l != nullptr; l = l->getInlinedAt()) {
      llvm::DISubprogram* function = l->getScope()->getSubprogram();
      if (!function->getLinkageName().starts_with(kBody)) continue;
      bodies.insert(function);
      const llvm::DILocation* call = l->getInlinedAt();
      if (function->getName() == visible->getName() && call != nullptr && call->getScope()->getSubprogram() == visible)
        body_ = function;
    }
  };
  for (const Instruction& i : llvm::instructions(*item_.function)) {
    look(i.getDebugLoc());
    for (const llvm::DbgRecord& record : i.getDbgRecordRange()) look(record.getDebugLoc());
  }
  for (const llvm::Function& other : *range_.function->getParent())
    if (other.getSubprogram() == body_) body_ = nullptr;  // another function still has it; only one function can
  // Debuggers would show this name instead of the kernel's.
  for (llvm::DISubprogram* function : bodies) function->replaceOperandWith(kLinkageNameOperand, nullptr);
}

void DebugInfo::make_subprogram() {
  llvm::DIBuilder builder(*range_.function->getParent(), /*AllowUnresolved=*/false, body_->getUnit());
  auto* type = builder.createSubroutineType(builder.getOrCreateTypeArray({nullptr}));
  auto* subprogram =
      builder.createFunction(body_->getFile(), range_.function->getName(), {}, body_->getFile(), body_->getLine(), type,
                             body_->getScopeLine(), llvm::DINode::FlagArtificial, llvm::DISubprogram::SPFlagDefinition);
  range_.function->setSubprogram(subprogram);
  call_ = llvm::DILocation::getDistinct(range_.function->getContext(), body_->getScopeLine(), 0, subprogram);
  builder.finalize();
}

/// The same place in the body, inlined at `call_`, or with the range function as the body. Null: in the wrapper.
llvm::DILocation* DebugInfo::moved(const llvm::DILocation& at, bool distinct) {
  const llvm::DILocation* outer = at.getInlinedAt();
  const bool outermost = outer == nullptr || (wrapper_ != nullptr && outer->getInlinedAt() == nullptr);
  if (outer == nullptr && wrapper_ != nullptr) return nullptr;
  llvm::LLVMContext& context = range_.function->getContext();
  llvm::DILocation* inlined_at = outermost ? call_ : moved(*outer, /*distinct=*/true);
  if (!distinct)
    return llvm::DILocation::get(context, at.getLine(), at.getColumn(), at.getScope(), inlined_at, at.isImplicitCode());
  llvm::DILocation*& known = calls_[&at];
  if (known == nullptr)
    known = llvm::DILocation::getDistinct(context, at.getLine(), at.getColumn(), at.getScope(), inlined_at);
  return known;
}

void DebugInfo::move_locations() {
  for (Instruction& i : llvm::instructions(*item_.function)) {
    if (i.getDebugLoc()) i.setDebugLoc(moved(*i.getDebugLoc()));
    llvm::updateLoopMetadataDebugLocations(i, [&](llvm::Metadata* part) -> llvm::Metadata* {
      auto* at = llvm::dyn_cast_or_null<llvm::DILocation>(part);
      return at == nullptr ? part : moved(*at);
    });
    for (llvm::DbgRecord& record : llvm::make_early_inc_range(i.getDbgRecordRange())) {
      llvm::DILocation* to = record.getDebugLoc() ? moved(*record.getDebugLoc()) : nullptr;
      if (to == nullptr)
        record.eraseFromParent();  // the wrapper's own arguments
      else
        record.setDebugLoc(to);
    }
  }
}

/// At the begin of the range function the arguments are in their block; later places come from the optimised code.
void DebugInfo::describe_arguments() {
  llvm::Function& function = *range_.function;
  llvm::DenseMap<unsigned, llvm::DILocalVariable*> arguments;
  for (Instruction& i : llvm::instructions(*item_.function))
    for (DbgVariableRecord& record : llvm::filterDbgVars(i.getDbgRecordRange())) {
      llvm::DILocalVariable* variable = record.getVariable();
      if (variable->getArg() != 0 && variable->getScope() == body_ && record.getDebugLoc()->getInlinedAt() == nullptr)
        arguments[variable->getArg() - 1] = variable;
    }
  auto* at = llvm::DILocation::get(function.getContext(), body_->getScopeLine(), 0, body_);
  for (const auto& [number, variable] : arguments) {
    if (number >= item_.kernel_args || range_.argument_offsets.size() <= number) continue;
    const auto offset = range_.argument_offsets[number];
    if (!offset) continue;
    auto* expression = llvm::DIExpression::get(function.getContext(),
                                               {llvm::dwarf::DW_OP_plus_uconst, *offset, llvm::dwarf::DW_OP_deref});
    range_.entry->insertDbgRecordBefore(
        DbgVariableRecord::createDbgVariableRecord(function.getArg(1), variable, expression, at),
        range_.entry->getFirstNonPHIIt());
  }
}

AllocaInst* DebugInfo::slot_for(llvm::Type* type, const llvm::Twine& name) {
  return llvm::IRBuilder<>(range_.entry, range_.entry->begin()).CreateAlloca(type, nullptr, name);
}

void DebugInfo::declare(Value* slot, llvm::DILocalVariable* variable, llvm::DIExpression* expression) {
  auto* at = llvm::DILocation::get(range_.function->getContext(), variable->getLine(), 0, variable->getScope(), call_);
  range_.entry->insertDbgRecordBefore(DbgVariableRecord::createDVRDeclare(slot, variable, expression, at),
                                      range_.entry->getTerminator()->getIterator());
}

void DebugInfo::declare(const AllocaInst& variable, AllocaInst* place) {
  const DbgVariableRecord* told = every_value_ ? declaration_of(variable) : nullptr;
  if (told == nullptr) return;
  // A variable of an inlined function keeps its own place in the chain of calls.
  range_.entry->insertDbgRecordBefore(
      DbgVariableRecord::createDVRDeclare(place, told->getVariable(), told->getExpression(), told->getDebugLoc().get()),
      range_.entry->getTerminator()->getIterator());
}

void DebugInfo::declare_at(llvm::IRBuilder<>& b, const AllocaInst& variable, Value* address) {
  const DbgVariableRecord* told = every_value_ ? declaration_of(variable) : nullptr;
  if (told == nullptr) return;
  AllocaInst*& slot = addresses_[&variable];
  if (slot == nullptr) {
    slot = slot_for(b.getPtrTy(), variable.getName() + ".address");
    range_.entry->insertDbgRecordBefore(
        DbgVariableRecord::createDVRDeclare(slot, told->getVariable(), through_pointer(told->getExpression()),
                                            told->getDebugLoc().get()),
        range_.entry->getTerminator()->getIterator());
  }
  b.CreateStore(address, slot);
}

void DebugInfo::store_triple(llvm::IRBuilder<>& b, const char* name, llvm::ArrayRef<Value*> values) {
  auto* type = llvm::ArrayType::get(b.getInt64Ty(), 3);
  AllocaInst*& slot = triples_[name];
  if (slot == nullptr) {
    slot = slot_for(type, name);
    llvm::DIBuilder builder(*range_.function->getParent(), /*AllowUnresolved=*/false, body_->getUnit());
    auto* number = builder.createBasicType("size_t", 64, llvm::dwarf::DW_ATE_unsigned);
    auto* triple = builder.createArrayType(std::uint64_t{3} * 64, 64, number,
                                           builder.getOrCreateArray({builder.getOrCreateSubrange(0, 3)}));
    declare(slot, builder.createAutoVariable(body_, name, body_->getFile(), body_->getLine(), triple),
            builder.createExpression());
    builder.finalize();
  }
  for (unsigned d = 0; d < 3; ++d) b.CreateStore(values[d], b.CreateConstInBoundsGEP2_64(type, slot, 0, d));
}

void DebugInfo::describe_group(llvm::IRBuilder<>& b) {
  if (!every_value_) return;
  const auto store = [&](const char* name, ContextParameter which) {
    store_triple(
        b, name,
        {range_.parameter(item_, which, 0), range_.parameter(item_, which, 1), range_.parameter(item_, which, 2)});
  };
  store("__group_id", ContextParameter::group_id);
  store("__local_size", ContextParameter::local_size);
  store("__global_size", ContextParameter::global_size);
  describe_local_variables(b);
}

void DebugInfo::describe_item(llvm::IRBuilder<>& b, llvm::ArrayRef<Value*> local_id) {
  if (!every_value_) return;
  Value* global_id[3];
  for (unsigned d = 0; d < 3; ++d)
    global_id[d] = b.CreateAdd(range_.parameter(item_, ContextParameter::group_base, d), local_id[d]);
  store_triple(b, "__local_id", local_id);
  store_triple(b, "__global_id", global_id);
}

/// A __local variable was a global of the module; it has become an address in the group's local memory.
void DebugInfo::describe_local_variables(llvm::IRBuilder<>& b) {
  llvm::DIBuilder builder(*range_.function->getParent(), /*AllowUnresolved=*/false, body_->getUnit());
  for (const auto& [offset, info] : item_.described_local) {
    const llvm::DIGlobalVariable* variable = info->getVariable();
    auto* scope = llvm::dyn_cast<llvm::DILocalScope>(variable->getScope());
    // A variable of an inlined function does not belong to this kernel's own scopes.
    if (scope == nullptr || scope->getSubprogram() != body_) continue;
    AllocaInst* slot = slot_for(b.getPtrTy(), variable->getName() + ".address");
    Value* local = b.CreateAddrSpaceCast(range_.parameter(item_, ContextParameter::local_memory), b.getPtrTy());
    b.CreateStore(b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), local, offset), slot);
    declare(slot,
            builder.createAutoVariable(scope, variable->getName(), variable->getFile(), variable->getLine(),
                                       variable->getType()),
            through_pointer(builder.createExpression()));
  }
  builder.finalize();
}

void DebugInfo::drop_declares(llvm::BasicBlock& copy) const {
  if (!every_value_) return;
  for (Instruction& i : copy)
    for (DbgVariableRecord& record : llvm::make_early_inc_range(llvm::filterDbgVars(i.getDbgRecordRange())))
      if (record.isDbgDeclare()) record.eraseFromParent();
}

void DebugInfo::finish() {
  if (body_ == nullptr) return;
  drop_unreachable_locations(*range_.function);
  llvm::Function& function = *range_.function;
  const llvm::DebugLoc nowhere(llvm::DILocation::get(function.getContext(), 0, 0, function.getSubprogram()));
  for (Instruction& i : llvm::instructions(function))
    if (!i.getDebugLoc() && !llvm::isa<AllocaInst, llvm::PHINode>(i)) i.setDebugLoc(nowhere);
}

llvm::PreservedAnalyses KeepVariablesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  KernelContext& context = context_of(module, analyses);
  // Operations on sub-groups need vectors, and the vectoriser needs variables in SSA form and not in memory.
  const auto in_sub_groups = [](const llvm::Function& f) { return !f.isDeclaration() && uses_sub_groups(f); };
  context.workgroup.every_value =
      !context.options.optimise && has_variables_described(module) && llvm::none_of(module, in_sub_groups);
  return llvm::PreservedAnalyses::all();
}

}  // namespace lanewise
