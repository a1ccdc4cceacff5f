// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Contexts: devices that share objects, with the application's error callback and destructor callbacks (API 4.4).
#pragma once

#include <CL/cl.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/core/allocations.h"
#include "runtime/core/device.h"
#include "runtime/core/sharing.h"
#include "runtime/object/destructor_callbacks.h"
#include "runtime/object/object.h"
#include "runtime/process/interrupt.h"
#include "src/base/mutex.h"

namespace lanewise {

class Platform;

/// The interface of a command-queue to its context.
class ContextQueue : public Object<_cl_command_queue, Tag::queue> {
 public:
  /// Blocks until every command enqueued so far has ended. Returns CL_SUCCESS, CL_OUT_OF_RESOURCES in a forked child,
  /// or CL_CONTEXT_TERMINATED_KHR.
  virtual cl_int finish() = 0;
  /// Publishes CL_CONTEXT_TERMINATED_KHR as the status of every command that has not ended. Called once for each queue
  /// when the context is terminated.
  virtual void abandon() = 0;
};

/// Optional features of a context, switched on by its properties.
struct ContextFeatures {
  std::unique_ptr<Termination> termination;  ///< CL_CONTEXT_TERMINATE_KHR; null: it cannot be terminated
  bool zero_local = false;                   ///< CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR
  bool zero_private = false;                 ///< CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR
  std::unique_ptr<Sharing> sharing;          ///< CL_GL_CONTEXT_KHR; null: nothing is shared with OpenGL
};

/// A context, alive as long as the application or an object created in it refers to it.
class Context final : public Object<_cl_context, Tag::context> {
 public:
  using NotifyCallback = void(CL_CALLBACK*)(const char* message, const void* private_info, size_t size,
                                            void* user_data);

  /// @param devices     at least one device, without duplicates
  /// @param properties  the application's list with the closing 0; empty: it gave none
  /// @param notify      the application's error callback; may be null
  static Ref<Context> create(std::vector<Ref<Device>> devices, std::vector<cl_context_properties> properties,
                             NotifyCallback notify, void* notify_data, ContextFeatures features = {});

  /// The termination of the context; null: it cannot be terminated.
  [[nodiscard]] Termination* termination() const { return features_.termination.get(); }
  /// Whether the local memory of each work-group, and the private variables of each work-item, start as zeros
  /// (cl_khr_initialize_memory).
  [[nodiscard]] bool zeroes_local() const { return features_.zero_local; }
  [[nodiscard]] bool zeroes_private() const { return features_.zero_private; }
  [[nodiscard]] bool terminated() const { return termination() != nullptr && termination()->requested(); }
  /// Stops the context's kernels, ends its commands with CL_CONTEXT_TERMINATED_KHR and calls the application's callback
  /// (cl_khr_terminate_context). Commands that have not started end at once; transfers and native kernels that have
  /// started run to their end. Errors: CL_INVALID_OPERATION (the context cannot be terminated),
  /// CL_CONTEXT_TERMINATED_KHR (it has been terminated before).
  cl_int terminate();

  [[nodiscard]] std::span<const Ref<Device>> devices() const { return devices_; }
  [[nodiscard]] bool has_device(const Device& device) const;
  [[nodiscard]] Platform& platform() const { return devices_.front()->platform(); }
  [[nodiscard]] const std::vector<cl_context_properties>& properties() const { return properties_; }

  /// The SVM and USM allocations of the context.
  [[nodiscard]] Allocations& allocations() { return allocations_; }

  /// What the context shares with OpenGL; null: nothing.
  [[nodiscard]] Sharing* sharing() const { return features_.sharing.get(); }
  /// What the context shares with a display of EGL, which `open` makes at the first call. `open` may throw.
  Sharing& sharing_of_images(void* display, const std::function<std::unique_ptr<Sharing>()>& open);
  /// Whether memory objects of the context may be those of another API, which commands use only while they are
  /// acquired.
  [[nodiscard]] bool shares() const { return shares_.load(std::memory_order_relaxed); }

  /// Whether the context has an event that the application, or something outside of OpenCL, has to end.
  [[nodiscard]] bool has_open_user_events() const { return open_user_events_.load(std::memory_order_acquire) != 0; }
  void count_user_event(int change) { open_user_events_.fetch_add(change, std::memory_order_acq_rel); }

  /// The queues of the context that exist now. Each queue registers and removes itself by `enter` and `leave`.
  [[nodiscard]] std::vector<Ref<ContextQueue>> queues() const;
  void enter(ContextQueue& queue);
  void leave(ContextQueue& queue) noexcept;

  /// Reports an error to the application's callback, if there is one. The callback runs on the calling thread, so the
  /// caller must hold no lock.
  void notify(const char* message) const;
  /// Reports an error that no call of the application can return, from any thread: to the application's callback, on
  /// the thread for callbacks, or on stderr if there is none.
  void report(std::string message);

  /// The callbacks that run when the context and everything created in it have been released, before its memory is
  /// freed (API 4.4, clSetContextDestructorCallback).
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
  std::atomic<bool> shares_;
  std::atomic<int> open_user_events_{0};

  Allocations allocations_;

  DestructorCallbacks<cl_context> destructor_callbacks_;
  mutable Mutex mutex_;  ///< nothing is called under it
  /// The existing queues, without references: a queue removes itself in its destructor.
  std::vector<ContextQueue*> queues_ GUARDED_BY(mutex_);
  /// What the context shares with displays of EGL.
  std::vector<std::pair<void*, std::unique_ptr<Sharing>>> images_ GUARDED_BY(mutex_);
};

}  // namespace lanewise
