// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The callbacks of an application for the destruction of an object (clSetContextDestructorCallback,
/// clSetMemObjectDestructorCallback).
#pragma once

#include <CL/cl.h>

#include <mutex>
#include <utility>
#include <vector>

namespace lanewise {

template <class Handle>
class DestructorCallbacks {
 public:
  using Function = void(CL_CALLBACK*)(Handle, void*);

  /// Thread-safe.
  void add(Function function, void* user_data) {
    const std::lock_guard lock(mutex_);
    callbacks_.push_back({function, user_data});
  }
  /// Runs each once, in reverse order of registration, as the specification says. Nothing else may hold the object.
  void run(Handle object) noexcept {
    std::vector<Callback> callbacks;
    {
      const std::lock_guard lock(mutex_);
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

  std::mutex mutex_;  ///< guards callbacks_; innermost lock, nothing is called under it
  std::vector<Callback> callbacks_;
};

}  // namespace lanewise
