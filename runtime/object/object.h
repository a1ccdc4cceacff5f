// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The lifetime of API objects: two counts, one owner type, iterative destruction.
///
/// The application's count (Handle::api_count) is the value of `CL_*_REFERENCE_COUNT`. The internal count keeps the
/// object alive. All references of the application together hold one internal reference, and every `Ref<T>` inside the
/// driver holds one more. A queued command thus keeps its buffers alive without a change of the count that the
/// application sees.
#pragma once

#include <atomic>
#include <cstdint>
#include <new>
#include <utility>

#include "include/lanewise/handle.h"
#include "runtime/object/handle_memory.h"
#include "runtime/process/fork_guard.h"

namespace lanewise {

/// Sets the dispatch table that every new object points to. Called by `icd` before the first object exists. A forked
/// child that begins anew (process/fork_guard.h) has another table than its parent; a handle is valid only if it points
/// to the table of its process. May throw std::bad_alloc.
void set_dispatch_table(const void* table);
const void* dispatch_table();

/// Whether a handle belongs to the parent, or another ancestor, of this child that has begun anew.
bool is_inherited(const Handle& handle, Tag tag) noexcept;

/// The common base of all runtime objects. It is not part of the handle: applications and loaders do not see it.
class Counted {
 public:
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  void retain_internal() noexcept { internal_.fetch_add(1, std::memory_order_relaxed); }
  /// Drops one reference; the last one destroys the object. A destructor that releases other objects does not recurse:
  /// the outermost call queues the objects that lose their last reference, and destroys them one after the other.
  void release_internal() noexcept;
  /// Adds a reference to an object of a list without references. False: the object is being destroyed already.
  [[nodiscard]] bool try_retain_internal() noexcept {
    std::uint32_t count = internal_.load(std::memory_order_relaxed);
    while (count != 0)
      if (internal_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed)) return true;
    return false;
  }

 protected:
  Counted() = default;
  virtual ~Counted() = default;

 private:
  friend struct Reclaimer;
  /// Deletes the object. Derived classes override it to run something before, for example destructor callbacks.
  virtual void destroy() noexcept { delete this; }

  std::atomic<std::uint32_t> internal_{1};
  Counted* next_dead_ = nullptr;
};

/// The base of an API object: `class Context : public Object<_cl_context, Tag::context>`.
template <class ClStruct, Tag kTag>
class Object : public Counted, public ClStruct {
 public:
  static constexpr Tag tag_value = kTag;
  using handle_type = ClStruct*;

  [[nodiscard]] handle_type handle() noexcept { return static_cast<ClStruct*>(this); }
  [[nodiscard]] handle_type handle() const noexcept { return const_cast<Object*>(this)->handle(); }

  /// Adds a reference of the application. The application may retain an object again that only the driver still holds
  /// (an event in its callback).
  void retain_api() noexcept {
    if (this->api_count.fetch_add(1, std::memory_order_relaxed) == 0) retain_internal();
  }
  /// Drops a reference of the application; the last one also drops the internal reference that they hold together.
  /// False: the application has no reference.
  bool release_api() noexcept {
    std::uint32_t count = this->api_count.load(std::memory_order_relaxed);
    do {
      if (count == 0) return false;
    } while (
        !this->api_count.compare_exchange_weak(count, count - 1, std::memory_order_acq_rel, std::memory_order_relaxed));
    if (count == 1) {
      on_api_released();
      release_internal();
    }
    return true;
  }
  [[nodiscard]] cl_uint reference_count() const noexcept { return this->api_count.load(std::memory_order_relaxed); }

 protected:
  /// Creates an object with one reference of the application, which the entry point returns.
  Object() noexcept {
    this->dispatch = dispatch_table();
    this->tag.store(kTag, std::memory_order_relaxed);
    this->api_count.store(1, std::memory_order_relaxed);
  }
  /// Sets the tag `dead`, by which stale handles are recognised.
  ~Object() override { this->tag.store(Tag::dead, std::memory_order_relaxed); }
  /// Called when the application has released its last reference (for example: a queue flushes).
  virtual void on_api_released() noexcept {}
  /// Makes the object one of this process: the last step of `carry_over`.
  void belong_here() noexcept { __atomic_store_n(&this->dispatch, dispatch_table(), __ATOMIC_RELEASE); }
  [[nodiscard]] bool belongs_here() const noexcept {
    return __atomic_load_n(&this->dispatch, __ATOMIC_ACQUIRE) == dispatch_table();
  }

