// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Contexts: the devices that share objects, the application's error callback, and its destructor callbacks.
#pragma once

#include <CL/cl.h>

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "runtime/core/allocations.h"
#include "runtime/core/device.h"
#include "runtime/object/destructor_callbacks.h"
#include "runtime/object/object.h"
#include "runtime/process/interrupt.h"

namespace lanewise {

class Platform;

/// A command-queue as its context knows it: one that comes and goes, and whose commands may have to end.
class ContextQueue : public Object<_cl_command_queue, Tag::queue> {
 public:
  /// Blocks until everything enqueued before has ended. CL_SUCCESS, CL_OUT_OF_RESOURCES in a forked child, or
  /// CL_CONTEXT_TERMINATED_KHR.
  virtual cl_int finish() = 0;
  /// The context has been terminated: publishes that as the end of every command that has not ended. Once for each
  /// queue.
  virtual void abandon() = 0;
};

/// What a context can do beyond others, by its properties.
struct ContextFeatures {
  std::unique_ptr<Termination> termination;  ///< CL_CONTEXT_TERMINATE_KHR; null: it cannot be terminated
  bool zero_local = false;                   ///< CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR
  bool zero_private = false;                 ///< CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR
};

class Context final : public Object<_cl_context, Tag::context> {
 public:
  using NotifyCallback = void(CL_CALLBACK*)(const char* message, const void* private_info, size_t size,
                                            void* user_data);

  /// @param devices     at least one, without duplicates
  /// @param properties  as the application gave them, with the closing 0; empty if it gave none
  static Ref<Context> create(std::vector<Ref<Device>> devices, std::vector<cl_context_properties> properties,
                             NotifyCallback notify, void* notify_data, ContextFeatures features = {});

  /// Null if the context cannot be terminated.
  [[nodiscard]] Termination* termination() const { return features_.termination.get(); }
  /// cl_khr_initialize_memory: local memory of each work-group and private variables of each work-item begin as zeros.
  [[nodiscard]] bool zeroes_local() const { return features_.zero_local; }
  [[nodiscard]] bool zeroes_private() const { return features_.zero_private; }
  [[nodiscard]] bool terminated() const { return termination() != nullptr && termination()->requested(); }
  /// cl_khr_terminate_context: stops the context's kernels, ends its commands with CL_CONTEXT_TERMINATED_KHR and tells
  /// the application's callback. Commands that wait for something end at once, transfers and native kernels that have
  /// begun when they are done. CL_INVALID_OPERATION: it was not made for that; CL_CONTEXT_TERMINATED_KHR: it has been
  /// terminated.
  cl_int terminate();

  [[nodiscard]] std::span<const Ref<Device>> devices() const { return devices_; }
  [[nodiscard]] bool has_device(const Device& device) const;
  [[nodiscard]] Platform& platform() const { return devices_.front()->platform(); }
  [[nodiscard]] const std::vector<cl_context_properties>& properties() const { return properties_; }

  /// SVM and USM allocations.
  [[nodiscard]] Allocations& allocations() { return allocations_; }

  /// The queues of the context that are alive now. They come and go through `enter` and `leave`, which are theirs.
  [[nodiscard]] std::vector<Ref<ContextQueue>> queues() const;
  void enter(ContextQueue& queue);
  void leave(ContextQueue& queue) noexcept;

  /// Reports an error that happened outside a call to the application's callback, if it gave one. The callback runs on
  /// the calling thread: hold no lock.
  void notify(const char* message) const;

  /// They run when the context and everything made from it is gone, before its memory is given back (API 4.4,
  /// clSetContextDestructorCallback).
  [[nodiscard]] DestructorCallbacks<cl_context>& destructor_callbacks() { return destructor_callbacks_; }

 private:
  Context(std::vector<Ref<Device>> devices, std::vector<cl_context_properties> properties, NotifyCallback notify,
          void* notify_data, ContextFeatures features);
  ~Context() override;
  void destroy() noexcept override;

  std::vector<Ref<Device>> devices_;
  std::vector<cl_context_properties> properties_;
  NotifyCallback notify_;
  void* notify_data_;
  ContextFeatures features_;

  Allocations allocations_;

  DestructorCallbacks<cl_context> destructor_callbacks_;
  mutable std::mutex mutex_;           ///< guards queues_; nothing is called under it
  std::vector<ContextQueue*> queues_;  ///< without a reference: a queue leaves in its destructor
};

}  // namespace lanewise
