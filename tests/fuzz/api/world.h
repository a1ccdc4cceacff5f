// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The objects that one input makes: live ones, released ones whose handles are kept, and objects that never were ours.
/// The calls take their arguments from here.
///
/// Errors of applications that no driver can detect do not occur here: blocking on a user event that is never set or on
/// a semaphore that is never signalled (`settle`), and memory commands on pointers without memory behind them (`Area`).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "include/lanewise/cl_compat.h"
#include "tests/fuzz/api/input.h"

namespace lanewise::fuzz {

template <class H>
struct Slot {
  H handle = nullptr;
  int references = 0;  ///< ours; 0: the handle dangles
};

/// One kind of handle.
template <class H>
class Pool {
 public:
  /// Adds what a call has made; null is ignored.
  void add(H handle) {
    if (handle != nullptr) slots_.push_back({handle, 1});
  }
  /// Mostly a live object; else null, a released one, an object of another driver, or one of another kind.
  H pick(Draw& draw, const void* other_kind) {
    const unsigned how = draw.byte();
    if (how < 4) return nullptr;
    if (how < 8) return static_cast<H>(foreign());
    if (how < 12) return static_cast<H>(const_cast<void*>(other_kind));
    if (slots_.empty()) return nullptr;
    const std::size_t first = draw.byte() % slots_.size();
    if (how < 24) return slots_[first].handle;
    for (std::size_t i = 0; i < slots_.size(); ++i)
      if (const auto& slot = slots_[(first + i) % slots_.size()]; slot.references > 0) return slot.handle;
    return nullptr;
  }
  /// Notes a reference of ours, even to an object that otherwise only the driver holds: we have to release it.
  void retained(H handle) {
    if (live(handle)) return change(handle, 1);
    for (auto& slot : slots_)
      if (slot.handle == handle) {
        slot.references = 1;
        return;
      }
  }
  void released(H handle) { change(handle, -1); }
  [[nodiscard]] std::vector<Slot<H>>& slots() { return slots_; }
  [[nodiscard]] std::size_t live() const {
    std::size_t count = 0;
    for (const auto& slot : slots_) count += slot.references > 0;
    return count;
  }

 private:
  /// An object of another driver: only its first word may be read.
  static void* foreign() {
    static const void* const table = "another driver";
    static const void** const object = new const void*(table);
    return static_cast<void*>(object);
  }
  bool live(H handle) {
    return std::any_of(slots_.begin(), slots_.end(),
                       [&](const auto& slot) { return slot.handle == handle && slot.references > 0; });
  }
  void change(H handle, int by) {
    for (auto& slot : slots_)
      if (slot.handle == handle && slot.references > 0) {
        slot.references += by;
        return;
      }
  }
  std::vector<Slot<H>> slots_;
};

/// A pointer that memory commands may use.
struct Area {
  std::byte* begin = nullptr;
  std::size_t size = 0;
  bool usm = false;
  bool freed = false;  ///< then only for calls that do not read behind the pointer
};

struct Mapping {
  cl_mem memory;
  void* address;
};

class World {
 public:
  static constexpr std::size_t kHostBytes = std::size_t{64} << 20;
  static constexpr std::size_t kScratchBytes = std::size_t{64} << 10;
  static constexpr std::size_t kMostObjects = 48;  ///< of a kind that exist at once
  static constexpr std::size_t kLargestBuffer = 4096;

  World();
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// Ends every user event and every wait for a semaphore, so that a blocking call returns.
  void settle();
  /// Waits until all queues are empty, including released ones; then no command uses any memory.
  void quiesce();
  /// To be called before a queue may lose its last reference, because its commands continue without it.
  void watch(cl_command_queue queue);

  cl_device_id device(Draw& draw);
  cl_context context(Draw& draw);
  cl_command_queue queue(Draw& draw) { return queues.pick(draw, main_context); }
  cl_mem memory(Draw& draw) { return memories.pick(draw, main_context); }
  cl_event event(Draw& draw) { return events.pick(draw, main_context); }
  cl_program program(Draw& draw) { return programs.pick(draw, main_context); }
  cl_kernel kernel(Draw& draw) { return kernels.pick(draw, main_context); }
  cl_sampler sampler(Draw& draw) { return samplers.pick(draw, main_context); }

  /// Memory of the application: any command may read and write kHostBytes from there on. Rarely null.
  void* host(Draw& draw) { return draw.one_in(24) ? nullptr : host_ + draw.below(8); }
  void* scratch() { return scratch_.data(); }

  cl_platform_id platform = nullptr;
  cl_device_id root = nullptr;
  cl_context main_context = nullptr;
  Pool<cl_device_id> devices;
  Pool<cl_context> contexts;
  Pool<cl_command_queue> queues;
  Pool<cl_mem> memories;
  Pool<cl_sampler> samplers;
  Pool<cl_program> programs;
  Pool<cl_kernel> kernels;
  Pool<cl_event> events;  ///< of commands and users'
  Pool<cl_command_buffer_khr> recorded;
  std::vector<cl_mutable_command_khr> commands;  ///< handles, also of released command-buffers
  Pool<cl_semaphore_khr> semaphores;
  std::vector<cl_semaphore_khr> waiting;  ///< for each wait that has been enqueued since the last `settle`
  std::vector<Area> areas;
  std::vector<Mapping> mappings;

 private:
  std::byte* host_ = nullptr;
  cl_command_queue signals_ = nullptr;  ///< for the signals that `settle` enqueues, in their own order
  std::vector<cl_event> watched_;       ///< markers behind the commands of queues that may be released
  std::array<std::byte, kScratchBytes> scratch_{};
};

/// The wait list and the event of a command: `wait.count(), wait.list(), wait.event()`. The new event goes into the
/// world when this ends.
class Wait {
 public:
  Wait(World& world, Draw& draw);
  ~Wait();
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;
  [[nodiscard]] cl_uint count() const { return count_; }
  [[nodiscard]] const cl_event* list() const { return list_ ? events_.data() : nullptr; }
  [[nodiscard]] cl_event* event() { return wanted_ ? &made_ : nullptr; }

 private:
  World& world_;
  std::array<cl_event, 4> events_{};
  cl_event made_ = nullptr;
  cl_uint count_ = 0;
  bool list_ = false;
  bool wanted_ = false;
};

/// A flag for blocking commands; a true one settles the world first.
cl_bool blocking(World& world, Draw& draw);
/// A size or an offset: small, near the limit `near`, or one that overflows.
std::size_t amount(Draw& draw, std::size_t near);
/// Three of them, mostly valid for an object of 8 * 8 * 4.
std::array<std::size_t, 3> triple(Draw& draw, bool region);

/// An origin in an image: with mip levels, the element after the coordinates, which may be the fourth, is the level.
std::array<std::size_t, 4> image_origin(Draw& draw);

using Call = void (*)(World&, Draw&);
/// The calls on each kind of object.
std::vector<Call> core_calls();
std::vector<Call> memory_calls();
std::vector<Call> transfer_calls();
std::vector<Call> image_calls();
std::vector<Call> event_calls();
std::vector<Call> program_calls();
std::vector<Call> kernel_calls();
std::vector<Call> pointer_calls();
std::vector<Call> recorded_calls();
std::vector<Call> device_calls();

}  // namespace lanewise::fuzz