 public:
  static void* operator new(std::size_t size) {
    void* block = memory_.take(size);
    if (block == nullptr) throw std::bad_alloc();
    return block;
  }
  static void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return memory_.take(size); }
  static void operator delete(void* block) noexcept {
    // Object is the first base of every class derived from it, so the handle has the same offset as in an Object.
    memory_.give(block, kHandleOffset);
  }
  static constexpr std::size_t kHandleOffset = sizeof(Counted);

 private:
  static inline constinit HandleMemory memory_{};
};

/// The objects that one API call keeps alive (loans). An object may still exist although the application has released
/// its last reference. If another object of the application holds it (a queue its context), its handle is valid. If a
/// command holds it, another thread may destroy it at any moment. The call therefore holds a reference until it ends.
/// Each call has one Loans on its stack; calls from callbacks nest.
class Loans {
 public:
  explicit Loans(detail::ThreadState& thread = detail::thread_state()) noexcept
      : newest_(thread.loans), before_(newest_) {}
  Loans(const Loans&) = delete;
  Loans& operator=(const Loans&) = delete;
  ~Loans() {
    if (newest_ != before_) [[unlikely]]
      end();
  }

  /// Keeps `object` alive until the innermost call of this thread ends; outside a call, until the next call ends.
  /// False: the object is being destroyed already, or there is no memory to store the loan.
  [[nodiscard]] static bool take(Counted& object) noexcept;

 private:
  void end() noexcept;

  Loan*& newest_;  ///< the list of this thread
  Loan* before_;   ///< head of the list when this call began: the loans of outer calls
};

/// A class whose objects a forked child keeps. `carry_over` makes an object one of this process, whatever other threads
/// of the parent were doing with it. Thread-safe.
template <class T>
concept CarriedOver = requires(T& object) { object.carry_over(); };

/// The object of a handle. Null: `handle` is not a live object of class T created by this driver. The first word of
/// another driver's object tells it apart, and nothing else of it is read. The object lives at least until the API call
/// ends, unless the application releases it meanwhile on another thread.
template <class T>
T* live_object(typename T::handle_type handle) noexcept {
  if (handle == nullptr) return nullptr;
  if (handle->dispatch != dispatch_table()) [[unlikely]] {
    if constexpr (!CarriedOver<T>) return nullptr;
    if (!is_inherited(*handle, T::tag_value)) return nullptr;
    if constexpr (CarriedOver<T>) static_cast<T*>(handle)->carry_over();
  }
  if (handle->tag.load(std::memory_order_relaxed) != T::tag_value) return nullptr;
  T* object = static_cast<T*>(handle);
  if (handle->api_count.load(std::memory_order_relaxed) == 0) [[unlikely]]
    if (!Loans::take(*object)) return nullptr;
  return object;
}

/// An owning pointer to a runtime object: the only way in which one part of the driver keeps another part's object
/// alive.
template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}  // NOLINT(google-explicit-constructor)
  explicit Ref(T& object) : object_(&object) { object_->retain_internal(); }
  Ref(const Ref& other) : object_(other.object_) {
    if (object_) object_->retain_internal();
  }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_) object_->release_internal();
  }

  /// Takes over an existing reference, for example the first internal reference of a fresh `new T`.
  static Ref adopt(T* object) {
    Ref r;
    r.object_ = object;
    return r;
  }
  /// Gives the reference away without dropping it, for example to the application.
  [[nodiscard]] T* detach() noexcept { return std::exchange(object_, nullptr); }

  [[nodiscard]] T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) { return a.object_ == b.object_; }

 private:
  T* object_ = nullptr;
};

}  // namespace lanewise
