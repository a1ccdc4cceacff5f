// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Binary semaphores (cl_khr_semaphore).
///
/// Each wait stands in the semaphore's list from the moment that it is enqueued, and is a user event there, which its
/// command waits for beside its wait list. A signal that runs ends the oldest one, or is kept for the next that comes.
/// So the n-th signal goes with the n-th wait, a semaphore may be signalled again as soon as a wait for it has been
/// enqueued, and no thread ever sleeps for one.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "runtime/core/context.h"
#include "runtime/core/device.h"
#include "runtime/exec/user_event.h"
#include "runtime/exec/work.h"
#include "runtime/object/object.h"
#include "src/base/result.h"

namespace lanewise {

class Semaphore final : public Object<_cl_semaphore_khr, Tag::semaphore> {
 public:
  /// @param device      the one that it is for; null: all of the context
  /// @param properties  as given to clCreateSemaphoreWithPropertiesKHR, with the closing 0
  Semaphore(Context& context, Device* device, std::vector<cl_semaphore_properties_khr> properties)
      : context_(context), properties_(std::move(properties)) {
    if (device != nullptr) device_ = Ref<Device>(*device);
  }

  [[nodiscard]] Context& context() const { return *context_; }
  [[nodiscard]] Device* device() const { return device_.get(); }
  [[nodiscard]] const std::vector<cl_semaphore_properties_khr>& properties() const { return properties_; }
  /// Whether it is signalled: a signal has run, and no wait after it.
  [[nodiscard]] bool signalled() const;

  /// Of a signal command, when it runs.
  void signal();
  /// A new wait: ends with CL_COMPLETE when its signal runs. Errors: CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES (forked
  /// child). May throw std::bad_alloc.
  Result<Ref<UserEvent>> wait();
  /// The command of a wait has run, and the semaphore is no longer signalled by its signal.
  void taken();
  /// The command of a wait will not run: its signal, if it has come, is for the next one.
  void give_up(const UserEvent& wait);

 private:
  ~Semaphore() override = default;

  Ref<Context> context_;
  Ref<Device> device_;
  std::vector<cl_semaphore_properties_khr> properties_;

  mutable std::mutex mutex_;          ///< guards what follows; innermost, and nothing is called under it
  std::deque<Ref<UserEvent>> waits_;  ///< without a signal, oldest first
  std::uint64_t kept_ = 0;            ///< signals without a wait
  std::uint64_t level_ = 0;           ///< signals that have run, less the waits that have
};

/// The work of a command that signals semaphores.
WorkPtr make_signal(std::vector<Ref<Semaphore>> semaphores);

/// The work of a command that waits for semaphores, and what its wait list has to contain besides.
struct SemaphoreWait {
  WorkPtr work;
  std::vector<Ref<UserEvent>> signals;
};
/// May throw std::bad_alloc. Errors: as Semaphore::wait. Where the work is destroyed without having run, signals go on
/// to those who wait next.
Result<SemaphoreWait> make_semaphore_wait(std::vector<Ref<Semaphore>> semaphores);

}  // namespace lanewise
