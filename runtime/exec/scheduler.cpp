// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/scheduler.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <new>
#include <thread>
#include <utility>

#include "runtime/exec/queue.h"
#include "runtime/exec/worker.h"
#include "runtime/process/callback_thread.h"
#include "runtime/process/fork_guard.h"
#include "runtime/process/stack.h"
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
constexpr std::uint64_t kSampleNs = 1'000;      ///< commands known to be smaller than this are measured now and then

constexpr std::size_t kLeastStack = 16 * 1024;  ///< for taking part at all
/// For running whatever comes, where there is no other thread to leave it to.
constexpr std::size_t kAmpleStack = 256 * 1024;

/// All schedulers: devices, and so schedulers, are never destroyed.
constinit std::atomic<Scheduler*> g_schedulers{nullptr};

/// How often the calling thread is a participant, of whichever scheduler: more than once inside native kernels.
constinit thread_local int t_depth = 0;
/// No thread could be woken for something, which the calling thread is to run when it is no participant any more,
constinit thread_local bool t_owes = false;
/// and this thread cannot run it either: its stack is too small.
constinit thread_local bool t_stranded = false;

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

/// The scheduler of a set of processors; made once and, like every scheduler, never destroyed.
Scheduler& scheduler_of(const host::CpuList& units) {
  static auto& mutex = *new std::mutex;  // guards the map; the constructor below starts no thread and takes no lock
  static auto& schedulers = *new std::map<host::CpuList, Scheduler*>;
  const std::lock_guard lock(mutex);
  Scheduler*& found = schedulers[units];
  if (found == nullptr) found = new Scheduler(static_cast<unsigned>(units.size()), units);
  return *found;
}

}  // namespace

Executor& Scheduler::make(Device& device) {
  if (device.parent() != nullptr) return scheduler_of(device.units());
  return *new Scheduler(device.facts().compute_units, {});
}

