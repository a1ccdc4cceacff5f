// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/arena.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>
#include <pthread.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/exec/worker.h"
#include "runtime/process/fork_guard.h"
#include "runtime/process/imported_memory.h"
#include "runtime/process/signals.h"
#include "runtime/process/tbb_calls.h"
#include "src/base/happens_before.h"
#include "src/base/mutex.h"
#include "src/config/config.h"
#include "src/host/pin.h"

namespace lanewise {

namespace {

/// Threads of the application that can be in a device's arena at once. The others run the same without being in it.
constexpr int kMostVisitors = 256;

/// Numbers of workers, which begin anew behind the last.
constexpr unsigned kMostWorkers = 1U << 30U;

/// One thread makes what is TBB's; the others wait for that, which takes some microseconds.
constinit Mutex g_making;

/// Arenas in which the calling thread is.
constinit thread_local int t_inside = 0;
/// The arena that has made the calling worker what it is.
constinit thread_local const void* t_equipped_by = nullptr;

/// Makes a worker of TBB one of the device: its name, its signals, and the processors on which it runs. The
/// floating-point environment is that in which the arena was made; TBB sets it.
class Entrance final : public tbb::task_scheduler_observer {
 public:
  Entrance(tbb::task_arena& arena, const host::CpuList& cpus) : tbb::task_scheduler_observer(arena), cpus_(cpus) {
    for (const unsigned cpu : cpus) mask_.set(cpu);
    observe(true);
  }
  void on_scheduler_entry(bool is_worker) override {
    ++t_inside;
    if (!is_worker) return;
    mark_thread_of_driver(true);
    if (t_equipped_by != this) equip();
    set_looking_for_work(true);
  }
  void on_scheduler_exit(bool is_worker) override {
    --t_inside;
    if (!is_worker) return;
    set_looking_for_work(false);
    mark_thread_of_driver(false);
  }

 private:
  void equip() noexcept {
    if (t_equipped_by == nullptr) {
      pthread_setname_np(pthread_self(), "lanewise");
      BlockSignals::for_good();
      MendFaults::never_blocked();
    }
    // Refused: a processor has gone. The thread runs where it may.
    static_cast<void>((config().pin ? one_processor() : mask_).apply());
    t_equipped_by = this;
  }
  /// Workers with neighbouring numbers have different processors, in whichever tier they are.
  [[nodiscard]] host::CpuMask one_processor() const noexcept {
    if (cpus_.empty()) return mask_;
    static constinit std::atomic<unsigned> next{0};
    static constinit thread_local int number = -1;
    if (number < 0) number = static_cast<int>(next.fetch_add(1) % kMostWorkers);
    host::CpuMask one;
    one.set(cpus_[static_cast<unsigned>(number) % cpus_.size()]);
    return one;
  }

