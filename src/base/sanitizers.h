// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The sanitizers of this build. The macros choose headers and attributes, the constants choose code.
#pragma once

#if defined(__has_feature)
#define LANEWISE_HAS_FEATURE(name) __has_feature(name)
#else
#define LANEWISE_HAS_FEATURE(name) 0
#endif

#define LANEWISE_ADDRESS_SANITIZER LANEWISE_HAS_FEATURE(address_sanitizer)
#define LANEWISE_THREAD_SANITIZER LANEWISE_HAS_FEATURE(thread_sanitizer)

namespace lanewise {

inline constexpr bool kAddressSanitizer = LANEWISE_ADDRESS_SANITIZER;
inline constexpr bool kThreadSanitizer = LANEWISE_THREAD_SANITIZER;

}  // namespace lanewise
