// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How busy the devices are, for what gives way to kernels: first code that nobody waits for (tier/kernel_code.h).
/// Applications that make many kernels and then launch some, as darktable does, gain by it.
#pragma once

#include <cstdint>

namespace lanewise {

/// On all devices of the process.
struct Activity {
  std::uint64_t kicks = 0;    ///< grows when commands are to begin
  unsigned participants = 0;  ///< threads that run kernels, or look for some for microseconds
};

/// A hint, without order in memory. Thread-safe.
[[nodiscard]] Activity activity_now();

}  // namespace lanewise
