// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The application's callbacks for the destruction of an object (clSetContextDestructorCallback,
/// clSetMemObjectDestructorCallback, clSetProgramReleaseCallback).
#pragma once

#include <CL/cl.h>

#include <utility>
#include <vector>

#include "src/base/mutex.h"

namespace lanewise {

template <class Handle>
class DestructorCallbacks {
 public:
  using Function = void(CL_CALLBACK*)(Handle, void*);

  /// Registers a callback. Thread-safe.
  void add(Function function, void* user_data) {
    const MutexLock lock(mutex_);
    callbacks_.push_back({function, user_data});
  }
  /// Runs each callback once, in reverse order of registration, as the specification says. Nothing else may hold the
  /// object.
  void run(Handle object) noexcept {
    std::vector<Callback> callbacks;
    {
      const MutexLock lock(mutex_);
      callbacks.swap(callbacks_);
    }
    for (auto callback = callbacks.rbegin(); callback != callbacks.rend(); ++callback)
      callback->function(object, callback->user_data);
  }

 private:
  struct Callback {
    Function function;
    void* user_data;
  };

  Mutex mutex_;  ///< innermost; nothing is called under it
  std::vector<Callback> callbacks_ GUARDED_BY(mutex_);
};

}  // namespace lanewise
