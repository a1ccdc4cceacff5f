// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/device_events.h"

#include <new>
#include <utility>

namespace lanewise {

std::uint64_t DeviceEvents::reserve() noexcept {
  const MutexLock lock(mutex_);
  if (free_ == 0) {
    if (places_.size() == kMost) return 0;
    try {
      places_.emplace_back();
    } catch (const std::bad_alloc&) {
      return 0;
    }
    free_ = static_cast<std::uint32_t>(places_.size());
  }
  const std::uint32_t index = free_ - 1;
  NumberedEvent& place = places_[index];
  free_ = std::exchange(place.next, 0);
  place.uses = 1;
  return std::uint64_t{place.turn} << 32U | index;
}

void DeviceEvents::fill(std::uint64_t number, Ref<Event> event) noexcept {
  const MutexLock lock(mutex_);
  if (NumberedEvent* place = place_of(number)) place->event = std::move(event);
}

std::uint64_t DeviceEvents::add(Ref<Event> event) noexcept {
  const std::uint64_t number = reserve();
  fill(number, std::move(event));
  return number;
}

DeviceEvents::NumberedEvent* DeviceEvents::place_of(std::uint64_t number) {
  const auto index = static_cast<std::uint32_t>(number);
  if (index >= places_.size()) return nullptr;
  NumberedEvent& place = places_[index];
  return place.uses != 0 && place.turn == number >> 32U ? &place : nullptr;
}

Ref<Event> DeviceEvents::find(std::uint64_t number) noexcept {
  const MutexLock lock(mutex_);
  const NumberedEvent* place = place_of(number);
  return place == nullptr ? nullptr : place->event;
}

void DeviceEvents::retain(std::uint64_t number) noexcept {
  const MutexLock lock(mutex_);
  if (NumberedEvent* place = place_of(number)) ++place->uses;
}

void DeviceEvents::release(std::uint64_t number) noexcept {
  Ref<Event> gone;  // an unset user event ends the commands that wait for it
  const MutexLock lock(mutex_);
  NumberedEvent* place = place_of(number);
  if (place == nullptr || --place->uses != 0) return;
  gone = std::move(place->event);
  ++place->turn;
  place->next = std::exchange(free_, static_cast<std::uint32_t>(number) + 1);
}

Ref<Event> DeviceEvents::next_unset() noexcept {
  const MutexLock lock(mutex_);
  for (; searched_ < places_.size(); ++searched_) {
    const Ref<Event>& event = places_[searched_].event;
    if (event && event->is_user() && !event->ended()) return event;
  }
  return nullptr;
}

DeviceQueue* DeviceFamily::queue(std::uint64_t handle) noexcept {
  if (default_queue_ && reinterpret_cast<std::uintptr_t>(default_queue_->handle()) == handle)
    return default_queue_.get();
  const MutexLock lock(mutex_);
  for (const Ref<DeviceQueue>& queue : used_)
    if (reinterpret_cast<std::uintptr_t>(queue->handle()) == handle) return queue.get();
  try {
    used_.reserve(used_.size() + 1);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  Ref<DeviceQueue> found = DeviceQueue::find(handle);
  if (!found) return nullptr;
  used_.push_back(std::move(found));
  return used_.back().get();
}

}  // namespace lanewise
