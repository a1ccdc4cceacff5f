// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How much stack the calling thread has for the work of others.
#pragma once

#include <cstddef>

namespace lanewise {

/// Bytes below the caller's frame on its thread's own stack. 0 if it runs on another stack (a coroutine's, a signal
/// handler's), whose end nobody knows; the largest number if the system does not tell where the thread's stack is.
/// A few nanoseconds, after the first call of a thread.
[[nodiscard]] std::size_t stack_left() noexcept;

}  // namespace lanewise
