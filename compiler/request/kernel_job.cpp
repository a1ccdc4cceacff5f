// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/request/kernel_job.h"

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/base/context.h"
#include "compiler/base/diagnostics.h"
#include "compiler/base/phase.h"
#include "compiler/object/code_generator.h"
#include "compiler/pipeline/kernel_pipeline.h"
#include "compiler/target/machine.h"

namespace lanewise {
namespace {

llvm::Error internal_error(const llvm::Twine& what) {
  return failure("internal compiler error: " + what);
}

/// Works on a copy, because the code generator changes the module.
void show_assembly(const llvm::Module& module, const KernelContext& context) {
  const PipelineObserver* observer = context.options.observer;
  if (observer == nullptr || !observer->wants("asm")) return;
  const auto copy = llvm::CloneModule(module);
  if (auto text = emit(*copy, context, llvm::CodeGenFileType::AssemblyFile)) {
    observer->show("asm", context.kernels.front()->name, {text->data(), text->size()});
  } else {
    llvm::consumeError(text.takeError());
  }
}

}  // namespace

llvm::Expected<llvm::SmallVector<char, 0>> compile_kernel(llvm::Module& module, abi::KernelInfo& info,
                                                          const CodegenOptions& options,
                                                          std::vector<abi::LoopReport>* report) {
  auto machine = make_target_machine(options.isa, options.optimise);
  if (!machine) return internal_error(llvm::toString(machine.takeError()));
  DiagnosticCapture diagnostics(module.getContext());
  KernelContext context = driver_context(options, **machine, info, report);
  if (llvm::Error error = run_kernel_pipeline(module, context)) return error;
  show_assembly(module, context);
  Phase generator("code generator", info.name);
  auto object = emit(module, context, llvm::CodeGenFileType::ObjectFile);
  generator.stop();
  if (!object) return internal_error(llvm::toString(object.takeError()));
  if (!diagnostics.text.empty()) return failure(diagnostics.text);
  return object;
}

}  // namespace lanewise
