// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/process/fork_guard.h"
#include "src/base/mutex.h"

namespace lanewise {

/// Locks a mutex that a forked child may need. False: this is a child (`in_forked_child`) and the mutex is locked. The
/// child does not wait, because the thread that held the mutex at the fork may not exist here.
[[nodiscard]] inline bool lock_unless_forked(Mutex& mutex) TRY_ACQUIRE(true, mutex) {
  if (in_forked_child()) return mutex.try_lock();
  mutex.lock();
  return true;
}

}  // namespace lanewise
