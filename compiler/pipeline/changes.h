// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tells which passes of ours change a kernel, by comparing the IR before and after each as text: metadata and
/// attributes count as well. For tests and tools; it takes about as long as the passes themselves.
#pragma once

#include <functional>
#include <string_view>

namespace llvm {
class PassInstrumentationCallbacks;
}

namespace lanewise {

/// Calls `changed` with the name of each pass of compiler/pipeline/passes.def that changed something, also where
/// another pass runs it. Must outlive the callbacks.
void report_changes(llvm::PassInstrumentationCallbacks& callbacks,
                    const std::function<void(std::string_view pass)>& changed);

}  // namespace lanewise
