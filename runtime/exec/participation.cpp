// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The scheduler's functions for the threads that take part in running a device's commands.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <thread>
#include <utility>

#include "runtime/exec/activity.h"
#include "runtime/exec/observe.h"
#include "runtime/exec/scheduler.h"
#include "runtime/exec/worker.h"
#include "runtime/process/fork_guard.h"
#include "runtime/process/stack.h"
#include "runtime/process/tbb_calls.h"
#include "src/base/cache_lines.h"
#include "src/base/clock.h"
#include "src/base/mutex.h"
#include "src/config/config.h"
#include "src/host/pin.h"
#include "src/host/processor.h"
#include "src/host/topology.h"

namespace lanewise {

namespace {

constexpr std::uint64_t kSpinNs = 20'000;       ///< how long a thread looks for work
constexpr std::uint64_t kLongSpinNs = 100'000;  ///< with high throttle

constexpr std::size_t kLeastStack = std::size_t{16} << 10;  ///< stack that a thread needs to take part at all
/// Stack that a thread needs to run any command, when there is no other thread to leave it to.
constexpr std::size_t kAmpleStack = std::size_t{256} << 10;

/// All schedulers: devices, and so schedulers, are never destroyed.
constinit std::atomic<Scheduler*> g_schedulers{nullptr};

/// On a line of its own: each enqueue reads it.
struct alignas(kApartBytes) {
  std::atomic<std::uint64_t> count{0};
} constinit g_kicks;

/// How often the calling thread is a participant, counting all schedulers: more than once inside native kernels.
constinit thread_local int t_depth = 0;
/// No thread could be woken for a command, so the calling thread must run it as soon as it is no participant any more.
constinit thread_local bool t_owes = false;
/// The calling thread should run such a command itself, but its stack is too small.
constinit thread_local bool t_stranded = false;

/// Exists while the calling thread is a participant.
class TakesPart {
 public:
  TakesPart() noexcept {
    if (t_depth++ == 0) Worker::current().scratch().begin();
  }
  ~TakesPart() {
    if (--t_depth == 0) Worker::current().scratch().end();
  }
  TakesPart(const TakesPart&) = delete;
  TakesPart& operator=(const TakesPart&) = delete;
};

/// Calls `done` until it returns true or the time is over; true in the first case.
template <class Done>
bool spin(Done&& done, std::uint64_t for_ns = kSpinNs) {
  const std::uint64_t deadline = now_ns() + for_ns;
  do {
    for (int i = 0; i < 32; ++i) {
      if (done()) return true;
      host::pause();
    }
  } while (now_ns() < deadline);
  return false;
}

/// The scheduler of a set of processors; created once and, like every scheduler, never destroyed.
Scheduler& scheduler_of(const host::CpuList& units) {
  static auto& mutex = *new Mutex;  // the constructor below starts no thread and takes no lock
  static auto& schedulers GUARDED_BY(mutex) = *new std::map<host::CpuList, Scheduler*>;
  const MutexLock lock(mutex);
  Scheduler*& found = schedulers[units];
  if (found == nullptr) found = new Scheduler(static_cast<unsigned>(units.size()), units, true);
  return *found;
}

}  // namespace

Executor& Scheduler::make(Device& device) {
  if (device.parent() != nullptr) return scheduler_of(device.units());
  return *new Scheduler(device.facts().compute_units, device.processors(), false);
}

Scheduler::Scheduler(unsigned threads, const host::CpuList& cpus, bool confined)
    : confined_to_(confined ? cpus : host::CpuList{}),
      arena_(std::clamp(threads, 1u, 1u << 16), cpus, &Scheduler::worker_entry, this),
      nodes_(cpus, arena_.limit(), config().nodes),
      seats_(cpus),
      ready_(arena_.limit(), nodes_.count()) {
  watch_for_fork();
  observe::begin(threads, nodes_.count(), cpus, confined);
  next_ = g_schedulers.load(std::memory_order_relaxed);
  while (!g_schedulers.compare_exchange_weak(next_, this, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

unsigned Scheduler::count_participants() {
  unsigned participants = 0;
  for (const Scheduler* s = g_schedulers.load(std::memory_order_acquire); s != nullptr; s = s->next_)
    participants += s->arena_.participants();
  return participants;
}

void Scheduler::leave() {
  arena_.leave();
  if (ready_.count() > 0) wake(1);
}

void Scheduler::wake(int wanted) {
  if (in_forked_child()) return;
  ready_.collect_anew();
  if (!arena_.call(wanted)) run_here();
}

std::uint64_t count_kicks() {
  return g_kicks.count.load();
}

Activity activity_now() {
  return {.kicks = count_kicks(), .participants = Scheduler::count_participants()};
}

void Scheduler::kick() {
  g_kicks.count.fetch_add(1);
  if (const int ready = ready_.count(); ready > 0) wake(ready);
}

void Scheduler::run_here() {
  t_owes = true;
  if (t_depth != 0) return;
  if (stack_left() < kAmpleStack) {
    t_stranded = true;
    return;
  }
  // A command of one device that ends may make commands of other devices ready.
  while (t_owes) {
    t_owes = false;
    for (Scheduler* s = g_schedulers.load(std::memory_order_acquire); s != nullptr; s = s->next_) s->serve_here();
  }
}

void Scheduler::serve_here() {
  while (ready_.count() > 0 && arena_.join()) {
    Purpose everything;
    {
      const TakesPart part;
      const host::PinThread pinned(confined_to_);
      serve(everything);
    }
    arena_.leave();
  }
}

void Scheduler::worker_entry(void* self) {
  auto& scheduler = *static_cast<Scheduler*>(self);
  if (!scheduler.arena_.arrive()) {
    // A participant may have left meanwhile and relied on this thread.
    if (scheduler.ready_.count() > 0 && scheduler.arena_.has_place()) scheduler.wake(1);
    return;
  }
  Purpose everything;
  {
    const TakesPart part;
    do {
      everything.shared = false;
      scheduler.serve(everything);
    } while (everything.shared && scheduler.find(everything.throttle));
  }
  scheduler.leave();
  if (t_owes) [[unlikely]]
    run_here();
}

bool Scheduler::find(Hint throttle) {
  if (throttle == Hint::low) return ready_.count() > 0;  // the hint asks not to spin without work
  {
    const Arena::Looking looking(arena_);
    spin([this] { return ready_.count_relaxed() > 0; }, throttle == Hint::high ? kLongSpinNs : kSpinNs);
  }
  return ready_.count() > 0;
}

void Scheduler::serve(Purpose& purpose) {
  Worker& worker = Worker::current();
  purpose.home = Home(nodes_);
  while (!purpose.fulfilled()) {
    purpose.chained = 0;
    Chunk chunk = take(purpose);
    if (chunk.command == nullptr) return;
    auto run_on = [&] {
      while (chunk.command != nullptr) {
        purpose.throttle = chunk.command->owner().hints().throttle;
        chunk = run(worker, chunk, purpose);
      }
    };
    // Who runs a whole command shares nothing with others, and need not enter the arena for it.
    const bool whole = chunk.command->execution.division().is_whole(chunk.pieces);
    if (!whole) purpose.shared = true;
    if (whole || Arena::here()) {
      run_on();
    } else {
      arena_.execute(run_on);
    }
  }
}

void Scheduler::help(const Command& target) {
  Purpose purpose{.target = &target, .stack = stack_left()};
  const host::PinThread pinned(confined_to_);
  const TakesPart part;
  for (;;) {
    serve(purpose);
    // Other threads have the rest. If they need this thread's place as a participant, sleep; else spin for a moment.
    if (target.ended() || ready_.count() > 0) break;
    spin([&] { return target.ended() || ready_.count_relaxed() > 0; });
    if (target.ended() || ready_.count() == 0) break;
  }
}

void Scheduler::wait(Command& target) {
  if (stack_left() < kLeastStack) {
    // left to the threads of the pool, because this stack is too small
  } else if (t_depth != 0) {
    help(target);  // a native kernel that waits: its thread is a participant already
  } else if (arena_.join()) {
    help(target);
    leave();
    if (t_owes) [[unlikely]]
      run_here();
  }
  for (;;) {
    if (target.ended()) return;
    t_stranded = false;
    // The commands that it waits for may be in the ready list of another device's scheduler.
    for (const Ref<Device>& device : target.context().devices()) Scheduler::of(*device).kick();
    if (!t_stranded) break;
    // There is no thread, and this stack is too small to run the command: try again until there is a thread.
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  target.sleep();
}

void give_back_scratch() noexcept {
  if (!in_forked_child()) Scratch::give_back_all();
}

}  // namespace lanewise
