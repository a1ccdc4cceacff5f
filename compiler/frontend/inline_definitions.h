// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// C99's `inline` without `extern` promises a definition elsewhere, which OpenCL programs do not have:
///
///     inline __attribute__((noinline)) int f(int a) { return a + 2; }
///
/// Clang makes code of such a definition only for the inliner, so it makes none of this one. Here each definition is
/// made as if it were weak. It then is one of several equal definitions, of which a linked program keeps one.
#pragma once

#include <clang/AST/ASTConsumer.h>

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace lanewise {

/// The functions that were made weak, by their names in the module.
struct InlineDefinitions {
  std::vector<std::string> shared;  ///< every object may define them
  std::vector<std::string> owned;   ///< another declaration makes this object's definition the only one
};

/// To be run on each declaration before code is made of it. `found` is complete when the translation unit is.
std::unique_ptr<clang::ASTConsumer> keep_inline_definitions(InlineDefinitions& found);

/// Gives the functions the linkage that is meant.
void finish_inline_definitions(llvm::Module& module, const InlineDefinitions& found);

}  // namespace lanewise
