// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Command-queues on the device, to which kernels enqueue (API 5.1, OpenCL C 6.15.18). The application can make them and
/// hand them to kernels; no function that enqueues takes one, which is why they are objects of a type of their own.
#pragma once

#include <CL/cl.h>

#include <cstdint>
#include <vector>

#include "runtime/core/context.h"
#include "runtime/core/device.h"
#include "runtime/exec/queue.h"
#include "runtime/object/object.h"
#include "src/base/mutex.h"
#include "src/base/result.h"

namespace lanewise {

class DeviceQueue final : public Object<_cl_command_queue, Tag::device_queue> {
 public:
  static constexpr std::uint32_t kPreferredBytes = 64U << 20U;
  static constexpr std::uint32_t kMostBytes = 256U << 20U;
  static constexpr std::uint32_t kMostQueues = 64;  ///< that a context has for a device beside the default one

  struct Traits {
    cl_command_queue_properties properties = 0;
    std::vector<cl_queue_properties> list;  ///< as given, with the closing 0; empty if none was given
    std::uint32_t bytes = kPreferredBytes;  ///< of what is enqueued and has not ended, as the host's memory has it
  };
  /// With a reference of the application. With CL_QUEUE_ON_DEVICE_DEFAULT, and where there is such a queue already: that
  /// one, retained. Errors: CL_OUT_OF_RESOURCES (kMostQueues).
  static Result<DeviceQueue*> create(Context& context, Device& device, Traits traits);
  ~DeviceQueue() override;

  [[nodiscard]] Context& context() const { return commands_->context(); }
  [[nodiscard]] Device& device() const { return commands_->device(); }
  [[nodiscard]] const Traits& traits() const { return traits_; }
  /// Where the commands go.
  [[nodiscard]] Queue& commands() const { return *commands_; }

  /// The default one of a context and a device; null if there is none.
  static Ref<DeviceQueue> default_of(const Context& context, const Device& device);
  void make_default();
  /// Null if `handle` is not a queue on a device that the application holds, or that something else keeps.
  static Ref<DeviceQueue> find(std::uint64_t handle) EXCLUDES(list_mutex);

  /// Of the list of all that are alive; innermost. For the rules of other mutexes only.
  static Mutex list_mutex;

 private:
  /// All that are alive, without references: one leaves in its destructor.
  static std::vector<DeviceQueue*>& all() REQUIRES(list_mutex);
  DeviceQueue(Context& context, Device& device, Traits traits);
  void on_api_released() noexcept override;

  Ref<Queue> commands_;
  Traits traits_;
  bool is_default_ GUARDED_BY(list_mutex) = false;
  [[nodiscard]] bool is_of(const Context& context, const Device& device) const {
    return &this->context() == &context && &this->device() == &device;
  }
};

}  // namespace lanewise