Scheduler::Scheduler(unsigned threads, host::CpuList cpus)
    : threads_(static_cast<int>(std::clamp(threads, 1u, 1u << 16))),
      cpus_(std::move(cpus)),
      pool_(static_cast<unsigned>(threads_), &Scheduler::pool_entry, this) {
  watch_for_fork();
  next_ = g_schedulers.load(std::memory_order_relaxed);
  while (!g_schedulers.compare_exchange_weak(next_, this, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

std::uint64_t Scheduler::cost_of(const Work& work) {
  const std::uint64_t piece = std::min<std::uint64_t>(work.piece_ns(), 1'000'000'000);
  return piece * std::min<std::uint64_t>(work.pieces(), 1'000'000'000);
}

bool Scheduler::Purpose::serves(const Event& event) const {
  if (event.stack_bytes_ > stack) return false;
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
    const std::uint64_t cost = std::max(event.cost_ns_.load(std::memory_order_relaxed), kLeastNs);
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
    collect = std::max(first->cost_ns_.load(std::memory_order_relaxed), kLeastNs);
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
  event.cost_ns_.store(cost_of(*event.work_),
                       std::memory_order_relaxed);  // what has ended since it was enqueued may have told more
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
  if (queue.profiling()) event.times_.ended(now_ns());
  if (ran && status < 0 && status != CL_CONTEXT_TERMINATED_KHR) {
    if (auto* report = new (std::nothrow) FailureReport(queue.context(), event.type(), status)) post_callback(*report);
  }
  event.close(status, ready);
  queue.forget(event);
  event.release_internal();
}

// ---- The ready list ------------------------------------------------------------------------------------------------

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
  const int wanted = enough ? helpers(event) : 1;  // asked now: in the list it may end at any time
  {
    const std::scoped_lock lock(mutex_);
    list_push(event);
    ready_.fetch_add(1);
    if (!enough) enough = collected_.fetch_add(collected_ns) + collected_ns >= kCollectNs;
  }
  if (enough) wake(wanted);
}

bool Scheduler::claim(Event& event, Chunk& chunk) const {
  const std::uint64_t next = event.next_piece_.load(std::memory_order_relaxed);
  if (next >= event.pieces_) return false;
  std::uint64_t size = event.chunk_.load(std::memory_order_relaxed);
  if (size < event.pieces_) {
    // Towards the end smaller chunks, so that all threads end together.
    const std::uint64_t fair = (event.pieces_ - next) / (2u * static_cast<std::uint64_t>(threads_));
    size = std::min(size, std::max({fair, size / 4, event.grain_}));
    if (event.grain_ != 1) size = (size + event.grain_ - 1) / event.grain_ * event.grain_;
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
  // for this thread; and before it wakes one for the rest of a command it runs its chunk, unless that takes long: an
  // application that waits will have come to help by then.
  if (more) more = lasts(chunk);
  if (more || (chunk.event != nullptr && ready_.load() > 0 && collected_.load(std::memory_order_relaxed) == 0)) wake(1);
  return chunk;
}

bool Scheduler::lasts(const Chunk& chunk) {
  const Event& event = *chunk.event;
  return event.cost_ns_ == 0 || event.cost_ns_ / event.pieces_ * (chunk.last - chunk.first) > 2 * kChunkNs;
}

void Scheduler::unlist(Event& event) {
  const std::scoped_lock lock(mutex_);
  if (!event.listed_) return;
  list_remove(event);
  ready_.fetch_sub(1);
  if (lists_empty()) collected_.store(0, std::memory_order_relaxed);
}

// ---- Participants --------------------------------------------------------------------------------------------------

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
    requested_.fetch_add(1);
    if (!pool_.start()) {
      requested_.fetch_sub(1);
      return run_here();
    }
  }
}

void Scheduler::kick() {
  if (const int ready = ready_.load(); ready > 0) wake(ready);
}

void Scheduler::run_here() {
  t_owes = true;
  if (t_depth != 0) return;
  if (stack_left() < kAmpleStack) {
    t_stranded = true;
    return;
  }
  // What one device ends may make commands of others ready.
  while (t_owes) {
    t_owes = false;
    for (Scheduler* s = g_schedulers.load(std::memory_order_acquire); s != nullptr; s = s->next_) s->serve_here();
  }
}

void Scheduler::serve_here() {
  while (ready_.load() > 0 && join()) {
    Purpose everything{.stays = false};
    ++t_depth;
    {
      const host::PinThread pinned(cpus_);
      serve(everything);
    }
    --t_depth;
    running_.fetch_sub(1);
  }
}

void Scheduler::give_back_scratch() noexcept {
  if (!Worker::ask_for_scratch() || in_forked_child()) return;
  if (t_depth == 0) Worker::current().give_back_if_asked();
  // Those that sleep are woken for it; the others look when they go.
  for (Scheduler* s = g_schedulers.load(std::memory_order_acquire); s != nullptr; s = s->next_) {
    for (unsigned left = s->pool_.waiting(); left != 0; --left) {
      s->requested_.fetch_add(1);
      if (!s->pool_.start()) s->requested_.fetch_sub(1);
    }
  }
}

void Scheduler::pool_entry(void* self) {
  auto& scheduler = *static_cast<Scheduler*>(self);
  const bool joined = scheduler.join();
  scheduler.requested_.fetch_sub(1);
  if (!joined) {
    Worker::current().give_back_if_asked();
    // Somebody may have left meanwhile and counted on this thread.
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
  Worker::current().give_back_if_asked();
  scheduler.leave();
  if (t_owes) [[unlikely]]
    run_here();
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
      if (purpose.target != nullptr || !purpose.stays || !idle(purpose.throttle)) return;
      continue;
    }
    while (chunk.event != nullptr) {
      purpose.throttle = chunk.event->queue_->hints().throttle;
      chunk = run(worker, chunk, purpose);
    }
  }
}

void Scheduler::help(const Event& target) {
  Purpose purpose{.target = &target, .stack = stack_left()};
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
  if (stack_left() < kLeastStack) {
    // left to the threads of the pool
  } else if (t_depth != 0) {
    help(target);  // a native kernel that waits: its thread is a participant already
  } else if (join()) {
    help(target);
    Worker::current().give_back_if_asked();
    leave();
    if (t_owes) [[unlikely]]
      run_here();
  }
  for (;;) {
    if (target.ended()) return;
    t_stranded = false;
    // What it waits for may be collected in the scheduler of another device.
    for (const Ref<Device>& device : target.context().devices()) Scheduler::of(*device).kick();
    if (!t_stranded) break;
    // No thread, and no stack to do without one: all that is left is to hope for a thread.
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  target.sleep();
}

Scheduler::Chunk Scheduler::run(Worker& worker, Chunk chunk, Purpose& purpose) {
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

void Scheduler::run_pieces(Worker& worker, Chunk& chunk) {
  Event& event = *chunk.event;
  if (event.work_error_.load(std::memory_order_relaxed) != CL_SUCCESS) return;
  const std::uint64_t pieces = chunk.last - chunk.first;
  if (pieces == event.pieces_) return run_whole(worker, chunk);
  const std::uint64_t start = now_ns();
  if (!execute(worker, event, chunk.first, chunk.last)) return;
  const std::uint64_t ns = now_ns() - start;
  event.spent_ns_.fetch_add(ns, std::memory_order_relaxed);
  learn(event, pieces, ns);
  // Each thread that is woken wakes one more; where a piece takes long, all are needed at once.
  if (event.next_piece_.load(std::memory_order_relaxed) < event.pieces_) wake(ns > kSmallNs ? helpers(event) : 1);
}

void Scheduler::run_whole(Worker& worker, Chunk& chunk) {
  Event& event = *chunk.event;
  const bool shareable = event.pieces_ > event.grain_ && threads_ > 1;
  const bool exact = event.cost_ns_ == 0 || event.cost_ns_ > kSampleNs || worker.draws_sample();
  if (!exact) {
    // Looking at the clock is a good part of what so small a command costs. The coarse one tells of those that are not
    // small any more.
    const std::uint64_t start = shareable ? coarse_now_ns() : 0;
    if (!execute(worker, event, 0, event.pieces_) || !shareable) return;
    event.spent_ns_.store(coarse_now_ns() - start, std::memory_order_relaxed);
    return;
  }
  const std::uint64_t start = now_ns();
  std::uint64_t done = 0;
  if (shareable) {
    done = event.grain_;
    if (!execute(worker, event, 0, done)) return;
    if (const std::uint64_t ns = now_ns() - start; ns > kSmallNs) {
      event.spent_ns_.store(ns, std::memory_order_relaxed);
      event.chunk_.store(done, std::memory_order_relaxed);
      event.next_piece_.store(done, std::memory_order_relaxed);
      learn(event, done, ns);
      chunk.last = done;
      publish(event, 0);
      return;
    }
  }
  if (!execute(worker, event, done, event.pieces_)) return;
  event.spent_ns_.store(now_ns() - start, std::memory_order_relaxed);
}

bool Scheduler::execute(Worker& worker, Event& event, std::uint64_t first, std::uint64_t last) {
  const cl_int error = event.work_->run(worker, first, last);
  if (error >= 0) return true;
  cl_int none = CL_SUCCESS;
  event.work_error_.compare_exchange_strong(none, error, std::memory_order_relaxed);
  return false;
}

void Scheduler::learn(Event& event, std::uint64_t pieces, std::uint64_t ns) const {
  const std::uint64_t chunk = event.chunk_.load(std::memory_order_relaxed);
  const std::uint64_t fair = event.pieces_ / (4u * static_cast<std::uint64_t>(threads_)) + 1;
  const double ideal = static_cast<double>(pieces) * static_cast<double>(kChunkNs) / static_cast<double>(ns + 1);
  const auto wanted = ideal < static_cast<double>(fair) ? static_cast<std::uint64_t>(ideal) : fair;
  event.chunk_.store(std::max(std::clamp(wanted, chunk / 2, chunk * 8), event.grain_), std::memory_order_relaxed);
}

int Scheduler::helpers(const Event& event) const {
  const std::uint64_t left = event.pieces_ - std::min(event.next_piece_.load(std::memory_order_relaxed), event.pieces_);
  const std::uint64_t chunks = left / event.chunk_.load(std::memory_order_relaxed) + 1;
  // For what nothing is known of one is woken; the first chunk tells more.
  const std::uint64_t spent = event.spent_ns_.load(std::memory_order_relaxed);
  const std::uint64_t worth = spent != 0 ? chunks : event.cost_ns_ / kSmallNs;
  const std::uint64_t threads = std::min({chunks, worth, static_cast<std::uint64_t>(threads_)});
  return static_cast<int>(std::max<std::uint64_t>(threads, 2)) - 1;
}

Scheduler::Chunk Scheduler::retire(const Chunk& chunk, Purpose& purpose) {
  Event& event = *chunk.event;
  const std::uint64_t pieces = chunk.last - chunk.first;
  if (event.pieces_left_.fetch_sub(pieces, std::memory_order_acq_rel) != pieces) return {};
  const cl_int error = event.work_error_.load(std::memory_order_relaxed);
  const std::uint64_t ns = event.spent_ns_.load(std::memory_order_relaxed);
  if (ns != 0 && error == CL_SUCCESS) event.work_->measured(ns);
  EventList ready;
  end_command(event, error, true, ready);
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
