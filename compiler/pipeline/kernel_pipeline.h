// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs passes on a kernel: those of compiler/pipeline/kernel_pipeline.def, or those that a text names.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include "compiler/base/context.h"

namespace llvm {
class PassInstrumentationCallbacks;
class raw_ostream;
}  // namespace llvm

namespace lanewise {

struct KernelStep {
  const char* pass;  ///< as `add_pass` reads it
  const char* why;   ///< the reason for its place
};

/// All steps, in their order.
[[nodiscard]] llvm::ArrayRef<KernelStep> kernel_pipeline();

/// Runs the whole pipeline. LANEWISE_DEBUG=time shows what each step took. Where assertions are on, the module is
/// verified after every pass. Errors, for the build log: from the step that failed; the module must then be destroyed.
llvm::Error run_kernel_pipeline(llvm::Module& module, KernelContext& context);

/// Runs passes of ours and of LLVM's, named in the syntax of `opt --passes=`; "kernel" is the whole pipeline. Stops at
/// the first that sets an error. `instrumentation` is called around every pass; printers write to `out`.
llvm::Error run_passes(llvm::StringRef text, llvm::Module& module, KernelContext& context,
                       llvm::PassInstrumentationCallbacks* instrumentation, llvm::raw_ostream& out);

}  // namespace lanewise
