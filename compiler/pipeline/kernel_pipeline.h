// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs passes on a kernel: the steps of compiler/pipeline/passes.def whose gates are open, or those that a text names.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <string>

#include "compiler/base/context.h"

namespace llvm {
class PassInstrumentationCallbacks;
class raw_ostream;
}  // namespace llvm

namespace lanewise {

/// Runs the whole pipeline. LANEWISE_DEBUG=time shows what each step took. Where assertions are on, the module is
/// verified after every pass. Error: that of the step that failed, for the build log; the module must then be
/// destroyed.
llvm::Error run_kernel_pipeline(llvm::Module& module, KernelContext& context);

/// Runs passes of ours and of LLVM's, named in the syntax of `opt --passes=`; "kernel" is the whole pipeline. A step
/// whose gate is closed for the kernel is left out, as it is in the pipeline. Stops at the first pass that sets an
/// error. `instrumentation` is called around every pass; printers write to `out`.
/// @param without  names of steps that are left out of "kernel" as well: what a pass is worth is the difference
llvm::Error run_passes(llvm::StringRef text, llvm::Module& module, KernelContext& context,
                       llvm::PassInstrumentationCallbacks* instrumentation, llvm::raw_ostream& out,
                       llvm::ArrayRef<std::string> without = {});

}  // namespace lanewise
