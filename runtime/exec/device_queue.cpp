// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/device_queue.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace lanewise {

namespace {

/// All that are alive, without references: one leaves in its destructor. Never destroyed, as objects may outlive statics.
struct All {
  std::mutex mutex;  ///< guards what follows; innermost
  std::vector<DeviceQueue*> queues;
};
All& all() {
  static All& list = *new All;
  return list;
}

}  // namespace

DeviceQueue::DeviceQueue(Context& context, Device& device, Traits traits)
    : commands_(Queue::create_inner(context, device, traits.properties, traits.bytes)), traits_(std::move(traits)) {}

DeviceQueue::~DeviceQueue() {
  const std::scoped_lock lock(all().mutex);
  std::erase(all().queues, this);
}

Result<DeviceQueue*> DeviceQueue::create(Context& context, Device& device, Traits traits) {
  const bool wants_default = (traits.properties & CL_QUEUE_ON_DEVICE_DEFAULT) != 0;
  if (wants_default) {
    if (const Ref<DeviceQueue> there = default_of(context, device)) {
      there->retain_api();
      return there.get();
    }
  }
  auto made = Ref<DeviceQueue>::adopt(new DeviceQueue(context, device, std::move(traits)));
  {
    const std::scoped_lock lock(all().mutex);
    // The default one does not count: the conformance tests make as many as there may be beside it.
    const auto is_rival = [&](const DeviceQueue* queue) {
      return !queue->is_default_ && &queue->context() == &context && &queue->device() == &device;
    };
    auto& queues = all().queues;
    if (!wants_default && std::count_if(queues.begin(), queues.end(), is_rival) >= kMostQueues)
      return Error{CL_OUT_OF_RESOURCES, "there are too many queues on the device"};
    queues.push_back(made.get());
  }
  if (wants_default) made->make_default();
  return made.detach();
}

void DeviceQueue::make_default() {
  const std::scoped_lock lock(all().mutex);
  for (DeviceQueue* queue : all().queues)
    if (&queue->context() == &context() && &queue->device() == &device()) queue->is_default_ = queue == this;
}

Ref<DeviceQueue> DeviceQueue::default_of(const Context& context, const Device& device) {
  const std::scoped_lock lock(all().mutex);
  for (DeviceQueue* queue : all().queues) {
    if (queue->is_default_ && &queue->context() == &context && &queue->device() == &device &&
        queue->try_retain_internal())
      return Ref<DeviceQueue>::adopt(queue);
  }
  return nullptr;
}

Ref<DeviceQueue> DeviceQueue::find(std::uint64_t handle) {
  const std::scoped_lock lock(all().mutex);
  for (DeviceQueue* queue : all().queues)
    if (reinterpret_cast<std::uintptr_t>(queue->handle()) == handle && queue->try_retain_internal())
      return Ref<DeviceQueue>::adopt(queue);
  return nullptr;
}

void DeviceQueue::on_api_released() noexcept {
  const std::scoped_lock lock(all().mutex);
  is_default_ = false;
}

}  // namespace lanewise
