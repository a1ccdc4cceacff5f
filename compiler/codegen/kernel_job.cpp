// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/kernel_job.h"

#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/builtins/known_functions.h"
#include "compiler/builtins/library.h"
#include "compiler/codegen/bit_selects.h"
#include "compiler/codegen/call_graph.h"
#include "compiler/codegen/division.h"
#include "compiler/codegen/half.h"
#include "compiler/codegen/lone_lanes.h"
#include "compiler/codegen/optimise.h"
#include "compiler/codegen/retarget.h"
#include "compiler/codegen/sub_groups.h"
#include "compiler/frontend/diagnostics.h"
#include "compiler/frontend/link.h"
#include "compiler/phase.h"
#include "compiler/spmd/machine_operations.h"
#include "compiler/spmd/mask_registers.h"
#include "compiler/spmd/spmd.h"
#include "compiler/subgroup/operations.h"
#include "compiler/workgroup/local_atomics.h"
#include "compiler/workgroup/queries.h"
#include "compiler/workgroup/workgroup.h"

namespace lanewise {
namespace {

llvm::Error internal_error(const llvm::Twine& what) {
  return failure("internal compiler error: " + what);
}

void show(const CodegenOptions& options, const char* phase, const abi::KernelInfo& info, const llvm::Module& module) {
  if (options.observer == nullptr || !options.observer->wants(phase)) return;
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out, nullptr);
  options.observer->show(phase, info.name, text);
}

void drop_other_kernels(llvm::Module& module, llvm::StringRef kept) {
  for (llvm::Function* kernel : kernels_of(module)) {
    if (kernel->getName() == kept) continue;
    if (kernel->use_empty()) {
      kernel->eraseFromParent();
    } else {
      kernel->setLinkage(llvm::GlobalValue::InternalLinkage);  // called by the kept one (SPIR-V only)
    }
  }
}

void rename_user_functions(llvm::Module& module, llvm::StringRef kernel) {
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && function.getName() != kernel && !function.getName().starts_with("_Z"))
      function.setName(function.getName() + kUserFunctionSuffix);
}

llvm::Error verify(const llvm::Module& module, const char* after) {
#ifndef NDEBUG
  std::string reason;
  llvm::raw_string_ostream out(reason);
  if (llvm::verifyModule(module, &out)) return internal_error("invalid IR after " + llvm::Twine(after) + ": " + reason);
#else
  (void)module;
  (void)after;
#endif
  return llvm::Error::success();
}

llvm::Error link_builtins(llvm::Module& module, const BuiltinLibrary& library) {
  auto missing = library.link_into(module);
  if (!missing) return internal_error(llvm::toString(missing.takeError()));
  std::string names;
  for (const std::string& name : *missing) {
    const llvm::Function* function = module.getFunction(name);
    if (function == nullptr || known_function(*function) != Known::none) continue;
    names += (names.empty() ? "" : ", ") + name;
  }
  return names.empty() ? llvm::Error::success() : internal_error("no definition of " + names);
}

/// Only the range function and shared variables are visible; the rest may be inlined, specialised and dropped.
void hide_all_but(llvm::Module& module, const llvm::Function& visible) {
  for (llvm::Function& function : module)
    if (&function != &visible && !function.isDeclaration()) function.setLinkage(llvm::GlobalValue::InternalLinkage);
}

bool vectorises(const CodegenOptions& options) {
  return options.optimise && options.vector_width != 1 && !options.debug_barriers;
}

/// By what is left after inlining: kernels that are one function have passes of their own.
Effort effort_of(const llvm::Module& module, const CodegenOptions& options) {
  if (!options.optimise) return Effort::none;
  const Effort effort = effort_for(module.getInstructionCount());
  const auto functions = llvm::count_if(module, [](const llvm::Function& f) { return !f.isDeclaration(); });
  const bool moderate = effort == Effort::normal || effort == Effort::brief;
  return moderate && (options.specialised || functions > 1) ? Effort::full : effort;
}

llvm::Error inline_into_kernel(llvm::Module& module, const abi::KernelInfo& info, const CodegenOptions& options,
                               Optimiser& optimiser) {
  const Phase phase("inlining", info.name);
  optimiser.simplify_functions(module);
  if (llvm::Error error = mark_for_inlining(module, vectorises(options))) return error;
  optimiser.inline_marked(module);
  if (options.optimise) optimiser.promote_private_arrays(module);
  return verify(module, "inlining");
}

/// Vectors taken apart and stored element by element: LLVM may find rows in them.
bool stores_elements(const llvm::Function& function) {
  constexpr unsigned kFew = 8;
  unsigned found = 0;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& i : block)
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
        found += llvm::isa<llvm::ExtractElementInst>(store->getValueOperand()) ? 1 : 0;
  return found >= kFew;
}

