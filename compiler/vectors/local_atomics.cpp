// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectors/local_atomics.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include "compiler/base/address_spaces.h"
#include "compiler/base/context.h"

namespace lanewise {

namespace {

/// Whether only the calling thread uses what the operation changes.
bool needs_no_lock(const llvm::AtomicRMWInst& atomic) {
  return atomic.getPointerAddressSpace() == local_space || atomic.getSyncScopeID() == llvm::SyncScope::SingleThread;
}

bool make_local_atomics_plain(llvm::Function& function) {
  bool changed = false;
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&i); rmw && needs_no_lock(*rmw)) {
      changed |= llvm::lowerAtomicRMWInst(rmw);
    } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i);
               exchange && exchange->getPointerAddressSpace() == local_space) {
      changed |= llvm::lowerAtomicCmpXchgInst(exchange);
    } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
               load && load->isAtomic() && load->getPointerAddressSpace() == local_space) {
      load->setAtomic(llvm::AtomicOrdering::NotAtomic);
      changed = true;
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
               store && store->isAtomic() && store->getPointerAddressSpace() == local_space) {
      store->setAtomic(llvm::AtomicOrdering::NotAtomic);
      changed = true;
    }
  }
  return changed;
}

}  // namespace

llvm::PreservedAnalyses MakeLocalAtomicsPlainPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  bool changed = false;
  for (llvm::Function* function : lowered_kernels(module, context_of(module, analyses)))
    changed |= make_local_atomics_plain(*function);
  return keeping_blocks(changed);
}

}  // namespace lanewise
