// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Command-queues on the device, to which kernels enqueue (API 5.1, OpenCL C 6.15.18). The application creates them and
/// passes them to kernels. They have a type of their own, because no clEnqueue* function takes one.
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
  static constexpr std::uint32_t kPreferredBytes = 64U << 20U;  ///< CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE
  /// CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE: a limit, not memory that is set aside.
  static constexpr std::uint32_t kMostBytes = ~0U;
  static constexpr std::uint32_t kMostQueues = 64;  ///< queues of a context for a device beside the default one

  struct Traits {
    cl_command_queue_properties properties = 0;
    std::vector<cl_queue_properties> list;  ///< the given list with the closing 0; empty: none was given
    std::uint32_t bytes = kPreferredBytes;  ///< CL_QUEUE_SIZE: host memory of all enqueued commands that have not ended
  };
  /// Creates a queue with one reference, which the application gets. If `traits` has CL_QUEUE_ON_DEVICE_DEFAULT and the
  /// device has a default queue already, retains and returns that. Errors: CL_OUT_OF_RESOURCES (kMostQueues).
  static Result<DeviceQueue*> create(Context& context, Device& device, Traits traits);
  ~DeviceQueue() override;

  [[nodiscard]] Context& context() const { return commands_->context(); }
  [[nodiscard]] Device& device() const { return commands_->device(); }
  [[nodiscard]] const Traits& traits() const { return traits_; }
  /// The inner queue that takes the commands.
  [[nodiscard]] Queue& commands() const { return *commands_; }

  /// The default queue of a context and a device; null: there is none.
  static Ref<DeviceQueue> default_of(const Context& context, const Device& device);
  void make_default();
  /// The queue of a handle. Null: no queue on a device that is still referenced has it.
  static Ref<DeviceQueue> find(std::uint64_t handle) EXCLUDES(list_mutex);

  /// Guards the list of all queues; innermost. Public only for the lock orders of other mutexes.
  static Mutex list_mutex;

 private:
  /// All queues that exist, without references: a queue removes itself in its destructor.
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
