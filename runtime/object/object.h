// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Lifetime of API objects: two counts, one owner type, iterative destruction.
///
/// The application's count (`Handle::api_count`) is what `CL_*_REFERENCE_COUNT` shows. The internal count keeps the
/// memory: the application's references hold one internal reference together as long as their count is above zero, and
/// every `Ref<T>` inside the driver holds one more. So a queued command keeps its buffers alive without the application
/// ever seeing it.
#pragma once

#include <atomic>
#include <cstdint>
#include <new>
#include <utility>

#include "include/lanewise/handle.h"
#include "runtime/object/handle_memory.h"

namespace lanewise {

/// The dispatch table that every new object points to; set by `icd` before the first object exists.
void set_dispatch_table(const void* table);
const void* dispatch_table();

/// Common base of all runtime objects. Not part of the handle: the application never sees this half.
class Counted {
 public:
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  void retain_internal() noexcept { internal_.fetch_add(1, std::memory_order_relaxed); }
  /// Drops one reference; the last one destroys the object. A destructor that releases others never recurses: objects
  /// that die meanwhile are queued on the thread and destroyed one after the other by the outermost call.
  void release_internal() noexcept;
  /// For lists that hold objects without a reference: false if the object is being destroyed already.
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
  /// Runs the destructor callbacks and such, then deletes. Overridden where memory comes from a slab.
  virtual void destroy() noexcept { delete this; }

  std::atomic<std::uint32_t> internal_{1};
  Counted* next_dead_ = nullptr;
};

/// `class Context : public Object<_cl_context, Tag::context>`
template <class ClStruct, Tag kTag>
class Object : public Counted, public ClStruct {
 public:
  static constexpr Tag tag_value = kTag;
  using handle_type = ClStruct*;

  [[nodiscard]] handle_type handle() noexcept { return static_cast<ClStruct*>(this); }
  [[nodiscard]] handle_type handle() const noexcept { return const_cast<Object*>(this)->handle(); }

  /// The application may come back to an object that only the driver still holds (an event, in its callback).
  void retain_api() noexcept {
    if (this->api_count.fetch_add(1, std::memory_order_relaxed) == 0) retain_internal();
  }
  /// Gives back one of the application's references; with the last one goes the internal reference behind them. False
  /// if it has none.
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
  /// Born with one application reference, which the creating entry point hands out.
  Object() noexcept {
    this->dispatch = dispatch_table();
    this->tag.store(kTag, std::memory_order_relaxed);
    this->api_count.store(1, std::memory_order_relaxed);
  }
  /// Stale handles are told by it.
  ~Object() override { this->tag.store(Tag::dead, std::memory_order_relaxed); }
  /// Called when the application has given back its last reference (for example: a queue flushes).
  virtual void on_api_released() noexcept {}

 public:
  static void* operator new(std::size_t size) {
    void* block = memory_.take(size);
    if (block == nullptr) throw std::bad_alloc();
    return block;
  }
  static void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return memory_.take(size); }
  static void operator delete(void* block) noexcept {
    // This is the first base of what is derived from it, so the handle lies where it does in an Object.
    memory_.give(block, kHandleOffset);
  }
  static constexpr std::size_t kHandleOffset = sizeof(Counted);

 private:
  static inline constinit HandleMemory memory_{};
};

/// What one call of the API borrows. An object of which the application has given back its last reference may still be
/// there: something that the application does hold keeps it (a queue its context), and then its handle is good; or a
/// command does, and then it may die on another thread at any moment. The call keeps what it finds so until its end.
/// One on the stack of each call; calls from callbacks nest.
class Loans {
 public:
  Loans() noexcept;
  Loans(const Loans&) = delete;
  Loans& operator=(const Loans&) = delete;
  ~Loans();

  /// Keeps `object` until the innermost call of this thread ends. False if it is being destroyed already (or there is
  /// no memory to remember it). Outside of every call it is kept until the next one ends.
  [[nodiscard]] static bool take(Counted& object) noexcept;

 private:
  struct Loan;
  static Loan*& newest() noexcept;

  Loan*& newest_;  ///< of this thread
  Loan* before_;   ///< loans of the calls around this one
};

/// Null if `handle` is not a live object of class T made by this driver. An object of another driver is told by its
/// first word, so nothing behind it is read. The object lives at least until the call of the API ends, unless the
/// application releases it meanwhile on another thread.
template <class T>
T* live_object(typename T::handle_type handle) noexcept {
  if (handle == nullptr || handle->dispatch != dispatch_table() ||
      handle->tag.load(std::memory_order_relaxed) != T::tag_value)
    return nullptr;
  T* object = static_cast<T*>(handle);
  if (handle->api_count.load(std::memory_order_relaxed) == 0) [[unlikely]]
    if (!Loans::take(*object)) return nullptr;
  return object;
}

/// Owning pointer to a runtime object: the only way that one part of the driver keeps an object of another.
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

  /// Takes over a reference that already counts (a fresh `new T`, whose first internal reference is the caller's).
  static Ref adopt(T* object) {
    Ref r;
    r.object_ = object;
    return r;
  }
  /// Gives the counted reference away, for example as the application's.
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
