// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/scheduler.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <utility>

#include "runtime/exec/arena.h"
#include "runtime/exec/callback_thread.h"
#include "runtime/exec/fork_guard.h"
#include "runtime/exec/queue.h"
#include "runtime/exec/worker.h"
#include "src/base/clock.h"
#include "src/host/pin.h"

namespace lanewise {

namespace {

constexpr std::uint64_t kChunkNs = 30'000;      ///< aim for the time of one chunk
constexpr std::uint64_t kSmallNs = 20'000;      ///< a command below this runs as one chunk
constexpr std::uint64_t kCollectNs = 20'000;    ///< small work that is collected before a thread is woken for it
constexpr std::uint64_t kLeastNs = 50;          ///< what a command costs at least, for that sum
constexpr std::uint64_t kSpinNs = 20'000;       ///< how long a thread without work looks for some before it sleeps
constexpr std::uint64_t kLongSpinNs = 100'000;  ///< the same after a command of a queue that asks for full throttle
constexpr std::uint32_t kTurns = 16;            ///< of so many looks one begins at the low priority, one at the medium
constexpr unsigned kChain = 16;                 ///< commands in a row on one thread while others stand in the list
constexpr int kLook = 64;                       ///< list entries that a waiting thread looks at
constexpr std::uint64_t kSampleNs = 1'000;      ///< of commands known to be smaller than this
constexpr std::uint64_t kSample = 16;           ///< only one in so many is measured

/// TBB hands tasks from thread to thread in an order that ThreadSanitizer cannot see, and a scheduler may be younger
/// than the thread that works for it first: it is published once more through this.
constinit std::atomic<unsigned> g_handoff{0};

/// How often the calling thread is a participant, of whichever scheduler: more than once inside native kernels.
constinit thread_local int t_depth = 0;

/// Calls `done` until it is true or the time is over; true in the first case.
template <class Done>
bool spin(Done&& done, std::uint64_t ns = kSpinNs) {
  const std::uint64_t deadline = now_ns() + ns;
  do {
    for (int i = 0; i < 32; ++i) {
      if (done()) return true;
      __builtin_ia32_pause();
    }
  } while (now_ns() < deadline);
  return false;
}

/// Tells the context's error callback about a command that failed by itself.
class FailureReport final : public CallbackJob {
 public:
  FailureReport(Context& context, cl_command_type type, cl_int status) : context_(context) {
    std::snprintf(text_, sizeof text_, "command of type 0x%x ended with error %d", type, status);
  }
  void run() noexcept override {
    context_->notify(text_);
    delete this;
  }

