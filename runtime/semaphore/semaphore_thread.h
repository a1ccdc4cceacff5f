// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The thread of the process that serves shared payloads: it sleeps until one of them has a signal for a wait of this
/// process, and completes the wait. While there are such waits, it also checks ten times a second whether a process
/// that shares them has ended. It holds the places of all payloads (shared_state.h), so it never ends; it is started
/// with the first payload.
#pragma once

#include <memory>

namespace lanewise {

class SharedPayload;

/// What the thread is asked to do for a payload. Guarded by the thread's mutex.
struct SemaphoreRequest {
  enum class Join { none, wanted, done, refused };

  SharedPayload* next = nullptr;        ///< in the list of payloads with a request
  std::shared_ptr<SharedPayload> keep;  ///< keeps the payload alive while it is in that list
  Join join = Join::none;
  bool watch = false;
  bool leave = false;
};

/// Takes a place for the payload, and returns when that is done. False: no place is free, or no thread can be started.
bool join_shared(SharedPayload& payload);
/// The payload has a wait without a signal.
void watch_shared(SharedPayload& payload) noexcept;
/// The payload is no longer used in this process.
void leave_shared(SharedPayload& payload) noexcept;

}  // namespace lanewise
