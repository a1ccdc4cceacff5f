// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/extension_pragmas.h"

#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/IdentifierTable.h>

#include <algorithm>

namespace lanewise {
namespace {

class AcceptedPragmas final : public clang::PPCallbacks {
 public:
  AcceptedPragmas(const std::vector<std::string>& extensions, clang::DiagnosticsEngine& diagnostics)
      : extensions_(extensions), diagnostics_(diagnostics) {}

  /// Comes before the parser, which looks at the severity at the place of the name.
  void PragmaOpenCLExtension(clang::SourceLocation name_location, const clang::IdentifierInfo* name,
                             clang::SourceLocation state_location, unsigned /*state*/) override {
    const auto same = [&](const std::string& extension) { return name->getName() == extension; };
    if (std::none_of(extensions_.begin(), extensions_.end(), same)) return;
    diagnostics_.pushMappings(name_location);
    for (const unsigned warning :
         {clang::diag::warn_pragma_unknown_extension, clang::diag::warn_pragma_unsupported_extension})
      diagnostics_.setSeverity(warning, clang::diag::Severity::Ignored, name_location);
    diagnostics_.popMappings(state_location);
  }

 private:
  const std::vector<std::string>& extensions_;
  clang::DiagnosticsEngine& diagnostics_;
};

}  // namespace

std::unique_ptr<clang::PPCallbacks> accept_extension_pragmas(const std::vector<std::string>& extensions,
                                                             clang::DiagnosticsEngine& diagnostics) {
  return std::make_unique<AcceptedPragmas>(extensions, diagnostics);
}

}  // namespace lanewise
