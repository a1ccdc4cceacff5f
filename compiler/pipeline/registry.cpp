// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/registry.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/FormatVariadic.h>

#include "compiler/base/diagnostics.h"
#include "compiler/kernel/shared_calls.h"
#include "compiler/pipeline/passes.h"
#include "compiler/target/faults/loop_counters.h"
#include "compiler/target/faults/loop_divisions.h"

namespace lanewise {
namespace {

llvm::Expected<OptimisePass> make_optimise_pass(llvm::StringRef parameters) {
  std::optional<Effort> effort;
  std::optional<bool> scalar_code;
  while (!parameters.empty()) {
    llvm::StringRef word;
    std::tie(word, parameters) = parameters.split(';');
    const auto named = llvm::StringSwitch<std::optional<Effort>>(word)
                           .Case("debug", Effort::debug)
                           .Case("none", Effort::none)
                           .Case("full", Effort::full)
                           .Case("normal", Effort::normal)
                           .Case("brief", Effort::brief)
                           .Case("cold", Effort::cold)
                           .Case("reduced", Effort::reduced)
                           .Case("least", Effort::least)
                           .Default(std::nullopt);
    if (named)
      effort = named;
    else if (word == "scalar" || word == "vectors")
      scalar_code = word == "scalar";
    else
      return failure("unknown parameter of optimise: " + word);
  }
  return OptimisePass(effort, scalar_code);
}

llvm::Expected<ShowPass> make_show_pass(llvm::StringRef form) {
  if (form.empty()) return failure("show needs the name of a form");
  return ShowPass(form.str());
}

/// The text between "name<" and ">"; nullopt where `text` is another pass.
std::optional<llvm::StringRef> parameters_of(llvm::StringRef text, llvm::StringRef name) {
  if (!text.consume_front(name)) return std::nullopt;
  if (text.empty()) return text;
  if (!text.consume_front("<") || !text.consume_back(">")) return std::nullopt;
  return text;
}

llvm::Expected<bool> try_module_pass(llvm::StringRef text, llvm::ModulePassManager& passes,
                                     [[maybe_unused]] llvm::raw_ostream& out) {
#define LANEWISE_MODULE_PASS(name, expression, what) \
  if (text == name) return passes.addPass(expression), true;
#define LANEWISE_PARAMETERISED_PASS(name, parameters, make, what) \
  if (const auto found = parameters_of(text, name)) {             \
    auto pass = make(*found);                                     \
    if (!pass) return pass.takeError();                           \
    passes.addPass(std::move(*pass));                             \
    return true;                                                  \
  }
#include "compiler/pipeline/passes.def"
  return false;
}

bool try_function_pass(llvm::StringRef text, llvm::FunctionPassManager& passes) {
#define LANEWISE_FUNCTION_PASS(name, expression, what) \
  if (text == name) return passes.addPass(expression), true;
#include "compiler/pipeline/passes.def"
  return false;
}

}  // namespace

void name_passes(llvm::PassInstrumentationCallbacks& callbacks) {
  [[maybe_unused]] llvm::raw_ostream& out = llvm::nulls();
#define LANEWISE_MODULE_PASS(text, expression, what) callbacks.addClassToPassName(decltype(expression)::name(), text);
#define LANEWISE_FUNCTION_PASS(text, expression, what) callbacks.addClassToPassName(decltype(expression)::name(), text);
#define LANEWISE_PARAMETERISED_PASS(text, parameters, make, what) \
  callbacks.addClassToPassName(decltype(make({}))::value_type::name(), text);
#include "compiler/pipeline/passes.def"
}

llvm::Error add_pass(llvm::StringRef text, llvm::ModulePassManager& passes) {
  auto known = try_module_pass(text, passes, llvm::outs());
  if (!known) return known.takeError();
  if (*known) return llvm::Error::success();
  llvm::FunctionPassManager functions;
  if (!try_function_pass(text, functions)) return failure("unknown pass: " + text);
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
  return llvm::Error::success();
}

void register_passes(llvm::PassBuilder& builder, llvm::raw_ostream& out) {
  if (auto* callbacks = builder.getPassInstrumentationCallbacks()) name_passes(*callbacks);
  builder.registerPipelineParsingCallback([&out](llvm::StringRef text, llvm::ModulePassManager& passes,
                                                 llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
    auto known = try_module_pass(text, passes, out);
    if (known) return *known;
    llvm::consumeError(known.takeError());
    return false;
  });
  builder.registerPipelineParsingCallback(
      [](llvm::StringRef text, llvm::FunctionPassManager& passes, llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
        return try_function_pass(text, passes);
      });
}

void print_passes(llvm::raw_ostream& out) {
#define LANEWISE_MODULE_PASS(name, expression, what) out << llvm::formatv("{0,-30} {1}\n", name, what);
#define LANEWISE_FUNCTION_PASS(name, expression, what) out << llvm::formatv("{0,-30} {1} (of functions)\n", name, what);
#define LANEWISE_PARAMETERISED_PASS(name, parameters, make, what) \
  out << llvm::formatv("{0,-30} {1}; <{2}>\n", name, what, parameters);
#include "compiler/pipeline/passes.def"
}

}  // namespace lanewise
