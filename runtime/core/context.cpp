// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/context.h"

#include <algorithm>

#include "runtime/core/platform.h"

namespace lanewise {

Ref<Context> Context::create(std::vector<Ref<Device>> devices, std::vector<cl_context_properties> properties,
                             NotifyCallback notify, void* notify_data) {
  return Ref<Context>::adopt(new Context(std::move(devices), std::move(properties), notify, notify_data));
}

Context::Context(std::vector<Ref<Device>> devices, std::vector<cl_context_properties> properties, NotifyCallback notify,
                 void* notify_data)
    : devices_(std::move(devices)), properties_(std::move(properties)), notify_(notify), notify_data_(notify_data) {}

bool Context::has_device(const Device& device) const {
  return std::any_of(devices_.begin(), devices_.end(), [&](const auto& mine) { return mine.get() == &device; });
}

void Context::notify(const char* message) const {
  if (notify_ != nullptr) notify_(message, nullptr, 0, notify_data_);
}

void Context::add_destructor_callback(DestructorCallback callback, void* user_data) {
  const std::lock_guard lock(mutex_);
  callbacks_.push_back({callback, user_data});
}

void Context::destroy() noexcept {
  // Nobody else can hold this object any more, so the list needs no lock.
  for (auto callback = callbacks_.rbegin(); callback != callbacks_.rend(); ++callback) {
    callback->function(handle(), callback->user_data);
  }
  delete this;
}

}  // namespace lanewise