/// Returns whether there is scalar code left that LLVM's vectorisers may find something in.
llvm::Expected<bool> lower(llvm::Module& module, abi::KernelInfo& info, const CodegenOptions& options, bool vectors,
                           llvm::TargetMachine& machine, std::string* report) {
  llvm::Function* kernel = module.getFunction(info.name);
  if (kernel == nullptr) return internal_error("kernel " + info.name + " is gone");
  Phase lowering("work-group lowering", info.name);
  if (llvm::Error error = choose_sub_group_size(info, options)) return error;
  const bool sub_groups = info.sub_group_size > 1 && uses_sub_groups(*kernel);
  const WorkgroupOptions plain{
      .debug_barriers = options.debug_barriers, .merge_groups = vectors, .plain_launches = options.specialised};
  auto range =
      sub_groups ? lower_with_sub_groups(*kernel, info, options, machine, report) : lower_kernel(*kernel, plain, info);
  if (!range) return range.takeError();
  if (llvm::Error error = verify(module, "work-group lowering")) return error;
  lowering.stop();
  bool scalar_code = true;
  if (vectors && !(sub_groups && info.sub_group_size > 1)) {
    const Phase vectoriser("vectoriser", info.name);
    const auto decisions = spmd::vectorise(**range, machine,
                                           {.isa_level = options.isa_level,
                                            .forced_width = options.vector_width,
                                            .explain = report != nullptr,
                                            .quick = !options.specialised});
    if (report != nullptr) *report += spmd::describe(info.name, decisions);
    scalar_code = !llvm::all_of(decisions, [](const spmd::Decision& d) { return d.masked_tail || d.one_form; }) ||
                  stores_elements(**range);
    if (llvm::Error error = verify(module, "vectorisation")) return error;
  } else if (vectorises(options) && report != nullptr) {
    *report += spmd::describe(info.name, {{.loop = "all of it", .width = 1, .reason = "a huge kernel"}});
  }
  spmd::lower_machine_operations(module, machine);
  // After the vectoriser: it must see that lanes may meet at one address.
  make_local_atomics_plain(**range);
  hide_all_but(module, **range);
  return scalar_code;
}

}  // namespace

llvm::Expected<llvm::SmallVector<char, 0>> compile_kernel(llvm::Module& module, abi::KernelInfo& info,
                                                          const CodegenOptions& options, std::string* report) {
  auto machine = make_target_machine(options.isa_level, options.isa_features, options.optimise);
  if (!machine) return internal_error(llvm::toString(machine.takeError()));
  DiagnosticCapture diagnostics(module.getContext());
  Phase builtins("built-ins", info.name);
  drop_other_kernels(module, info.name);
  rename_user_functions(module, info.name);
  make_divisions_total(module);
  if (llvm::Error error = link_builtins(module, *options.builtins)) return error;
  protect_sub_group_operations(module);
  retarget(module, **machine, options.isa_level);
  describe_queries(module);
  if (llvm::Error error = verify(module, "re-targeting")) return error;
  builtins.stop();

  Optimiser optimiser(**machine);
  if (llvm::Error error = inline_into_kernel(module, info, options, optimiser)) return error;
  const Effort effort = effort_of(module, options);
  const bool vectors = vectorises(options) && effort != Effort::least;
  if (effort == Effort::least) (*machine)->setOptLevel(llvm::CodeGenOptLevel::None);
  auto scalar_code = lower(module, info, options, vectors, **machine, report);
  if (!scalar_code) return scalar_code.takeError();
  show(options, "lowered", info, module);
  Phase passes("optimiser", info.name);
  optimiser.optimise(module, effort, *scalar_code);
  passes.stop();
  if ((vectors || info.sub_group_size > 1) && options.isa_level < 4)
    if (llvm::Function* range = module.getFunction(info.symbol)) spmd::keep_masks_in_registers(*range);
  show(options, "optimised", info, module);
  lower_half(module, options.isa_level);
  store_lone_lanes(module);
  if (options.isa_level >= 4) unmask_bit_selects(module);
  if (options.observer != nullptr && options.observer->wants("asm")) {
    const auto copy = llvm::CloneModule(module);
    if (auto text = emit(*copy, **machine, llvm::CodeGenFileType::AssemblyFile)) {
      options.observer->show("asm", info.name, {text->data(), text->size()});
    } else {
      llvm::consumeError(text.takeError());
    }
  }
  Phase generator("code generator", info.name);
  auto object = emit(module, **machine, llvm::CodeGenFileType::ObjectFile);
  generator.stop();
  if (!object) return internal_error(llvm::toString(object.takeError()));
  if (!diagnostics.text.empty()) return failure(diagnostics.text);
  return object;
}

}  // namespace lanewise
