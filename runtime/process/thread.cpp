// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/thread.h"

#include <algorithm>

#include "runtime/process/signals.h"
#include "src/host/cancellation.h"

namespace lanewise {

bool make_thread(pthread_t& thread, void* (*routine)(void*), void* argument, std::size_t stack, int state) noexcept {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  std::size_t usual = 0;
  pthread_attr_getstacksize(&attributes, &usual);
  pthread_attr_setstacksize(&attributes, std::max(usual, stack));
  pthread_attr_setdetachstate(&attributes, state);
  const BlockSignals block;
  const host::CancellationHeld held;
  bool made = false;
  {
    const ForkHeld no_fork;
    made = pthread_create(&thread, &attributes, routine, argument) == 0;
  }
  pthread_attr_destroy(&attributes);
  return made;
}

}  // namespace lanewise
