// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Binary semaphores (cl_khr_semaphore), and the commands that signal them and wait for them.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <memory>
#include <utility>
#include <vector>

#include "runtime/core/context.h"
#include "runtime/core/device.h"
#include "runtime/exec/user_event.h"
#include "runtime/exec/work.h"
#include "runtime/object/object.h"
#include "runtime/semaphore/payload.h"
#include "runtime/semaphore/shared_payload.h"
#include "src/base/result.h"

namespace lanewise {

class Semaphore final : public Object<_cl_semaphore_khr, Tag::semaphore> {
 public:
  /// @param device      the only device that may use it; null: all devices of the context
  /// @param properties  the list given to clCreateSemaphoreWithPropertiesKHR, with the closing 0
  /// @param shared      a payload shared with other semaphores; null: a payload of its own
  /// @param exportable  handles of the shared payload may be exported
  Semaphore(Context& context, Device* device, std::vector<cl_semaphore_properties_khr> properties,
            std::shared_ptr<SharedPayload> shared = nullptr, bool exportable = false)
      : context_(context),
        properties_(std::move(properties)),
        own_(shared != nullptr ? nullptr : std::make_unique<OwnPayload>()),
        shared_(std::move(shared)),
        exportable_(exportable) {
    if (device != nullptr) device_ = Ref<Device>(*device);
  }

  [[nodiscard]] Context& context() const { return *context_; }
  [[nodiscard]] Device* device() const { return device_.get(); }
  [[nodiscard]] const std::vector<cl_semaphore_properties_khr>& properties() const { return properties_; }
  [[nodiscard]] Payload& payload() const { return own_ != nullptr ? static_cast<Payload&>(*own_) : *shared_; }
  [[nodiscard]] bool exportable() const { return exportable_; }
  /// SharedPayload::handle of an exportable semaphore.
  [[nodiscard]] Result<int> handle_for_others() const { return shared_->handle(); }

 private:
  ~Semaphore() override {
    if (shared_ != nullptr) shared_->close();
  }

  Ref<Context> context_;
  Ref<Device> device_;
  std::vector<cl_semaphore_properties_khr> properties_;
  std::unique_ptr<OwnPayload> own_;  ///< null: `shared_` is the payload
  std::shared_ptr<SharedPayload> shared_;
  const bool exportable_;
};

/// The work of a command that signals semaphores.
WorkPtr make_signal(std::vector<Ref<Semaphore>> semaphores);

/// The work of a command that waits for semaphores, and the events that its wait list has to contain in addition.
struct SemaphoreWait {
  WorkPtr work;
  std::vector<Ref<UserEvent>> signals;
};
/// Adds a wait to each semaphore. If the work is destroyed without having run, the next waits get the signals. Errors:
/// as for Payload::wait. May throw std::bad_alloc.
Result<SemaphoreWait> make_semaphore_wait(std::vector<Ref<Semaphore>> semaphores);

}  // namespace lanewise
