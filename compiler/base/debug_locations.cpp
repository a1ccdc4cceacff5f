// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/debug_locations.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <optional>

namespace lanewise {

using llvm::DbgVariableRecord;
using llvm::Instruction;
using llvm::Value;

bool describes_variables(const llvm::DICompileUnit& unit) {
  return unit.getEmissionKind() == llvm::DICompileUnit::FullDebug;
}

bool has_variables_described(const llvm::Module& module) {
  return llvm::any_of(module.debug_compile_units(),
                      [](const llvm::DICompileUnit* unit) { return describes_variables(*unit); });
}

void drop_unreachable_locations(llvm::Function& function) {
  std::optional<llvm::DominatorTree> dominators;  // most functions have no records
  for (Instruction& i : llvm::instructions(function))
    for (DbgVariableRecord& record : llvm::make_early_inc_range(llvm::filterDbgVars(i.getDbgRecordRange()))) {
      if (!dominators) dominators.emplace(function);
      const auto lost = [&](const Value* value) {
        if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value)) return argument->getParent() != &function;
        const auto* from = llvm::dyn_cast<Instruction>(value);
        return from != nullptr && (from->getFunction() != &function || !dominators->dominates(from, &i));
      };
      if (!llvm::any_of(record.location_ops(), lost)) continue;
      if (record.isDbgDeclare())
        record.eraseFromParent();
      else
        record.setKillLocation();  // an older value of the variable ends here too
    }
}

}  // namespace lanewise
