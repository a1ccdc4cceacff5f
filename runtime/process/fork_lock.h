// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/process/fork_guard.h"
#include "src/base/mutex.h"

namespace lanewise {

/// Locks a mutex that a forked child needs as well. False: this is such a child, and the mutex is locked; the thread that
/// held it at the fork may not exist here, so the child does not wait for it.
[[nodiscard]] inline bool lock_unless_forked(Mutex& mutex) TRY_ACQUIRE(true, mutex) {
  if (in_forked_child()) return mutex.try_lock();
  mutex.lock();
  return true;
}

}  // namespace lanewise
