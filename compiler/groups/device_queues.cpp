// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <cstddef>

#include "compiler/groups/load_pointer.h"
#include "compiler/groups/queries.h"
#include "include/lanewise/kernel_abi.h"

namespace lanewise {
void lower_device_queue_call(llvm::CallInst& call, Known what, const WorkItemFunction& item) {
  llvm::IRBuilder<> b(&call);
  const bool enqueues = what == Known::enqueue;
  llvm::SmallVector<llvm::Value*, 4> operands{item.context(ContextParameter::worker)};
  llvm::SmallVector<llvm::Type*, 4> types{b.getPtrTy()};
  for (llvm::Value* operand : call.args()) {
    operands.push_back(operand);
    types.push_back(operand->getType());
  }
  if (enqueues) {
    // OpenCL C 6.15.18.3: the reason of a failure is told to programs built with -g.
    operands.push_back(b.getInt32(call.getModule()->getNamedMetadata("llvm.dbg.cu") != nullptr ? 1 : 0));
    types.push_back(b.getInt32Ty());
  }
  llvm::Value* services = load_pointer(b, operands.front(), offsetof(lanewise_worker, services), "services");
  const std::size_t place = enqueues ? offsetof(lanewise_services, enqueue) : offsetof(lanewise_services, device_queue);
  llvm::Value* service = load_pointer(b, services, place, "device.queue");
  auto* result = b.CreateCall(llvm::FunctionType::get(call.getType(), types, false), service, operands);
  result->setDoesNotThrow();
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

}  // namespace lanewise