  const host::CpuList& cpus_;
  host::CpuMask mask_;
};

/// May return without having run it, if there is no memory.
template <class Body>
void execute_in(tbb::task_arena& arena, const Body& body) noexcept {
  try {
    arena.execute(body);
  } catch (const std::exception&) {
    return;
  }
}

/// TBB has as many threads as all devices together, and counts the application's thread as well.
void add_threads(int threads) {
#ifndef LANEWISE_SYSTEM_TBB
  using Control = tbb::global_control;
  static auto& mutex = *new Mutex;
  static std::unique_ptr<Control>& control GUARDED_BY(mutex) = *new std::unique_ptr<Control>;
  static std::size_t limit GUARDED_BY(mutex) = 1;
  const MutexLock lock(mutex);
  limit += static_cast<std::size_t>(threads);
  // The lowest limit counts, so the new one has an effect as soon as the old one goes.
  control = std::make_unique<Control>(Control::max_allowed_parallelism, limit);
#else
  static_cast<void>(threads);
#endif
}

}  // namespace

/// Workers that are woken together.
struct Arena::Tier {
  Tier(int count, int visitors, const host::CpuList& cpus)
      : workers(count),
        arena(count + visitors, static_cast<unsigned>(visitors)),
        entrance((arena.initialize(), arena), cpus) {}
  const int workers;
  std::atomic<int> tasks{0};  ///< that have not ended; at most as many as workers, if there is room elsewhere
  tbb::task_arena arena;
  Entrance entrance;
};

struct Arena::Tbb {
  Tbb(int threads, const host::CpuList& cpus) : places(std::min(threads, kMostVisitors)) {
    add_threads(threads);
    const KernelFloatEnvironment environment;
    for (int left = threads, size = 1; left > 0;) {
      const bool first = tiers.empty();
      tiers.push_back(std::make_unique<Tier>(std::min(size, left), first ? places.load() : 0, cpus));
      left -= tiers.back()->workers;
      if (!first) size *= 2;
    }
  }
  std::vector<std::unique_ptr<Tier>> tiers;
  std::atomic<int> places;  ///< of visitors in the first tier
};

Arena::Arena(unsigned threads, host::CpuList cpus, Entry entry, void* argument)
    : threads_(static_cast<int>(threads)), cpus_(std::move(cpus)), entry_(entry), argument_(argument) {}

bool Arena::join() {
  int running = running_.load();
  do {
    if (running >= threads_) return false;
  } while (!running_.compare_exchange_weak(running, running + 1));
  return true;
}

Arena::Tbb* Arena::tbb() noexcept {
  if (Tbb* made = tbb_.load(std::memory_order_acquire)) [[likely]] {
    acquired(&tbb_);
    return made;
  }
#ifdef LANEWISE_SYSTEM_TBB
  if (began_anew()) return nullptr;  // it has the parent's state, without the parent's threads
#endif
  const MutexLock lock(g_making);
  if (Tbb* made = tbb_.load(std::memory_order_relaxed)) return made;
  try {
    auto* made = new Tbb(threads_, cpus_);
    released(&tbb_);
    tbb_.store(made, std::memory_order_release);
    return made;
  } catch (const std::exception&) {
    return nullptr;
  }
}

Arena::Tier& Arena::tier_for_one(Tbb& tbb) const noexcept {
  for (const auto& tier : tbb.tiers) {
    int tasks = tier->tasks.load(std::memory_order_relaxed);
    while (tasks < tier->workers)
      if (tier->tasks.compare_exchange_weak(tasks, tasks + 1)) return *tier;
  }
  // All run, though fewer take part: one of them has just left, and will come back for this.
  Tier& last = *tbb.tiers.back();
  last.tasks.fetch_add(1);
  return last;
}

bool Arena::call_into(Tier& tier) noexcept {
  try {
    const Unwatched task;  // the thread that runs it frees it, and all that TBB has of a thread that has ended
    tier.arena.enqueue([this, &tier]() noexcept {
      set_looking_for_work(false);
      entry_(argument_);
      tier.tasks.fetch_sub(1);
      set_looking_for_work(true);
    });
    return true;
  } catch (const std::exception&) {
    tier.tasks.fetch_sub(1);
    requested_.fetch_sub(1);
    return false;
  }
}

bool Arena::call(int wanted) {
  for (wanted = std::min(wanted - looking_.load(), threads_); wanted > 0; --wanted) {
    if (running_.load() + requested_.load() >= threads_) break;
    Tbb* tbb = this->tbb();
    if (tbb == nullptr) return false;
    requested_.fetch_add(1);
    if (!call_into(tier_for_one(*tbb))) return false;
  }
  return !tbb_lacks_threads();
}

void Arena::execute_in_arena(void (*body)(void*), void* data) {
  Tbb* tbb = this->tbb();
  bool ran = false;
  const auto run = [&]() noexcept {
    ran = true;
    body(data);
  };
  // TBB would wait for a place.
  if (tbb != nullptr && tbb->places.fetch_sub(1) > 0) execute_in(tbb->tiers.front()->arena, run);
  if (tbb != nullptr) tbb->places.fetch_add(1);
  if (!ran) run();
}

bool Arena::here() noexcept {
  return t_inside != 0;
}

}  // namespace lanewise
