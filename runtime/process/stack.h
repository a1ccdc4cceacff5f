// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The stack that the calling thread has left for running commands.
#pragma once

#include <cstddef>

namespace lanewise {

/// Bytes below the caller's frame on the thread's own stack. 0: the caller runs on another stack, of a coroutine or a
/// signal handler, whose end is unknown. The largest number: the system does not say where the thread's stack is. A
/// call takes a few nanoseconds, except the first one of a thread.
[[nodiscard]] std::size_t stack_left() noexcept;

}  // namespace lanewise
