// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How far apart data of different threads lie.
#pragma once

#include <cstddef>

namespace lanewise {

/// What is this many bytes apart shares no line of a cache, so that threads that write it do not slow each other down.
/// Some processors for AArch64 have lines of 128 bytes.
#if defined(__x86_64__)
inline constexpr std::size_t kApartBytes = 64;
#else
inline constexpr std::size_t kApartBytes = 128;
#endif

}  // namespace lanewise
