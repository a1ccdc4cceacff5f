// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The thread that has the driver's context of OpenGL. A context is current in one thread at a time, and to change the
/// thread costs as much as a small transfer, so the context stays in one thread for life.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/gl/binding.h"
#include "src/base/list.h"
#include "src/base/mutex.h"
#include "src/base/result.h"

namespace lanewise::gl {

/// Something that runs once on the thread of a context.
class ContextJob {
 public:
  ContextJob() = default;
  ContextJob(const ContextJob&) = delete;
  ContextJob& operator=(const ContextJob&) = delete;
  /// @param gl  null: the context has gone
  virtual void run(const Functions* gl) noexcept = 0;

 protected:
  ~ContextJob() = default;

 private:
  friend class ContextThread;
  struct Next {
    static ContextJob*& of(ContextJob& job) { return job.next_; }
  };
  ContextJob* next_ = nullptr;
};

/// Something that the thread waits for beside its jobs, by asking again and again.
class Pending {
 public:
  Pending() = default;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  virtual ~Pending() = default;
  /// True: it has come, and need not be asked any more.
  [[nodiscard]] virtual bool come(const Functions* gl) noexcept = 0;
};

/// The texture units of a context. A texture that is bound to one lives on after its name is deleted.
class TextureUnits {
 public:
  /// The unit for short use, and for textures that get none of their own.
  static constexpr GLuint kShared = 0;
  /// A unit that nobody else uses; kShared: there is none. May throw std::bad_alloc.
  GLuint take(const Functions& gl);
  void give(GLuint unit) noexcept;

 private:
  GLuint most_ = 0;  ///< units that the context has
  GLuint made_ = 0;  ///< units in use or free
  std::vector<GLuint> free_;
};

class ContextThread : public std::enable_shared_from_this<ContextThread> {
 public:
  /// Starts a thread with a context. Errors: those of Binding::open, CL_OUT_OF_RESOURCES.
  static Result<std::shared_ptr<ContextThread>> start(std::unique_ptr<Binding> binding);

  [[nodiscard]] const Binding& binding() const { return *binding_; }

  /// Runs a job on the thread, after all earlier ones. The job must exist until it has run.
  void post(ContextJob& job) noexcept;
  /// Runs `body(gl)` on the thread and waits for its end. `gl` is null if the context has gone.
  template <class Body>
  void call(Body&& body) {
    struct Call final : ContextJob {
      Call(ContextThread& where, Body& what) : thread(where), body(what) {}
      void run(const Functions* gl) noexcept override {
        body(gl);
        // The call may end as soon as it sees this, and its thread sees nothing before the lock is given back.
        const MutexLock lock(thread.mutex_);
        done = true;
        thread.called_.notify_all();
      }
      ContextThread& thread;
      Body& body;
      bool done = false;
    } call(*this, body);
    if (is_here()) return body(functions());
    post(call);
    const MutexLock lock(mutex_);
    while (!call.done) called_.wait(mutex_);
  }

  /// The application closes what its context depends on. Destroys the driver's context, unless it is still needed.
  void lose();
  /// Destroys the context and ends the thread. Nothing is posted afterwards.
  void close();

  // The following are called on the thread only.

  /// Asks `pending` until it has come. May throw std::bad_alloc.
  void wait_for(std::unique_ptr<Pending> pending) { pending_.push_back(std::move(pending)); }
  /// Counts the objects that hold something of the context.
  void hold() { ++held_; }
  void let_go() { --held_; }
  [[nodiscard]] TextureUnits& units() { return units_; }

 private:
  explicit ContextThread(std::unique_ptr<Binding> binding) : binding_(std::move(binding)) {}
  [[nodiscard]] bool is_here() const { return here_ == this; }
  [[nodiscard]] const Functions* functions() const { return gone_ ? nullptr : &binding_->functions(); }
  void loop();
  /// Waits for jobs. False: there are none, and will be none.
  bool sleep() REQUIRES(mutex_);
  void ask_pending();

  static inline constinit thread_local const ContextThread* here_ = nullptr;

  const std::unique_ptr<Binding> binding_;

  Mutex mutex_;                ///< innermost
  ConditionVariable changed_;  ///< there is a job, or the end
  ConditionVariable called_;   ///< a call, the start or the end has come
  ForwardList<ContextJob, ContextJob::Next> jobs_ GUARDED_BY(mutex_);
  bool closing_ GUARDED_BY(mutex_) = false;
  bool ended_ GUARDED_BY(mutex_) = false;

  // Used on the thread only.
  std::vector<std::unique_ptr<Pending>> pending_;
  std::chrono::microseconds pause_{0};  ///< between two times that `pending_` is asked
  std::size_t held_ = 0;
  TextureUnits units_;
  bool gone_ = false;       ///< the context has been destroyed
  bool abandoned_ = false;  ///< the context cannot be destroyed any more
};

}  // namespace lanewise::gl