 private:
  Ref<Context> context_;
  char text_[80];
};

}  // namespace

Scheduler::Scheduler(unsigned threads, host::CpuList cpus)
    : threads_(static_cast<int>(std::clamp(threads, 1u, 1u << 16))), cpus_(std::move(cpus)) {
  watch_for_fork();
}

std::uint64_t Scheduler::cost_of(const Work& work) {
  const std::uint64_t piece = std::min<std::uint64_t>(work.piece_ns(), 1'000'000'000);
  return piece * std::min<std::uint64_t>(work.pieces(), 1'000'000'000);
}

bool Scheduler::Purpose::serves(const Event& event) const {
  if (target == nullptr || target == &event) return true;
  // A waiting thread must not get stuck in what its target does not need: another queue's kernel may run for long, or
  // even wait for something that this thread is going to do.
  return event.queue_ == target->queue_ && event.sequence_ <= target->sequence_ &&
         (target->collects_ || target->queue_->in_order());
}

// ---- From the queue to the list ------------------------------------------------------------------------------------

void Scheduler::enqueued(Event& event, bool ready, Start start) {
  if (!ready) {
    // It may stand behind commands that are being collected, and is work for whoever is woken for them.
    if (start != Start::soon || collected_.load(std::memory_order_relaxed) == 0) return;
    const std::uint64_t cost = std::max(event.cost_ns_, kLeastNs);
    if (event.pieces_ != 0 && (event.cost_ns_ == 0 || collected_.fetch_add(cost) + cost >= kCollectNs)) kick();
    return;
  }
  EventList list;
  list.push(event);
  Event* first = settle(list, true);
  if (first == nullptr) return;
  std::uint64_t collect = 0;
  if (start == Start::on_wait) {
    collect = kLeastNs;
  } else if (first->cost_ns_ != 0 && first->cost_ns_ < kCollectNs) {
    collect = std::max(first->cost_ns_, kLeastNs);
  }
  publish(*first, collect);
}

void Scheduler::release(EventList& ready) {
  settle(ready, false);
}

Event* Scheduler::settle(EventList& ready, bool keep_one) {
  Event* kept = nullptr;
  while (Event* event = ready.pop()) {
    const cl_int error =
        event->terminated() ? CL_CONTEXT_TERMINATED_KHR : event->dependency_error_.load(std::memory_order_relaxed);
    if (error != CL_SUCCESS) {
      end_command(*event, error, false, ready);
    } else if (event->pieces_ == 0) {
      if (event->queue_->profiling()) event->times_.start = now_ns();
      event->advance(CL_RUNNING);
      end_command(*event, CL_SUCCESS, true, ready);
    } else {
      // Commands of several devices may wait for one; work is for the threads of its own.
      Scheduler& owner = event->queue_->scheduler();
      owner.prepare(*event);
      if (keep_one && kept == nullptr && &owner == this) {
        kept = event;
      } else {
        owner.publish(*event, 0);
      }
    }
  }
  return kept;
}

void Scheduler::prepare(Event& event) const {
  const std::uint64_t pieces = event.pieces_;
  const std::uint64_t fair = pieces / (4u * static_cast<std::uint64_t>(threads_)) + 1;
  event.grain_ = std::clamp<std::uint64_t>(event.work_->grain(), 1, pieces);
  std::uint64_t chunk = event.grain_;
  if (event.cost_ns_ != 0) {
    const std::uint64_t piece_ns = std::max<std::uint64_t>(event.cost_ns_ / pieces, 1);
    chunk = event.cost_ns_ <= kSmallNs ? pieces : std::max(chunk, std::min(kChunkNs / piece_ns, fair));
  }
  event.chunk_.store(chunk, std::memory_order_relaxed);
  event.next_piece_.store(0, std::memory_order_relaxed);
  event.pieces_left_.store(pieces, std::memory_order_relaxed);
}

void Scheduler::end_command(Event& event, cl_int status, bool ran, EventList& ready) {
  Queue& queue = *event.queue_;
  if (event.work_ != nullptr) {
    if (ran) event.work_->finish();
    // Before the status: whoever sees the command complete may count on its buffers being let go.
    event.work_.reset();
  }
  if (queue.profiling()) event.times_.end = now_ns();
  if (ran && status < 0 && status != CL_CONTEXT_TERMINATED_KHR) {
    if (auto* report = new (std::nothrow) FailureReport(queue.context(), event.type(), status)) post_callback(*report);
  }
  event.close(status, ready);
  queue.forget(event);
  event.release_internal();
}

// ---- The ready list
// --------------------------------------------------------------------------------------------------

void Scheduler::list_push(Event& event) {
  event.listed_ = true;
  event.link_ = nullptr;
  ReadyList& list = list_of(event);
  event.previous_ = list.tail;
  (list.tail != nullptr ? list.tail->link_ : list.head) = &event;
  list.tail = &event;
}

Scheduler::ReadyList& Scheduler::list_of(const Event& event) {
  return lists_[static_cast<unsigned>(event.queue_->hints().priority)];
}

bool Scheduler::lists_empty() const {
  return std::all_of(lists_.begin(), lists_.end(), [](const ReadyList& list) { return list.head == nullptr; });
}

unsigned Scheduler::level(std::uint32_t turn, unsigned i) {
  if (turn % kTurns == 0) return kLevels - 1 - i;             // low, medium, high
  if (turn % kTurns == kTurns / 2) return (i + 1) % kLevels;  // medium, low, high
  return i;
}

void Scheduler::list_remove(Event& event) {
  event.listed_ = false;
  ReadyList& list = list_of(event);
  (event.previous_ != nullptr ? event.previous_->link_ : list.head) = event.link_;
  (event.link_ != nullptr ? event.link_->previous_ : list.tail) = event.previous_;
}

void Scheduler::publish(Event& event, std::uint64_t collected_ns) {
  bool enough = collected_ns == 0;
  {
    const std::scoped_lock lock(mutex_);
    list_push(event);
    ready_.fetch_add(1);
    if (!enough) enough = collected_.fetch_add(collected_ns) + collected_ns >= kCollectNs;
  }
  if (enough) wake(1);
}

bool Scheduler::claim(Event& event, Chunk& chunk) const {
  const std::uint64_t next = event.next_piece_.load(std::memory_order_relaxed);
  if (next >= event.pieces_) return false;
  std::uint64_t size = event.chunk_.load(std::memory_order_relaxed);
  if (size < event.pieces_) {
    // Towards the end smaller chunks, so that all threads end together.
    const std::uint64_t fair = (event.pieces_ - next) / (2u * static_cast<std::uint64_t>(threads_));
    size = std::min(size, std::max({fair, size / 4, event.grain_}));
  }
  const std::uint64_t first = event.next_piece_.fetch_add(size, std::memory_order_relaxed);
  if (first >= event.pieces_) return false;
  chunk = {&event, first, std::min(size, event.pieces_ - first) + first};
  return true;
}

Scheduler::Chunk Scheduler::take_from(const ReadyList& list, const Purpose& purpose, bool& more) {
  Chunk chunk;
  int looked = 0;
  for (Event* event = list.head; event != nullptr && chunk.event == nullptr;) {
    Event* next = event->link_;
    if (purpose.serves(*event)) {
      // In the list means alive: who ends a command has unlisted it before.
      const bool got = claim(*event, chunk);
      list_remove(*event);
      if (got && chunk.last != event->pieces_) {
        list_push(*event);  // to the end: the commands of the list take turns
        more = true;
      } else {
        ready_.fetch_sub(1);
      }
    } else if (++looked == kLook) {
      break;
    }
    event = next;
  }
  return chunk;
}

Scheduler::Chunk Scheduler::take(const Purpose& purpose) {
  Chunk chunk;
  bool more = false;
  {
    const std::scoped_lock lock(mutex_);
    const std::uint32_t turn = ++turns_;
    for (unsigned i = 0; i < kLevels && chunk.event == nullptr; ++i)
      chunk = take_from(lists_[level(turn, i)], purpose, more);
    if (lists_empty()) collected_.store(0, std::memory_order_relaxed);
  }
  // A thread that is woken wakes the next one while there is something to do for it. What is only collected can wait
  // for this thread.
  if (more || (chunk.event != nullptr && ready_.load() > 0 && collected_.load(std::memory_order_relaxed) == 0)) wake(1);
  return chunk;
}

void Scheduler::unlist(Event& event) {
  const std::scoped_lock lock(mutex_);
  if (!event.listed_) return;
  list_remove(event);
  ready_.fetch_sub(1);
  if (lists_empty()) collected_.store(0, std::memory_order_relaxed);
}

// ---- Participants
// ----------------------------------------------------------------------------------------------------

bool Scheduler::join() {
  int running = running_.load();
  do {
    if (running >= threads_) return false;
  } while (!running_.compare_exchange_weak(running, running + 1));
  return true;
}

void Scheduler::leave() {
  running_.fetch_sub(1);
  if (ready_.load() > 0) wake(1);
}

void Scheduler::wake(int wanted) {
  if (in_forked_child()) return;
  collected_.store(0, std::memory_order_relaxed);
  wanted = std::min(wanted - idle_.load(), threads_);
  for (; wanted > 0; --wanted) {
    const int active = running_.load() + requested_.load();
    if (active >= threads_) return;
    std::call_once(arena_once_, [this] { arena_ = new Arena(static_cast<unsigned>(threads_)); });
    requested_.fetch_add(1);
    g_handoff.fetch_add(1, std::memory_order_release);
    if (!arena_->start(&Scheduler::arena_entry, this, active == 0)) {
      requested_.fetch_sub(1);
      return;
    }
  }
}

void Scheduler::kick() {
  if (const int ready = ready_.load(); ready > 0) wake(ready);
}

void Scheduler::arena_entry(void* self) {
  static_cast<void>(g_handoff.load(std::memory_order_acquire));
  auto& scheduler = *static_cast<Scheduler*>(self);
  const bool joined = scheduler.join();
  scheduler.requested_.fetch_sub(1);
  if (!joined) {
    // Somebody may have left meanwhile and counted on this task.
    if (scheduler.ready_.load() > 0 && scheduler.running_.load() < scheduler.threads_) scheduler.wake(1);
    return;
  }
  Purpose everything;
  ++t_depth;
  {
    const host::PinThread pinned(scheduler.cpus_);
    scheduler.serve(everything);
  }
  --t_depth;
  // What comes now is for a new task: an arena for one would hold a task back as long as this one went on.
  scheduler.leave();
}

bool Scheduler::idle(Hint throttle) {
  if (throttle == Hint::low) return ready_.load() > 0;  // staying awake for nothing is what the hint forbids
  idle_.fetch_add(1);
  spin([this] { return ready_.load(std::memory_order_relaxed) > 0; }, throttle == Hint::high ? kLongSpinNs : kSpinNs);
  idle_.fetch_sub(1);
  return ready_.load() > 0;
}

void Scheduler::serve(Purpose& purpose) {
  Worker& worker = Worker::current();
  while (!purpose.fulfilled()) {
    purpose.chained = 0;
    Chunk chunk = take(purpose);
    if (chunk.event == nullptr) {
      if (purpose.target != nullptr || !idle(purpose.throttle)) return;
      continue;
    }
    while (chunk.event != nullptr) {
      purpose.throttle = chunk.event->queue_->hints().throttle;
      chunk = run(worker, chunk, purpose);
    }
  }
}

void Scheduler::help(const Event& target) {
  Purpose purpose{.target = &target};
  const host::PinThread pinned(cpus_);
  ++t_depth;
  for (;;) {
    serve(purpose);
    // The rest is in other hands. If they need this thread's place, sleep; else stay near for a moment.
    if (target.ended() || ready_.load() > 0) break;
    spin([&] { return target.ended() || ready_.load(std::memory_order_relaxed) > 0; });
    if (target.ended() || ready_.load() == 0) break;
  }
  --t_depth;
}

void Scheduler::wait(Event& target) {
  if (t_depth != 0) {
    help(target);  // a native kernel that waits: its thread is a participant already
  } else if (join()) {
    help(target);
    leave();
  }
  if (target.ended()) return;
  // What it waits for may be collected in the scheduler of another device.
  for (const Ref<Device>& device : target.context().devices()) device->scheduler().kick();
  target.sleep();
}

Scheduler::Chunk Scheduler::run(Worker& worker, const Chunk& chunk, Purpose& purpose) {
  Event& event = *chunk.event;
  if (chunk.first == 0) {
    if (event.queue_->profiling()) event.times_.start = now_ns();
    event.advance(CL_RUNNING);
  }
  // Any chunk may be the first to run, and what has been abandoned must not.
  if (event.terminable_ && (!event.advance(CL_RUNNING) || event.terminated())) [[unlikely]]
    event.work_error_.store(CL_CONTEXT_TERMINATED_KHR, std::memory_order_relaxed);
  run_pieces(worker, chunk);
  // Holding the next chunk before giving back this one keeps the command alive. With other commands in the list they
  // get their turn through `take`.
  Chunk next;
  if (chunk.last - chunk.first != event.pieces_ && ready_.load(std::memory_order_relaxed) <= 1 && claim(event, next) &&
      next.last == event.pieces_) {
    unlist(event);
  }
  const Chunk successor = retire(chunk, purpose);
  return next.event != nullptr ? next : successor;
}

void Scheduler::run_pieces(Worker& worker, const Chunk& chunk) const {
  Event& event = *chunk.event;
  if (event.work_error_.load(std::memory_order_relaxed) != CL_SUCCESS) return;
  const std::uint64_t pieces = chunk.last - chunk.first;
  const bool measure =
      event.cost_ns_ == 0 || event.cost_ns_ > kSampleNs || pieces != event.pieces_ || event.sequence_ % kSample == 0;
  const std::uint64_t start = measure ? now_ns() : 0;
  const cl_int error = event.work_->run(worker, chunk.first, chunk.last);
  if (error < 0) {
    cl_int none = CL_SUCCESS;
    event.work_error_.compare_exchange_strong(none, error, std::memory_order_relaxed);
    return;
  }
  if (measure) learn(event, pieces, now_ns() - start);
}

void Scheduler::learn(Event& event, std::uint64_t pieces, std::uint64_t ns) const {
  event.work_->measured(pieces, ns);
  if (pieces == event.pieces_) return;
  const std::uint64_t chunk = event.chunk_.load(std::memory_order_relaxed);
  const std::uint64_t fair = event.pieces_ / (4u * static_cast<std::uint64_t>(threads_)) + 1;
  const double ideal = static_cast<double>(pieces) * static_cast<double>(kChunkNs) / static_cast<double>(ns + 1);
  const auto wanted = ideal < static_cast<double>(fair) ? static_cast<std::uint64_t>(ideal) : fair;
  event.chunk_.store(std::max(std::clamp(wanted, chunk / 2, chunk * 8), event.grain_), std::memory_order_relaxed);
}

Scheduler::Chunk Scheduler::retire(const Chunk& chunk, Purpose& purpose) {
  Event& event = *chunk.event;
  const std::uint64_t pieces = chunk.last - chunk.first;
  if (event.pieces_left_.fetch_sub(pieces, std::memory_order_acq_rel) != pieces) return {};
  EventList ready;
  end_command(event, event.work_error_.load(std::memory_order_relaxed), true, ready);
  Event* next = settle(ready, true);
  if (next == nullptr) return {};
  const bool small = next->chunk_.load(std::memory_order_relaxed) >= next->pieces_;
  const bool turn = purpose.chained < kChain || ready_.load(std::memory_order_relaxed) == 0;
  if (small && turn && !purpose.fulfilled() && purpose.serves(*next)) {
    ++purpose.chained;
    return {next, 0, next->pieces_};
  }
  publish(*next, 0);
  return {};
}

}  // namespace lanewise
