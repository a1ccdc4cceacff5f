// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/check/copies.h"

#include <llvm/IR/InstIterator.h>

#include "compiler/builtins/known_functions.h"
#include "compiler/check/calls.h"

namespace lanewise {
namespace {

using llvm::IRBuilder;
using llvm::Value;

Value* as_number(IRBuilder<>& b, Value* value) {
  if (value->getType()->isPointerTy()) return b.CreatePtrToInt(value, b.getInt64Ty());
  return b.CreateZExtOrTrunc(value, b.getInt64Ty());
}

class CopyChecks {
 public:
  explicit CopyChecks(llvm::Module& module) : module_(module), calls_(module) {}

  /// The last operand is the event.
  void test_copy(llvm::CallInst& call) {
    IRBuilder<> b(&call);
    b.SetCurrentDebugLocation(call.getDebugLoc());
    // Any odd number whose products spread over all bits.
    Value* factor = b.getInt64(0x9e37'79b9'7f4a'7c15);
    Value* digest = b.getInt64(0);
    const unsigned event = call.arg_size() - 1;
    for (unsigned i = 0; i < event; ++i)
      digest = b.CreateMul(b.CreateAdd(digest, as_number(b, call.getArgOperand(i))), factor);
    compare(b, call, check::CheckEvent::copies, digest, b.getInt64(0));
    Value* given = call.getArgOperand(event);
    Value* number = b.CreateIntToPtr(b.getInt64(++copies_), given->getType());
    call.setArgOperand(event, b.CreateSelect(b.CreateIsNull(given), number, given, "copy.event"));
  }

  void test_wait(llvm::CallInst& call) {
    IRBuilder<> b(&call);
    b.SetCurrentDebugLocation(call.getDebugLoc());
    Value* events = as_number(b, call.getArgOperand(1));
    compare(b, call, check::CheckEvent::waits, events, as_number(b, call.getArgOperand(0)));
  }

 private:
  void compare(IRBuilder<>& b, const llvm::CallInst& call, check::CheckEvent event, Value* address, Value* value) {
    calls_.check(b, {.event = event}, call.getDebugLoc(), {"operation"}, address, value);
    llvm::FunctionCallee barrier = module_.getOrInsertFunction("_Z7barrierj", b.getVoidTy(), b.getInt32Ty());
    llvm::CallInst* made = b.CreateCall(barrier, {b.getInt32(0)});
    made->setConvergent();
    made->setDoesNotThrow();
    if (const auto* function = llvm::dyn_cast<llvm::Function>(barrier.getCallee()))
      made->setCallingConv(function->getCallingConv());
  }

  llvm::Module& module_;
  CheckCalls calls_;
  std::uint64_t copies_ = 0;
};

}  // namespace

llvm::PreservedAnalyses CheckCopiesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  CopyChecks checks(module);
  llvm::SmallVector<llvm::CallInst*> copies;
  llvm::SmallVector<llvm::CallInst*> waits;
  for (llvm::Function& function : module) {
    if (function.getSubprogram() == nullptr) continue;
    for (llvm::Instruction& i : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
      const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
      if (callee == nullptr) continue;
      if (is_work_group_copy(*callee)) copies.push_back(call);
      if (is_wait_for_copies(*callee)) waits.push_back(call);
    }
  }
  for (llvm::CallInst* call : copies) checks.test_copy(*call);
  for (llvm::CallInst* call : waits) checks.test_wait(*call);
  return llvm::PreservedAnalyses::none();
}

}  // namespace lanewise
