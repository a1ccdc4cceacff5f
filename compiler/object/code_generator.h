// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The module of a kernel becomes an object file.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/CodeGen.h>
#include <llvm/Support/Error.h>

#include "compiler/base/context.h"

namespace llvm {
class Module;
}

namespace lanewise {

/// Object file or assembly of `module`, which the pipeline of this context has made.
llvm::Expected<llvm::SmallVector<char, 0>> emit(llvm::Module& module, const KernelContext& context,
                                                llvm::CodeGenFileType type);

}  // namespace lanewise
