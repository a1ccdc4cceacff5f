// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Leaves out LLVM's passes over IR on code that is too large for them (compiler/base/extent.h). None of them is needed
/// for correct code.
#pragma once

namespace llvm {
class PassInstrumentationCallbacks;
}

namespace lanewise {

/// Limits the passes that run with `callbacks`.
/// @param hot  the kernel proved hot, so that only what grows without end is left out
void limit_growth(llvm::PassInstrumentationCallbacks& callbacks, bool hot);

}  // namespace lanewise
