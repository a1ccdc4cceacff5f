// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/registry.h"

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/FormatVariadic.h>

#include <type_traits>

#include "compiler/base/diagnostics.h"
#include "compiler/base/statistic.h"
#include "pass_headers.inc"

namespace lanewise {
namespace {

constexpr KernelStep kSteps[] = {
#define LANEWISE_STEP(name, Pass, stage, gate, what, why) \
  {name, stage,                                           \
   [] {                                                   \
     using namespace gates;                               \
     return gate;                                         \
   }(),                                                   \
   what, why},
#include "compiler/pipeline/passes.def"
};

/// Passes over functions are run on all of a module.
template <class Pass>
concept OfFunctions = requires(Pass& pass, llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  pass.run(function, analyses);
};

template <class Pass>
concept WithParameters = requires(llvm::StringRef parameters) { Pass::with(parameters); };

template <class Pass>
llvm::Expected<Pass> make(llvm::StringRef parameters, llvm::raw_ostream& out) {
  if constexpr (WithParameters<Pass>) {
    return Pass::with(parameters);
  } else if constexpr (std::is_constructible_v<Pass, llvm::raw_ostream&>) {
    return Pass(out);
  } else {
    return Pass();
  }
}

/// A pass by its name, without parameters.
struct NamedPass {
  const char* name;
  const char* what;
  const char* parameters;  ///< null: it takes none
  bool of_functions;
  llvm::StringRef (*class_name)();
  llvm::Error (*add)(llvm::StringRef parameters, llvm::ModulePassManager& passes, llvm::raw_ostream& out);
  void (*add_to_functions)(llvm::FunctionPassManager& passes);
};

template <class Pass>
constexpr NamedPass named(const char* name, const char* what) {
  NamedPass pass{name, what, nullptr, OfFunctions<Pass>, [] { return Pass::name(); }, nullptr, nullptr};
  if constexpr (WithParameters<Pass>) pass.parameters = Pass::kParameters;
  pass.add = [](llvm::StringRef parameters, llvm::ModulePassManager& passes, llvm::raw_ostream& out) -> llvm::Error {
    auto made = make<Pass>(parameters, out);
    if (!made) return made.takeError();
    if constexpr (OfFunctions<Pass>)
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(*made)));
    else
      passes.addPass(std::move(*made));
    return llvm::Error::success();
  };
  if constexpr (OfFunctions<Pass>) pass.add_to_functions = [](llvm::FunctionPassManager& p) { p.addPass(Pass()); };
  return pass;
}

/// Steps that differ in their parameters are the same pass: the first is found.
constexpr NamedPass kPasses[] = {
#define LANEWISE_STEP(name, Pass, stage, gate, what, why) named<Pass>(name, what),
#define LANEWISE_BETWEEN(name, Pass, stage, what, where) named<Pass>(name, what),
#define LANEWISE_TOOL(name, Pass, stage, what) named<Pass>(name, what),
#include "compiler/pipeline/passes.def"
};

/// Modules that each of them has changed.
Statistic changed_modules[] = {
#define LANEWISE_STEP(name, Pass, stage, gate, what, why) {name, "changed", "modules that the pass has changed"},
#define LANEWISE_BETWEEN(name, Pass, stage, what, where) {name, "changed", "modules that the pass has changed"},
#define LANEWISE_TOOL(name, Pass, stage, what) {name, "changed", "modules that the pass has changed"},
#include "compiler/pipeline/passes.def"
};

/// The name before the parameters.
llvm::StringRef name_in(llvm::StringRef text) {
  return text.split('<').first;
}

const NamedPass* find(llvm::StringRef name) {
  const auto* found = llvm::find_if(kPasses, [&](const NamedPass& pass) { return name_in(pass.name) == name; });
  return found == std::end(kPasses) ? nullptr : found;
}

/// True if the text is a pass of ours, which has been added.
llvm::Expected<bool> try_module_pass(llvm::StringRef text, llvm::ModulePassManager& passes, llvm::raw_ostream& out) {
  const NamedPass* pass = find(name_in(text));
  if (pass == nullptr || pass->of_functions) return false;
  llvm::StringRef parameters = text.drop_front(name_in(text).size());
  const bool bracketed = parameters.consume_front("<") && parameters.consume_back(">");
  if (!bracketed && !parameters.empty()) return false;
  if (bracketed && pass->parameters == nullptr) return failure("no parameters: " + text);
  if (llvm::Error error = pass->add(parameters, passes, out)) return error;
  return true;
}

bool try_function_pass(llvm::StringRef text, llvm::FunctionPassManager& passes) {
  const NamedPass* pass = find(text);
  if (pass == nullptr || !pass->of_functions) return false;
  pass->add_to_functions(passes);
  return true;
}

}  // namespace

llvm::ArrayRef<KernelStep> kernel_pipeline() {
  return kSteps;
}

Gate gate_of(llvm::StringRef text) {
  for (const KernelStep& step : kSteps)
    if (name_in(step.pass) == name_in(text)) return step.gate;
  return gates::always;
}

void count_change(llvm::StringRef pass) {
  if (const NamedPass* found = find(pass)) ++changed_modules[found - std::begin(kPasses)];
}

std::vector<llvm::StringRef> changed_passes() {
  std::vector<llvm::StringRef> names;
  for (const auto& [pass, count] : llvm::zip_equal(kPasses, changed_modules))
    if (count != 0) names.push_back(name_in(pass.name));
  llvm::sort(names);
  return names;
}

void name_passes(llvm::PassInstrumentationCallbacks& callbacks) {
  for (const NamedPass& pass : kPasses) callbacks.addClassToPassName(pass.class_name(), name_in(pass.name));
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
  for (const NamedPass& pass : kPasses) {
    if (find(name_in(pass.name)) != &pass) continue;
    out << llvm::formatv("{0,-30} {1}", name_in(pass.name), pass.what);
    if (pass.parameters != nullptr) out << "; <" << pass.parameters << '>';
    out << (pass.of_functions ? " (of functions)\n" : "\n");
  }
}

void print_pipeline(llvm::raw_ostream& out) {
  const auto print = [&](const char* name, const char* stage, const std::string& gate, const char* what,
                         const char* why) {
    std::string line = llvm::formatv("{0,-29} {1,-9} {2,-41} {3,-67} {4}", name, stage, gate, what, why);
    out << llvm::StringRef(line).rtrim() << '\n';
  };
  print("pass", "stage", "gate", "what it does", "why it stands there");
  for (const KernelStep& step : kSteps) print(step.pass, step.stage, text_of(step.gate), step.what, step.why);
  out << "\nbetween LLVM's passes\n";
#define LANEWISE_BETWEEN(name, Pass, stage, what, where) print(name, stage, "always", what, where);
#define LANEWISE_BETWEEN_MACHINE(name, create, stage, what, where) print(name, stage, "always", what, where);
#include "compiler/pipeline/passes.def"
  out << "\nwithout a place, for lanewise-opt\n";
#define LANEWISE_TOOL(name, Pass, stage, what) print(name, stage, "", what, "");
#include "compiler/pipeline/passes.def"
}

}  // namespace lanewise
