// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/device_queue.h"

#include <utility>

#include "src/base/mutex.h"

namespace lanewise {

constinit Mutex DeviceQueue::list_mutex;

std::vector<DeviceQueue*>& DeviceQueue::all() {
  static auto& list = *new std::vector<DeviceQueue*>;  // never destroyed, as objects may outlive statics
  return list;
}

DeviceQueue::DeviceQueue(Context& context, Device& device, Traits traits)
    : commands_(Queue::create_inner(context, device, traits.properties, traits.bytes)), traits_(std::move(traits)) {}

DeviceQueue::~DeviceQueue() {
  const MutexLock lock(list_mutex);
  std::erase(all(), this);
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
    const MutexLock lock(list_mutex);
    // The default one does not count: the conformance tests make as many as there may be beside it.
    std::uint32_t rivals = 0;
    for (const DeviceQueue* queue : all())
      if (!queue->is_default_ && queue->is_of(context, device)) ++rivals;
    if (!wants_default && rivals >= kMostQueues)
      return Error{CL_OUT_OF_RESOURCES, "there are too many queues on the device"};
    all().push_back(made.get());
  }
  if (wants_default) made->make_default();
  return made.detach();
}

void DeviceQueue::make_default() {
  const MutexLock lock(list_mutex);
  for (DeviceQueue* queue : all())
    if (queue->is_of(context(), device())) queue->is_default_ = queue == this;
}

Ref<DeviceQueue> DeviceQueue::default_of(const Context& context, const Device& device) {
  const MutexLock lock(list_mutex);
  for (DeviceQueue* queue : all())
    if (queue->is_default_ && queue->is_of(context, device) && queue->try_retain_internal())
      return Ref<DeviceQueue>::adopt(queue);
  return nullptr;
}

Ref<DeviceQueue> DeviceQueue::find(std::uint64_t handle) {
  const MutexLock lock(list_mutex);
  for (DeviceQueue* queue : all())
    if (reinterpret_cast<std::uintptr_t>(queue->handle()) == handle && queue->try_retain_internal())
      return Ref<DeviceQueue>::adopt(queue);
  return nullptr;
}

void DeviceQueue::on_api_released() noexcept {
  const MutexLock lock(list_mutex);
  is_default_ = false;
}

}  // namespace lanewise
