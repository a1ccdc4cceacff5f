// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/changes.h"

#include <llvm/ADT/Hashing.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <string>
#include <vector>

#include "compiler/pipeline/registry.h"

namespace lanewise {
namespace {

std::size_t fingerprint(const llvm::Any& unit) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (const auto* module = llvm::any_cast<const llvm::Module*>(&unit))
    (*module)->print(out, nullptr);
  else if (const auto* function = llvm::any_cast<const llvm::Function*>(&unit))
    (*function)->print(out);
  return llvm::hash_value(llvm::StringRef(text));
}

/// @param pass  the name of its class
bool is_ours(llvm::StringRef pass) {
  return pass.starts_with("lanewise::");
}

}  // namespace

void report_changes(llvm::PassInstrumentationCallbacks& callbacks,
                    const std::function<void(std::string_view pass)>& changed) {
  name_passes(callbacks);
  // One for each pass that runs: passes of ours run others.
  const auto before = std::make_shared<std::vector<std::size_t>>();
  callbacks.registerBeforeNonSkippedPassCallback([before](llvm::StringRef pass, const llvm::Any& unit) {
    if (is_ours(pass)) before->push_back(fingerprint(unit));
  });
  callbacks.registerAfterPassCallback(
      [before, &callbacks, &changed](llvm::StringRef pass, const llvm::Any& unit, const llvm::PreservedAnalyses&) {
        if (!is_ours(pass)) return;
        const bool same = before->back() == fingerprint(unit);
        before->pop_back();
        if (!same) changed(callbacks.getPassNameForClassName(pass));
      });
}

}  // namespace lanewise
