// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/stack.h"

#include <pthread.h>

#include <cstdint>
#include <limits>

namespace lanewise {

namespace {

struct StackBounds {
  std::uintptr_t low = 0;
  std::uintptr_t high = 0;  ///< 0: not asked yet; equal to low: not known
};

constinit thread_local StackBounds t_stack;

/// Costs microseconds, because for the first thread of a process the C library reads /proc.
StackBounds ask() noexcept {
  StackBounds range{1, 1};
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return range;
  void* low = nullptr;
  std::size_t size = 0;
  std::size_t guard = 0;
  if (pthread_attr_getstack(&attributes, &low, &size) == 0 && size != 0) {
    pthread_attr_getguardsize(&attributes, &guard);
    const auto begin = reinterpret_cast<std::uintptr_t>(low);
    range = {begin + guard, begin + size};
  }
  pthread_attr_destroy(&attributes);
  return range;
}

}  // namespace

std::size_t stack_left() noexcept {
  if (t_stack.high == 0) [[unlikely]]
    t_stack = ask();
  if (t_stack.low == t_stack.high) return std::numeric_limits<std::size_t>::max();
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return here > t_stack.low && here < t_stack.high ? here - t_stack.low : 0;
}

}  // namespace lanewise
