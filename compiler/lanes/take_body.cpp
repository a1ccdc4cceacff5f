// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/take_body.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>

namespace lanewise::spmd {

void take_body(llvm::Function& to, llvm::Function& from) {
  // The copy has a subprogram of its own, which its locations refer to.
  llvm::DISubprogram* subprogram = from.getSubprogram();
  from.setSubprogram(nullptr);
  const auto linkage = to.getLinkage();
  to.deleteBody();
  to.splice(to.begin(), &from);
  to.setLinkage(linkage);
  to.setSubprogram(subprogram);
  for (llvm::Argument& argument : from.args()) {
    argument.replaceAllUsesWith(to.getArg(argument.getArgNo()));
    to.getArg(argument.getArgNo())->takeName(&argument);
  }
}

}  // namespace lanewise::spmd
