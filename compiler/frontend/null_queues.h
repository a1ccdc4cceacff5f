// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs that write the number 0, or NULL, for no queue: `q == 0`, `queue_t q = 0;`. Clang 22 converts it as if a
/// queue were a pointer, of which its code generation crashes. Here it becomes the conversion that Clang has for
/// events.
#pragma once

#include <clang/AST/ASTConsumer.h>

#include <memory>

namespace lanewise {

/// To be run on each declaration before code is made of it.
std::unique_ptr<clang::ASTConsumer> mend_null_queues();

}  // namespace lanewise
