// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How much stack the calling thread has left for running commands.
#pragma once

#include <cstddef>

namespace lanewise {

/// Bytes below the caller's frame on its thread's own stack. 0 if it runs on another stack (of a coroutine or a signal
/// handler), whose end is unknown; the largest number if the system does not say where the thread's stack is. Costs a
/// few nanoseconds after the first call of a thread.
[[nodiscard]] std::size_t stack_left() noexcept;

}  // namespace lanewise
