// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/context.h"

#include <CL/cl_ext.h>

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "runtime/core/platform.h"
#include "runtime/process/callback_thread.h"
#include "runtime/process/fork_guard.h"
#include "runtime/process/pages.h"

namespace lanewise {

Ref<Context> Context::create(std::vector<Ref<Device>> devices, std::vector<cl_context_properties> properties,
                             NotifyCallback notify, void* notify_data, ContextFeatures features) {
  return Ref<Context>::adopt(
      new Context(std::move(devices), std::move(properties), notify, notify_data, std::move(features)));
}

Context::Context(std::vector<Ref<Device>> devices, std::vector<cl_context_properties> properties, NotifyCallback notify,
                 void* notify_data, ContextFeatures features)
    : devices_(std::move(devices)),
      properties_(std::move(properties)),
      notify_(notify),
      notify_data_(notify_data),
      features_(std::move(features)),
      shares_(features_.sharing != nullptr) {}

cl_int Context::terminate() {
  if (termination() == nullptr) return CL_INVALID_OPERATION;
  if (!termination()->request()) return CL_CONTEXT_TERMINATED_KHR;
  for (const Ref<ContextQueue>& queue : queues()) queue->abandon();
  notify("the context has been terminated");
  return CL_SUCCESS;
}

bool Context::has_device(const Device& device) const {
  return std::any_of(devices_.begin(), devices_.end(), [&](const auto& mine) { return mine.get() == &device; });
}

void Context::report(std::string message) {
  struct Report final : CallbackJob {
    Report(Ref<Context> in, std::string what) : context(std::move(in)), text(std::move(what)) {}
    void run() noexcept override {
      context->notify(text.c_str());
      delete this;
    }
    Ref<Context> context;
    std::string text;
  };
  if (notify_ != nullptr) return post_callback(*new Report(Ref<Context>(*this), std::move(message)));
  const std::string line = "lanewise: " + message + "\n";
  static_cast<void>(!write(STDERR_FILENO, line.data(), line.size()));
}

void Context::notify(const char* message) const {
  if (notify_ != nullptr) notify_(message, nullptr, 0, notify_data_);
}

Context::~Context() = default;

std::vector<Ref<ContextQueue>> Context::queues() const {
  std::vector<Ref<ContextQueue>> out;
  const MutexLock lock(mutex_);
  out.reserve(queues_.size());
  for (ContextQueue* queue : queues_)
    if (queue->try_retain_internal()) out.push_back(Ref<ContextQueue>::adopt(queue));
  return out;
}

Sharing& Context::sharing_of_images(void* display, const std::function<std::unique_ptr<Sharing>()>& open) {
  const auto find = [&]() REQUIRES(mutex_) -> Sharing* {
    for (const auto& [other, sharing] : images_)
      if (other == display) return sharing.get();
    return nullptr;
  };
  std::unique_ptr<Sharing> fresh;  // destroyed after the lock, where another thread has been faster
  MutexLock lock(mutex_);
  if (Sharing* const there = find()) return *there;
  lock.unlock();
  fresh = open();
  lock.lock();
  if (Sharing* const there = find()) return *there;
  shares_.store(true, std::memory_order_relaxed);
  return *images_.emplace_back(display, std::move(fresh)).second;
}

void Context::enter(ContextQueue& queue) {
  const MutexLock lock(mutex_);
  queues_.push_back(&queue);
}

void Context::leave(ContextQueue& queue) noexcept {
  const MutexLock lock(mutex_);
  std::erase(queues_, &queue);
}

void Context::destroy() noexcept {
  destructor_callbacks_.run(handle());
  if (in_forked_child()) return;  // a callback has forked
  delete this;
  drop_kept_pages();
}

}  // namespace lanewise
