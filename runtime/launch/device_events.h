// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The events of kernels that enqueue, and the queues that they enqueue to: what all kernels below one command of the
/// application share. It goes with that command, so what kernels forget to release is not lost.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/exec/device_queue.h"
#include "runtime/exec/event.h"
#include "runtime/exec/family.h"
#include "src/base/mutex.h"

namespace lanewise {

/// An event of a kernel is a number: a place in a list, and how often that place has been used before. All functions
/// are for any thread, and none throws.
class DeviceEvents {
 public:
  static constexpr std::uint32_t kMost = 1U << 16U;

  /// Zero: there are too many, or no memory.
  std::uint64_t add(Ref<Event> event) noexcept;
  /// Null: it is none.
  [[nodiscard]] Ref<Event> find(std::uint64_t number) noexcept;
  void retain(std::uint64_t number) noexcept;
  void release(std::uint64_t number) noexcept;
  /// A place that `fill` or `give_back` will be told of, so that nothing fails between an enqueue and its event. Zero:
  /// as `add`.
  std::uint64_t reserve() noexcept;
  void fill(std::uint64_t number, Ref<Event> event) noexcept;
  void give_back(std::uint64_t number) noexcept { release(number); }
  /// FamilyGoods::stuck_event.
  Ref<Event> next_unset() noexcept;

 private:
  struct Place {
    Ref<Event> event;
    std::uint32_t uses = 0;  ///< references of kernels; 0: free
    std::uint32_t turn = 1;  ///< the upper half of the number
    std::uint32_t next = 0;  ///< free places: the next one, plus one
  };
  /// Null: no event has the number.
  Place* place_of(std::uint64_t number) REQUIRES(mutex_);

  Mutex mutex_;  ///< innermost, no event dies under it
  std::vector<Place> places_ GUARDED_BY(mutex_);
  std::uint32_t free_ GUARDED_BY(mutex_) = 0;    ///< the first free place, plus one
  std::size_t searched_ GUARDED_BY(mutex_) = 0;  ///< places of which `next_unset` knows that it does not want them
};

class DeviceFamily final : public FamilyGoods {
 public:
  explicit DeviceFamily(Ref<DeviceQueue> default_queue) : default_queue_(std::move(default_queue)) {}

  Ref<Event> stuck_event() noexcept override { return events_.next_unset(); }
  [[nodiscard]] DeviceEvents& events() { return events_; }
  /// As it was when the first kernel asked; null: there was none.
  [[nodiscard]] DeviceQueue* default_queue() const { return default_queue_.get(); }
  /// Lives as long as this; null: `handle` is no queue on a device.
  [[nodiscard]] DeviceQueue* queue(std::uint64_t handle) noexcept;

 private:
  const Ref<DeviceQueue> default_queue_;
  DeviceEvents events_;
  Mutex mutex_ ACQUIRED_BEFORE(DeviceQueue::list_mutex);
  std::vector<Ref<DeviceQueue>> used_ GUARDED_BY(mutex_);
};

}  // namespace lanewise
