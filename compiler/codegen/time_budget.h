// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An end to what LLVM may do for a kernel that proved hot. Such a kernel gets every pass whatever its size, in the
/// background; but some passes take a time that grows with the square of something, and a few kernels have a lot of it.
/// From the moment that the time is over, no more optional passes run: the code is right, and what ran before counts.
///
/// The one place where a clock has a say: the processor time of the thread that compiles, which does not pass while
/// others use the machine. First builds know no clock (pipelines.h).
#pragma once

#include <chrono>

namespace llvm {
class PassInstrumentationCallbacks;
}

namespace lanewise {

/// For everything between IR and the code generator, of a kernel that proved hot.
inline constexpr std::chrono::seconds kHotKernelTime{20};

/// For the passes that run with `callbacks`, on this thread, from now on.
void limit_time(llvm::PassInstrumentationCallbacks& callbacks, std::chrono::nanoseconds budget);

}  // namespace lanewise
