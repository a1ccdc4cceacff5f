// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A limit on the time of LLVM's passes for a kernel that proved hot. Such a kernel gets every pass whatever its size,
/// in the background; but the time of some passes grows with the square of something that a few kernels have a lot of.
/// When the time is over, no more optional passes run: the code is correct, and keeps what earlier passes did.
///
/// This is the only place where a clock decides. It counts the processor time of the compiling thread, which does not
/// advance while others use the machine. First builds depend on no clock (compiler/base/effort.h).
#pragma once

#include <chrono>

namespace llvm {
class PassInstrumentationCallbacks;
}

namespace lanewise {

/// The time for all passes over the IR of a kernel that proved hot.
inline constexpr std::chrono::seconds kHotKernelTime{20};

/// Limits the time of the passes that run with `callbacks` on this thread from now on.
void limit_time(llvm::PassInstrumentationCallbacks& callbacks, std::chrono::nanoseconds budget);

}  // namespace lanewise
