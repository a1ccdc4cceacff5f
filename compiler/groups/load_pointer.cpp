// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/load_pointer.h"

namespace lanewise {

llvm::Value* load_pointer(llvm::IRBuilder<>& b, llvm::Value* base, std::size_t offset, const char* name) {
  auto* load = b.CreateLoad(b.getPtrTy(), b.CreateConstGEP1_64(b.getInt8Ty(), base, offset), name);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b.getContext(), {}));
  return load;
}

}  // namespace lanewise
