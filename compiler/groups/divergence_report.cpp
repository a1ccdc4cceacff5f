// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/divergence_report.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

#include <cstddef>

#include "include/lanewise/kernel_abi.h"

namespace lanewise {
namespace {

std::string site(const Barrier& barrier, unsigned number) {
  const llvm::DILocation* where = barrier.call->getDebugLoc().get();
  if (where == nullptr || where->getLine() == 0) return "barrier " + std::to_string(number);
  return (where->getFilename() + ":" + llvm::Twine(where->getLine())).str();
}

}  // namespace

void DivergenceReport::make_state() {
  if (before_ != nullptr) return;
  llvm::IRBuilder<> b(range_.entry, range_.entry->begin());
  before_ = b.CreateAlloca(b.getInt32Ty(), nullptr, "stopped.before");
  reported_ = b.CreateAlloca(b.getInt1Ty(), nullptr, "divergence.reported");
}

llvm::GlobalVariable* DivergenceReport::sites() {
  if (sites_ != nullptr) return sites_;
  llvm::Module& module = *range_.function->getParent();
  llvm::IRBuilder<> b(module.getContext());
  llvm::SmallVector<llvm::Constant*> texts{llvm::ConstantPointerNull::get(b.getPtrTy())};
  for (unsigned i = 0; i < graph_.barriers.size(); ++i)
    texts.push_back(b.CreateGlobalString(site(graph_.barriers[i], i + 1), "barrier.site", 0, &module));
  auto* type = llvm::ArrayType::get(b.getPtrTy(), texts.size());
  sites_ = new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::PrivateLinkage,
                                    llvm::ConstantArray::get(type, texts), "barrier.sites");
  return sites_;
}

void DivergenceReport::begin_region(llvm::IRBuilder<>& b) {
  make_state();
  b.CreateStore(b.getInt32(~0U), before_);
  b.CreateStore(b.getFalse(), reported_);
}

void DivergenceReport::arrive(llvm::IRBuilder<>& b, unsigned exit, llvm::Value* group) {
  llvm::Function* function = range_.function;
  llvm::BasicBlock* here = b.GetInsertBlock();
  auto* tell = llvm::BasicBlock::Create(b.getContext(), here->getName() + ".divergent", function, here->getNextNode());
  auto* go = llvm::BasicBlock::Create(b.getContext(), here->getName() + ".go", function, tell->getNextNode());
  llvm::Value* before = b.CreateLoad(b.getInt32Ty(), before_);
  b.CreateStore(b.getInt32(exit), before_);
  llvm::Value* other = b.CreateICmpNE(before, b.getInt32(exit));
  llvm::Value* some = b.CreateICmpNE(before, b.getInt32(~0U));
  llvm::Value* fresh = b.CreateNot(b.CreateLoad(b.getInt1Ty(), reported_));
  b.CreateCondBr(b.CreateAnd(b.CreateAnd(other, some), fresh), tell, go);

  b.SetInsertPoint(tell);
  b.CreateStore(b.getTrue(), reported_);
  // One of the two is a barrier: numbers begin at 1.
  llvm::Value* number = b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, before, b.getInt32(exit));
  llvm::Value* text = b.CreateLoad(b.getPtrTy(), b.CreateInBoundsGEP(b.getPtrTy(), sites(), {number}));
  llvm::Value* worker = function->getArg(2);
  const auto member = [&](llvm::Value* base, std::size_t offset) {
    return b.CreateLoad(b.getPtrTy(), b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), base, offset));
  };
  llvm::Value* services = member(worker, offsetof(lanewise_worker, services));
  llvm::Value* service = member(services, offsetof(lanewise_services, divergent_barrier));
  auto* type = llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy(), b.getInt64Ty(), b.getPtrTy()}, false);
  b.CreateCall(type, service, {worker, group, text})->setDoesNotThrow();
  b.CreateBr(go);
  b.SetInsertPoint(go);
}

}  // namespace lanewise
