// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The events and the queues of kernels that enqueue (OpenCL C 6.15.18). All kernels below one command of the
/// application share them. They are destroyed with that command, so an event that a kernel forgets to release does not
/// leak.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/exec/device_queue.h"
#include "runtime/exec/event.h"
#include "runtime/exec/family.h"
#include "src/base/mutex.h"

namespace lanewise {

/// The events that kernels hold. A kernel's `clk_event_t` is a number: the low 32 bits are a place in a list, the high
/// 32 bits count the earlier uses of that place. All functions are thread-safe, and none throws.
class DeviceEvents {
 public:
  static constexpr std::uint32_t kMost = 1U << 16U;  ///< events that exist at once

  /// Stores an event with one reference and returns its number. 0: there are kMost events already, or out of memory.
  std::uint64_t add(Ref<Event> event) noexcept;
  /// The event of a number. Null: no event has it.
  [[nodiscard]] Ref<Event> find(std::uint64_t number) noexcept;
  void retain(std::uint64_t number) noexcept;
  void release(std::uint64_t number) noexcept;
  /// Reserves a number for an event that `fill` stores later, so that an enqueue cannot fail after its command exists.
  /// `give_back` returns a number that stays unused. 0: as for `add`.
  std::uint64_t reserve() noexcept;
  void fill(std::uint64_t number, Ref<Event> event) noexcept;
  void give_back(std::uint64_t number) noexcept { release(number); }
  /// Implements FamilyGoods::stuck_event.
  Ref<Event> next_unset() noexcept;

 private:
  struct NumberedEvent {
    Ref<Event> event;
    std::uint32_t uses = 0;  ///< references that kernels hold; 0: the place is free
    std::uint32_t turn = 1;  ///< the high 32 bits of the number
    std::uint32_t next = 0;  ///< index of the next free place plus one, if this one is free; 0: none
  };
  /// The place of a number; null: no event has the number.
  NumberedEvent* place_of(std::uint64_t number) REQUIRES(mutex_);

  Mutex mutex_;  ///< innermost; no event is destroyed under it
  std::vector<NumberedEvent> places_ GUARDED_BY(mutex_);
  std::uint32_t free_ GUARDED_BY(mutex_) = 0;    ///< the index of the first free place plus one; 0: none
  std::size_t searched_ GUARDED_BY(mutex_) = 0;  ///< leading places that `next_unset` need not look at again
};

/// What the kernels below one command of the application share (FamilyGoods): their events, and their queues.
class DeviceFamily final : public FamilyGoods {
 public:
  explicit DeviceFamily(Ref<DeviceQueue> default_queue) : default_queue_(std::move(default_queue)) {}

  Ref<Event> stuck_event() noexcept override { return events_.next_unset(); }
  [[nodiscard]] DeviceEvents& events() { return events_; }
  /// The default queue at the time when the first kernel asked for it; null: there was none.
  [[nodiscard]] DeviceQueue* default_queue() const { return default_queue_.get(); }
  /// The queue of a handle, alive as long as this object. Null: `handle` is no queue on a device.
  [[nodiscard]] DeviceQueue* queue(std::uint64_t handle) noexcept;

 private:
  const Ref<DeviceQueue> default_queue_;
  DeviceEvents events_;
  Mutex mutex_ ACQUIRED_BEFORE(DeviceQueue::list_mutex);
  std::vector<Ref<DeviceQueue>> used_ GUARDED_BY(mutex_);
};

}  // namespace lanewise
