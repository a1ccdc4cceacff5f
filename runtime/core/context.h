// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Contexts: the devices that share objects, the application's error callback, and its destructor callbacks.
#pragma once

#include <CL/cl.h>

#include <memory>
#include <span>
#include <vector>

#include "runtime/core/allocations.h"
#include "runtime/core/device.h"
#include "runtime/object/destructor_callbacks.h"
#include "runtime/object/object.h"
#include "runtime/process/interrupt.h"
#include "src/base/mutex.h"

namespace lanewise {

class Platform;

/// A command-queue as its context knows it.
class ContextQueue : public Object<_cl_command_queue, Tag::queue> {
 public:
  /// Blocks until every command enqueued before has ended. CL_SUCCESS, CL_OUT_OF_RESOURCES in a forked child, or
  /// CL_CONTEXT_TERMINATED_KHR.
  virtual cl_int finish() = 0;
  /// The context has been terminated: publishes CL_CONTEXT_TERMINATED_KHR as the status of every command that has not
  /// ended. Called once for each queue.
  virtual void abandon() = 0;
};

/// Optional features of a context, which its properties switch on.
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
  /// cl_khr_initialize_memory: local memory of each work-group and private variables of each work-item start as zeros.
  [[nodiscard]] bool zeroes_local() const { return features_.zero_local; }
  [[nodiscard]] bool zeroes_private() const { return features_.zero_private; }
  [[nodiscard]] bool terminated() const { return termination() != nullptr && termination()->requested(); }
  /// cl_khr_terminate_context: stops the context's kernels, ends its commands with CL_CONTEXT_TERMINATED_KHR and calls
  /// the application's callback. Commands that have not started end at once; transfers and native kernels that have
  /// started run to their end. CL_INVALID_OPERATION: the context was not created for it; CL_CONTEXT_TERMINATED_KHR: it
  /// has been terminated before.
  cl_int terminate();

  [[nodiscard]] std::span<const Ref<Device>> devices() const { return devices_; }
  [[nodiscard]] bool has_device(const Device& device) const;
  [[nodiscard]] Platform& platform() const { return devices_.front()->platform(); }
  [[nodiscard]] const std::vector<cl_context_properties>& properties() const { return properties_; }

  /// SVM and USM allocations.
  [[nodiscard]] Allocations& allocations() { return allocations_; }

  /// The queues of the context that are alive now. Each queue registers and removes itself by `enter` and `leave`.
  [[nodiscard]] std::vector<Ref<ContextQueue>> queues() const;
  void enter(ContextQueue& queue);
  void leave(ContextQueue& queue) noexcept;

  /// Reports an error to the application's callback, if it gave one. The callback runs on the calling thread, so the
  /// caller must hold no lock.
  void notify(const char* message) const;

  /// They run when the context and everything created in it have been released, before its memory is freed (API 4.4,
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
  mutable Mutex mutex_;  ///< nothing is called under it
  std::vector<ContextQueue*> queues_
      GUARDED_BY(mutex_);  ///< without references: a queue removes itself in its destructor
};

}  // namespace lanewise
