// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which of LLVM's passes over IR are left out on code that is too large for them (compiler/base/extent.h). None of them is
/// needed for correct code.
#pragma once

namespace llvm {
class PassInstrumentationCallbacks;
}

namespace lanewise {

/// For LLVM's pipelines of passes: those that run with `callbacks`.
void limit_growth(llvm::PassInstrumentationCallbacks& callbacks);

}  // namespace lanewise
