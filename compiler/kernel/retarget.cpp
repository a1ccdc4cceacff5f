// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/retarget.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/base/context.h"

namespace lanewise {
namespace {

bool has_segment_operator(const llvm::DIExpression& expression) {
  return llvm::is_contained(expression.getElements(), llvm::dwarf::DW_OP_xderef);
}

/// The expression without `DW_OP_constu <space>, DW_OP_swap, DW_OP_xderef`: processors have no segments for our address
/// spaces, and gdb rejects the operator.
llvm::DIExpression* without_segment(const llvm::DIExpression& expression) {
  llvm::SmallVector<std::uint64_t, 8> kept;
  const llvm::ArrayRef<std::uint64_t> all = expression.getElements();
  for (std::size_t i = 0; i < all.size();) {
    if (i + 3 < all.size() && all[i] == llvm::dwarf::DW_OP_constu && all[i + 2] == llvm::dwarf::DW_OP_swap &&
        all[i + 3] == llvm::dwarf::DW_OP_xderef) {
      i += 4;
      continue;
    }
    const std::size_t size = llvm::DIExpression::ExprOperand(&all[i]).getSize();
    for (std::size_t end = std::min(i + size, all.size()); i < end; ++i) kept.push_back(all[i]);
  }
  return llvm::DIExpression::get(expression.getContext(), kept);
}

void strip_segments(llvm::Instruction& instruction) {
  for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
    if (has_segment_operator(*record.getExpression())) record.setExpression(without_segment(*record.getExpression()));
}

llvm::DIGlobalVariableExpression* without_segment(llvm::DIGlobalVariableExpression* info) {
  if (!has_segment_operator(*info->getExpression())) return info;
  return llvm::DIGlobalVariableExpression::get(info->getContext(), info->getVariable(),
                                               without_segment(*info->getExpression()));
}

void strip_segments(llvm::GlobalVariable& variable) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> infos;
  variable.getDebugInfo(infos);
  if (infos.empty()) return;
  variable.eraseMetadata(llvm::LLVMContext::MD_dbg);
  for (llvm::DIGlobalVariableExpression* info : infos) variable.addDebugInfo(without_segment(info));
}

/// A compile unit lists its variables too, including those that have been removed from the module.
void strip_segments(llvm::DICompileUnit& unit) {
  llvm::SmallVector<llvm::Metadata*, 8> infos;
  for (llvm::DIGlobalVariableExpression* info : unit.getGlobalVariables()) infos.push_back(without_segment(info));
  if (!infos.empty()) unit.replaceGlobalVariables(llvm::MDTuple::get(unit.getContext(), infos));
}

/// OpenCL scopes narrower than the device have no counterpart in the host's memory model.
void widen_scope(llvm::Instruction& instruction) {
  const auto scope = llvm::getAtomicSyncScopeID(&instruction);
  if (scope && *scope != llvm::SyncScope::System && *scope != llvm::SyncScope::SingleThread)
    llvm::setAtomicSyncScopeID(&instruction, llvm::SyncScope::System);
}

void set_target_attributes(llvm::Function& function, Isa isa, llvm::StringRef features) {
  function.setCallingConv(llvm::CallingConv::C);
  for (const char* name : {"target-features", "tune-cpu", "min-legal-vector-width", "uniform-work-group-size"})
    function.removeFnAttr(name);
  if (function.isDeclaration()) return;
  function.addFnAttr("target-cpu", isa.processor());
  if (!features.empty()) function.addFnAttr("target-features", features);
  // LLVM prefers 256 bits where there are 512; registers of 128 bits leave no choice.
  if (isa.vector_bits() > 128) function.addFnAttr("prefer-vector-width", llvm::utostr(isa.vector_bits()));
  constexpr unsigned kScale = 128;  // bits for which vectors of LLVM's scalable types have the elements that they name
  const unsigned scale = isa.vector_bits() / kScale;
  if (isa.has_exact_width())
    function.addFnAttr(llvm::Attribute::getWithVScaleRangeArgs(function.getContext(), scale, scale));
  // Kernels are called from C++: profilers and debuggers have to be able to walk through them.
  function.setUWTableKind(llvm::UWTableKind::Async);
  function.setDoesNotThrow();
}

void retarget(llvm::Module& module, const llvm::TargetMachine& machine, Isa isa) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  module.setPICLevel(llvm::PICLevel::BigPIC);
  replace_target_types(module);
  for (llvm::GlobalVariable& variable : module.globals()) strip_segments(variable);
  for (llvm::DICompileUnit* unit : module.debug_compile_units()) strip_segments(*unit);
  for (llvm::Function& function : module) {
    set_target_attributes(function, isa, machine.getTargetFeatureString());
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      strip_segments(instruction);
      widen_scope(instruction);
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) call->setCallingConv(llvm::CallingConv::C);
    }
  }
  // These say that the module is SPIR, which is no longer true.
  for (const char* name : {"opencl.spir.version", "opencl.used.extensions", "opencl.used.optional.core.features"})
    if (llvm::NamedMDNode* node = module.getNamedMetadata(name)) module.eraseNamedMetadata(node);
}

}  // namespace

llvm::PreservedAnalyses RetargetPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  retarget(module, context.machine, context.options.isa);
  return llvm::PreservedAnalyses::none();
}

}  // namespace lanewise
