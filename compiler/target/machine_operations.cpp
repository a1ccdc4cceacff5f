// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/machine_operations.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <vector>

#include "compiler/base/context.h"
#include "compiler/builtins/machine_operations.h"
#include "compiler/target/interface/operations.h"

namespace lanewise {
namespace {

using llvm::Value;

constexpr DotProduct kDotProducts[] = {
    {.name = "dot_us", .a_signed = false, .b_signed = true, .saturates = false},
    {.name = "dot_ss", .a_signed = true, .b_signed = true, .saturates = false},
    {.name = "dot_uu", .a_signed = false, .b_signed = false, .saturates = false},
    {.name = "dot_sat_us", .a_signed = false, .b_signed = true, .saturates = true},
};

/// Null: not an operation of the machine.
Value* lowered(llvm::CallInst& call, llvm::StringRef name, const TargetOperations& target,
               const llvm::TargetMachine& machine) {
  for (const DotProduct& dot : kDotProducts)
    if (dot.name == name) return target.dot_product(call, dot, machine);
  return target.machine_operation(call, name);
}

}  // namespace

bool lower_machine_operations(llvm::Module& module, Architecture architecture, const llvm::TargetMachine& machine) {
  const TargetOperations& target = target_operations(architecture);
  std::vector<llvm::Function*> functions;
  for (llvm::Function& f : module)
    if (is_machine_operation(f)) functions.push_back(&f);
  for (llvm::Function* f : functions) {
    const llvm::StringRef name = f->getName().drop_front(kMachineOperationPrefix.size()).split('.').first;
    std::vector<llvm::CallInst*> calls;
    for (llvm::User* user : f->users())
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) calls.push_back(call);
    for (llvm::CallInst* call : calls) {
      Value* result = lowered(*call, name, target, machine);
      if (result == nullptr) break;
      call->replaceAllUsesWith(result);
      call->eraseFromParent();
    }
    if (f->use_empty()) f->eraseFromParent();
  }
  return !functions.empty();
}

llvm::PreservedAnalyses LowerMachineOperationsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  return unless_changed(lower_machine_operations(module, context.options.isa.architecture(), context.machine));
}

}  // namespace lanewise
