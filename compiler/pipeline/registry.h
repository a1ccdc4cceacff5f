// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The passes of compiler/pipeline/passes.def by their names.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/raw_ostream.h>

#include <vector>

#include "compiler/pipeline/gate.h"

namespace llvm {
class PassBuilder;
class PassInstrumentationCallbacks;
}  // namespace llvm

namespace lanewise {

/// A step of a kernel's pipeline.
struct KernelStep {
  const char* pass;   ///< name and parameters, as `add_pass` reads them
  const char* stage;  ///< the folder of the compiler that it belongs to
  Gate gate;
  const char* what;
  const char* why;  ///< the reason for its place
};

/// All steps, in their order.
[[nodiscard]] llvm::ArrayRef<KernelStep> kernel_pipeline();

/// The gate of the step that runs the pass `text` names, with or without parameters; `always` for others.
[[nodiscard]] Gate gate_of(llvm::StringRef text);

/// Adds the pass that `text` names: "vectorise", "optimise<full;scalar>". Error: no such pass, or wrong parameters.
llvm::Error add_pass(llvm::StringRef text, llvm::ModulePassManager& passes);

/// Registers all passes with `builder`, so that `parsePassPipeline` reads them as it reads LLVM's own. Printers write
/// to `out`, which must outlive the passes.
void register_passes(llvm::PassBuilder& builder, llvm::raw_ostream& out);

/// Makes the names known to LLVM's instrumentation, for -print-after= and for callbacks that ask for the name of a
/// class.
void name_passes(llvm::PassInstrumentationCallbacks& callbacks);

/// Counts a module that a pass of ours has changed, for `lanewise-opt -stats`.
/// @param pass  its name, without parameters; others are not counted
void count_change(llvm::StringRef pass);
/// The names of the passes for which a change has been counted, in alphabetical order.
std::vector<llvm::StringRef> changed_passes();

/// Prints a line for each pass.
void print_passes(llvm::raw_ostream& out);

/// Prints the table, in columns: the steps in their order, then what runs between LLVM's passes, then what has no
/// place.
void print_pipeline(llvm::raw_ostream& out);

}  // namespace lanewise
