// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/object/generator_passes.h"

#include <llvm/CodeGen/Passes.h>
#include <llvm/IR/Module.h>

#include "compiler/base/extent.h"
#include "compiler/object/quick_registers.h"
#include "compiler/target/faults/mask_extensions.h"
#include "compiler/target/faults/masked_loads.h"
#include "compiler/target/faults/unaligned_conversions.h"

namespace lanewise {

using llvm::Function;

GeneratorLimits::GeneratorLimits(const llvm::Module& module)
    : context_(module.getContext()), before_(context_.getOptPassGate()) {
  for (const Function& function : module)
    for (const llvm::BasicBlock& block : function) large_blocks_ |= block.size() > kScheduledInstructions;
  context_.setOptPassGate(*this);
}

GeneratorLimits::~GeneratorLimits() {
  context_.setOptPassGate(before_);
}

GeneratorPasses::GeneratorPasses(const llvm::Module& module, bool reduce_strength, bool split_ranges)
    : reduce_strength_(reduce_strength), split_ranges_(split_ranges) {
  for (const Function& function : module)
    many_loops_ |= !function.isDeclaration() && measure(function).loops > kCountedLoops;
}

/// For passes over machine code LLVM passes their command-line names here.
bool GeneratorLimits::shouldRunPass(llvm::StringRef pass, llvm::StringRef /*unit*/) const {
  return pass != "machine-scheduler";
}

void GeneratorPasses::add(llvm::Pass* pass) {
  const llvm::StringRef title = pass->getPassName();
  const bool reduces = title == "Loop Strength Reduction" || title == "Canonicalize Freeze Instructions in Loops";
  const bool counts_loops = reduces || title == "Machine code sinking";
  if ((many_loops_ && counts_loops) || (!reduce_strength_ && reduces)) {
    delete pass;
    return;
  }
  if (!split_ranges_ && pass->getPassID() == &llvm::RAGreedyLegacyID) {
    delete pass;
    pass = create_quick_registers_pass();
  }
  if (pass->getPassID() == &llvm::PeepholeOptimizerLegacyID) llvm::legacy::PassManager::add(create_masked_loads_pass());
  const bool selected = pass->getPassID() == &llvm::FinalizeISelID;
  llvm::legacy::PassManager::add(pass);
  if (!selected) return;
  llvm::legacy::PassManager::add(create_mask_extensions_pass());
  llvm::legacy::PassManager::add(create_unaligned_conversions_pass());
}

}  // namespace lanewise
