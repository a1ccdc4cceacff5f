// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/bench/scaling/model.h"

#include <algorithm>
#include <utility>

#include "runtime/exec/pieces.h"

namespace lanewise::scaling {

namespace {

constexpr Ns kChunkNs = 30'000;  // the constants of runtime/exec/execution.cpp and participation.cpp
constexpr Ns kSmallNs = 20'000;
constexpr Ns kSpinNs = 20'000;
constexpr Ns kPoll = 40;           ///< between two looks of a thread that spins
constexpr Ns kClock = 25;          ///< to read the clock
constexpr Ns kTakeNs = 60;         ///< instructions of a search of the list
constexpr Ns kEndNs = 300;         ///< and of the end of a command
constexpr unsigned kFan = 2;       ///< threads that one wakes in a tree
constexpr Ns kTbbSpinNs = 40'000;  ///< how long a worker of oneTBB looks for tasks before it leaves its arena
constexpr Ns kTbbPoll = 400;       ///< between two of its looks: it yields a hundred times
constexpr Ns kTbbTaskNs = 100;     ///< instructions of oneTBB to enqueue a task, and to get one

/// A part of a launch that the threads of one node take first.
struct Part {
  Line line;
  Line done;
  std::uint64_t next = 0;  ///< piece that is not taken
  std::uint64_t last = 0;
  std::uint64_t left = 0;  ///< pieces that are not reported
  std::uint64_t chunk = 1;
  [[nodiscard]] std::uint64_t open() const { return last - next; }
  bool claim(Pieces& pieces, unsigned threads) {
    if (open() == 0) return false;
    const std::uint64_t size = std::min(open(), next_size(open(), chunk, 1, threads));
    pieces = {.first = next, .last = next + size};
    next += size;
    return true;
  }
};

struct Launch {
  std::uint64_t pieces = 0;
  Ns piece_ns = 0;
  bool listed = false;
  Line line;  ///< what a thread reads before it runs a chunk
  Line done;
  std::size_t left = 0;  ///< parts
  std::vector<std::unique_ptr<Part>> parts;
  [[nodiscard]] std::uint64_t open() const {
    std::uint64_t open = 0;
    for (const auto& part : parts) open += part->open();
    return open;
  }
};

struct Chunk {
  Launch* launch = nullptr;
  Part* part = nullptr;
  Pieces pieces;
};

/// An arena of oneTBB.
struct Arena {
  explicit Arena(unsigned most) : workers(most) {}
  const unsigned workers;
  Line tasks_line;
  unsigned tasks = 0;  ///< that the runtime has given it and that have not ended
  Line queue_line;
  unsigned queued = 0;  ///< of these, that no worker has taken
  Line slots_line;
  unsigned inside = 0;  ///< workers
  bool in_need = false;
};

class Scheduler {
 public:
  Scheduler(Shape shape, const Costs& costs, const Protocol& protocol, const Load& load);
  Result run();

 private:
  void divide(Launch& launch) const;
  [[nodiscard]] std::uint64_t chunk_for(std::uint64_t pieces, Ns piece_ns, unsigned threads) const;
  Task submit(unsigned worker, unsigned first);
  Task serve(unsigned worker);
  Task work(unsigned worker);
  Task publish(unsigned worker, Launch& launch);
  Task wake(unsigned worker, int wanted);
  Task wake_one(unsigned worker, bool& found);
  Task call(unsigned worker, int wanted);
  Task call_into(unsigned worker, Arena& arena);
  Task change_demand(unsigned worker, int by);
  Task rouse(unsigned worker);
  Task serve_arena(unsigned worker, Arena& arena);
  Task serve_arenas(unsigned worker);
  Task sleep(unsigned worker);
  Task take(unsigned worker, Chunk& chunk);
  Task claim(unsigned worker, Launch& launch, Chunk& chunk);
  Task remove(unsigned worker, Launch& launch);
  Task execute(unsigned worker, Chunk chunk);
  Task report(unsigned worker, Launch& launch, Part& part, std::uint64_t pieces);
  Task end(unsigned worker);
  [[nodiscard]] int helpers(const Launch& launch) const;
  /// Threads of the application. They take part from the beginning to the end.
  [[nodiscard]] unsigned queues() const { return load_.in_order ? 1 : load_.queues; }

  Machine machine_;
  const Protocol protocol_;
  const Load load_;
  std::vector<std::unique_ptr<Launch>> launches_;
  std::size_t next_ = 0;  ///< launch that follows in order
  std::size_t ended_ = 0;
  Ns last_end_ = 0;
  Ns busy_ = 0;
  std::uint64_t chunks_ = 0;
  std::uint64_t home_ = 0;
  std::vector<std::uint8_t> node_of_;  ///< where each piece ran in the launch before; 255: nowhere

  Mutex list_mutex_;
  Line list_line_;
  Line count_line_;
  std::deque<Launch*> list_;

  struct Sleeper {
    unsigned worker;
    std::coroutine_handle<> handle;
  };
  Mutex pool_mutex_;
  Line pool_line_;
  std::vector<Sleeper> sleepers_;
  Line people_line_;
  struct Crowd {
    Line line;
    int idle = 0;
  };
  std::vector<Crowd> crowds_;  ///< by node
  int running_ = 0;
  int requested_ = 0;

  std::deque<Arena> arenas_;
  Mutex market_mutex_;
  Line market_line_;
  int demand_ = 0;  ///< workers that arenas could use
  int awake_ = 0;   ///< workers of oneTBB that do not sleep
};

Scheduler::Scheduler(Shape shape, const Costs& costs, const Protocol& protocol, const Load& load)
    : machine_(shape, costs),
      protocol_(protocol),
      load_(load),
      list_mutex_(machine_, protocol.spins),
      pool_mutex_(machine_, protocol.spins),
      crowds_(protocol.idle_by_node ? shape.nodes : 1),
      market_mutex_(machine_, protocol.spins) {
  for (unsigned left = shape.workers, size = 1; left > 0; left -= arenas_.back().workers) {
    if (arenas_.size() > 1) size *= 2;
    arenas_.emplace_back(std::min(size, left));
  }
  const std::uint64_t pieces = load.pieces == 0 ? 1 : std::uint64_t{load.pieces} * shape.workers;
  node_of_.assign(pieces, 255);
  for (unsigned i = 0; i < load.launches; ++i) {
    auto launch = std::make_unique<Launch>();
    launch->pieces = pieces;
    launch->piece_ns = load.pieces == 0 ? load.worker_ns : load.worker_ns / load.pieces;
    divide(*launch);
    launches_.push_back(std::move(launch));
  }
}

std::uint64_t Scheduler::chunk_for(std::uint64_t pieces, Ns piece_ns, unsigned threads) const {
  const std::uint64_t fair = pieces / (4u * std::uint64_t{threads}) + 1;
  return std::max<std::uint64_t>(1, std::min(static_cast<std::uint64_t>(kChunkNs / std::max<Ns>(piece_ns, 1)), fair));
}

void Scheduler::divide(Launch& launch) const {
  const unsigned workers = machine_.shape().workers;
  const unsigned parts = protocol_.by_node && launch.pieces > 1 ? machine_.shape().nodes : 1;
  std::uint64_t first = 0;
  for (unsigned i = 0; i < parts; ++i) {
    auto part = std::make_unique<Part>();
    const std::uint64_t last = launch.pieces * (i + 1) / parts;
    part->next = first;
    part->last = last;
    part->left = last - first;
    part->chunk = chunk_for(last - first, launch.piece_ns, workers / parts);
    first = last;
    launch.parts.push_back(std::move(part));
  }
  launch.left = parts;
}

int Scheduler::helpers(const Launch& launch) const {
  const std::uint64_t chunks = launch.open() / launch.parts[0]->chunk + 1;
  return static_cast<int>(std::max<std::uint64_t>(std::min<std::uint64_t>(chunks, machine_.shape().workers), 2)) - 1;
}

Task Scheduler::publish(unsigned worker, Launch& launch) {
  const int wanted = launch.pieces == 1 ? 1 : helpers(launch);
  co_await list_mutex_.lock(worker);
  co_await machine_.write(worker, list_line_);
  co_await machine_.write(worker, launch.line);
  list_.push_back(&launch);
  launch.listed = true;
  co_await machine_.write(worker, count_line_);
  co_await list_mutex_.unlock(worker);
  co_await wake(worker, protocol_.tree ? std::min<int>(wanted, kFan) : wanted);
}

Task Scheduler::wake(unsigned worker, int wanted) {
  if (protocol_.quiet) {
    co_await machine_.read(worker, count_line_);
  } else {
    co_await machine_.write(worker, count_line_);  // the sum of what is collected, set to zero
  }
  co_await machine_.read(worker, people_line_);
  if (protocol_.tbb) {
    co_await call(worker, wanted);
    co_return;
  }
  if (protocol_.idle_by_node && running_ + requested_ >= static_cast<int>(machine_.shape().workers)) co_return;
  for (Crowd& crowd : crowds_) {
    if (protocol_.idle_by_node) co_await machine_.read(worker, crowd.line);
    wanted -= crowd.idle;
  }
  wanted = std::min<int>(wanted, static_cast<int>(machine_.shape().workers));
  for (; wanted > 0; --wanted) {
    if (running_ + requested_ >= static_cast<int>(machine_.shape().workers)) break;
    co_await machine_.write(worker, people_line_);
    ++requested_;
    bool found = false;
    co_await wake_one(worker, found);
    if (found) continue;
    --requested_;
    break;
  }
}

Task Scheduler::wake_one(unsigned worker, bool& found) {
  co_await pool_mutex_.lock(worker);
  co_await machine_.write(worker, pool_line_);
  found = !sleepers_.empty();
  if (!found) {
    co_await pool_mutex_.unlock(worker);
    co_return;
  }
  const Sleeper sleeper = sleepers_.back();
  sleepers_.pop_back();
  co_await pool_mutex_.unlock(worker);
  machine_.resume_at(machine_.now() + machine_.costs().wake_delay, sleeper.handle);
  co_await machine_.spend(machine_.costs().wake_call);
}

/// Arena::call.
Task Scheduler::call(unsigned worker, int wanted) {
  const int workers = static_cast<int>(machine_.shape().workers);
  for (wanted = std::min(wanted, workers); wanted > 0; --wanted) {
    if (running_ + requested_ >= workers) break;
    co_await machine_.write(worker, people_line_);
    ++requested_;
    Arena* place = &arenas_.back();
    for (Arena& arena : arenas_) {
      co_await machine_.read(worker, arena.tasks_line);
      if (arena.tasks >= arena.workers) continue;
      place = &arena;
      break;
    }
    co_await machine_.write(worker, place->tasks_line);
    ++place->tasks;
    co_await call_into(worker, *place);
  }
}

/// task_arena::enqueue: the first task tells the market, which wakes threads.
Task Scheduler::call_into(unsigned worker, Arena& arena) {
  co_await machine_.spend(kTbbTaskNs);
  co_await machine_.write(worker, arena.queue_line);
  ++arena.queued;
  co_await machine_.read(worker, arena.slots_line);
  if (arena.in_need) co_return;
  arena.in_need = true;
  co_await machine_.write(worker, arena.slots_line);
  co_await change_demand(worker, static_cast<int>(arena.workers));
  co_await rouse(worker);
}

Task Scheduler::change_demand(unsigned worker, int by) {
  co_await market_mutex_.lock(worker);
  co_await machine_.write(worker, market_line_);
  demand_ += by;
  co_await market_mutex_.unlock(worker);
}

/// A thread wakes two others; each of these does so again.
Task Scheduler::rouse(unsigned worker) {
  bool found = true;
  for (unsigned i = 0; i < kFan && found && demand_ > awake_; ++i) {
    ++awake_;
    co_await wake_one(worker, found);
    if (!found) --awake_;
  }
}

/// A worker looks for tasks in the arena until there has been none for a while.
Task Scheduler::serve_arena(unsigned worker, Arena& arena) {
  co_await machine_.write(worker, arena.slots_line);
  for (Ns deadline = machine_.now() + kTbbSpinNs; machine_.now() < deadline;) {
    co_await machine_.spend(kTbbPoll);
    co_await machine_.read(worker, arena.queue_line);
    if (arena.queued == 0) continue;
    co_await machine_.write(worker, arena.queue_line);
    if (arena.queued == 0) continue;
    --arena.queued;
    co_await machine_.spend(kTbbTaskNs);
    co_await machine_.write(worker, people_line_);
    ++running_;
    co_await machine_.write(worker, people_line_);
    --requested_;
    co_await work(worker);
    co_await machine_.write(worker, people_line_);
    --running_;
    if (!list_.empty()) co_await wake(worker, 1);
    co_await machine_.write(worker, arena.tasks_line);
    --arena.tasks;
    deadline = machine_.now() + kTbbSpinNs;
  }
  co_await machine_.write(worker, arena.slots_line);
  --arena.inside;
  if (arena.queued != 0 || !arena.in_need) co_return;
  arena.in_need = false;
  co_await change_demand(worker, -static_cast<int>(arena.workers));
}

Task Scheduler::serve_arenas(unsigned worker) {
  for (;;) {
    co_await sleep(worker);
    co_await rouse(worker);
    for (bool found = true; found;) {
      co_await market_mutex_.lock(worker);
      co_await machine_.read(worker, market_line_);
      const auto arena =
          std::ranges::find_if(arenas_, [](const Arena& a) { return a.in_need && a.inside < a.workers; });
      found = arena != arenas_.end();
      if (found) ++arena->inside;
      co_await market_mutex_.unlock(worker);
      if (found) co_await serve_arena(worker, *arena);
    }
    --awake_;
  }
}

Task Scheduler::claim(unsigned worker, Launch& launch, Chunk& chunk) {
  const std::size_t parts = launch.parts.size();
  const unsigned workers = machine_.shape().workers / static_cast<unsigned>(parts);
  const std::size_t own = parts > 1 ? machine_.shape().node_of(worker) : 0;
  for (std::size_t i = 0; i < parts && chunk.launch == nullptr; ++i) {
    Part& part = *launch.parts[(own + i) % parts];
    if (!protocol_.quiet) {
      co_await machine_.read(worker, part.line);
      if (part.open() == 0) continue;
    }
    co_await machine_.write(worker, part.line);
    if (!part.claim(chunk.pieces, workers)) continue;
    chunk.launch = &launch;
    chunk.part = &part;
  }
}

Task Scheduler::take(unsigned worker, Chunk& chunk) {
  if (protocol_.unlocked) {
    co_await machine_.read(worker, count_line_);
    if (list_.empty()) co_return;
  }
  if (protocol_.unlocked && list_.size() == 1 && list_.front()->pieces > 1) {
    Launch& launch = *list_.front();
    co_await claim(worker, launch, chunk);
    if (chunk.launch != nullptr) {
      if (launch.open() == 0) co_await remove(worker, launch);
      co_return;
    }
  }
  co_await list_mutex_.lock(worker);
  co_await machine_.write(worker, list_line_);
  co_await machine_.spend(kTakeNs);
  while (!list_.empty() && chunk.launch == nullptr) {
    Launch& launch = *list_.front();
    co_await machine_.write(worker, launch.line);
    co_await claim(worker, launch, chunk);
    list_.pop_front();
    if (chunk.launch != nullptr && launch.open() != 0) {
      list_.push_back(&launch);
    } else {
      launch.listed = false;
      co_await machine_.write(worker, count_line_);
    }
  }
  co_await list_mutex_.unlock(worker);
  if (!list_.empty() && chunk.launch != nullptr) {
    const bool lasts = chunk.launch->piece_ns * static_cast<Ns>(chunk.pieces.count()) > 2 * kChunkNs;
    if (lasts || chunk.launch->pieces == 1) co_await wake(worker, 1);
  }
}

Task Scheduler::remove(unsigned worker, Launch& launch) {
  co_await list_mutex_.lock(worker);
  co_await machine_.write(worker, list_line_);
  if (launch.listed) {
    list_.erase(std::find(list_.begin(), list_.end(), &launch));
    launch.listed = false;
    co_await machine_.write(worker, count_line_);
  }
  co_await list_mutex_.unlock(worker);
}

Task Scheduler::report(unsigned worker, Launch& launch, Part& part, std::uint64_t pieces) {
  co_await machine_.write(worker, protocol_.batched ? part.done : part.line);
  part.left -= pieces;
  if (part.left != 0) co_return;
  if (launch.parts.size() > 1) co_await machine_.write(worker, launch.done);
  if (--launch.left == 0) co_await end(worker);
}

Task Scheduler::end(unsigned worker) {
  co_await machine_.spend(kEndNs);
  ++ended_;
  last_end_ = machine_.now();
  if (load_.in_order && next_ < launches_.size()) co_await publish(worker, *launches_[next_++]);
}

Task Scheduler::execute(unsigned worker, Chunk chunk) {
  Launch& launch = *chunk.launch;
  std::uint64_t unreported = 0;
  const unsigned stay = protocol_.stays ? std::max(1u, machine_.shape().workers / 8) : 1;
  for (unsigned turn = 1; chunk.launch != nullptr; ++turn) {
    co_await machine_.read(worker, launch.line);
    const Ns ns = launch.piece_ns * static_cast<Ns>(chunk.pieces.count());
    const auto node = static_cast<std::uint8_t>(machine_.shape().node_of(worker));
    for (std::uint64_t piece = chunk.pieces.first; piece < chunk.pieces.last; ++piece) {
      std::uint8_t& before = node_of_[piece];
      home_ += before == node ? 1 : 0;
      before = node;
    }
    co_await machine_.spend(ns + 2 * kClock);
    busy_ += ns;
    ++chunks_;
    unreported += chunk.pieces.count();
    const bool whole = launch.pieces == chunk.pieces.count();
    Part& part = *chunk.part;
    chunk.launch = nullptr;
    if (!whole) {
      if (!protocol_.batched) co_await machine_.write(worker, part.line);  // its time, the size of the next
      if (launch.open() != 0) co_await wake(worker, ns > kSmallNs && !protocol_.tree ? helpers(launch) : 1);
      co_await machine_.read(worker, count_line_);
      if (list_.size() <= 1 || turn % stay != 0) co_await claim(worker, launch, chunk);
      if (launch.listed && launch.open() == 0) co_await remove(worker, launch);
    }
    if (!protocol_.batched || chunk.launch == nullptr || chunk.part != &part)
      co_await report(worker, launch, part, std::exchange(unreported, 0));
  }
}

Task Scheduler::work(unsigned worker) {
  bool woken = true;
  for (;;) {
    Chunk chunk;
    co_await take(worker, chunk);
    if (chunk.launch != nullptr) {
      if (woken && protocol_.tree && chunk.launch->open() != 0)
        co_await wake(worker, std::min<int>(helpers(*chunk.launch), kFan));
      woken = false;
      co_await execute(worker, chunk);
      continue;
    }
    Crowd& crowd = crowds_[protocol_.idle_by_node ? machine_.shape().node_of(worker) : 0];
    co_await machine_.write(worker, protocol_.idle_by_node ? crowd.line : people_line_);
    ++crowd.idle;
    const Ns deadline = machine_.now() + kSpinNs;
    while (list_.empty() && machine_.now() < deadline) {
      co_await machine_.spend(kPoll);
      co_await machine_.read(worker, count_line_);
    }
    co_await machine_.write(worker, protocol_.idle_by_node ? crowd.line : people_line_);
    --crowd.idle;
    woken = true;
    if (list_.empty()) co_return;
  }
}

Task Scheduler::sleep(unsigned worker) {
  struct Sleep {
    Scheduler& scheduler;
    unsigned worker;
    static bool await_ready() { return false; }
    void await_suspend(std::coroutine_handle<> handle) const { scheduler.sleepers_.push_back({worker, handle}); }
    static void await_resume() {}
  };
  co_await pool_mutex_.lock(worker);
  co_await machine_.write(worker, pool_line_);
  co_await pool_mutex_.unlock(worker);
  co_await machine_.spend(machine_.costs().sleep_call);
  if (protocol_.tbb && demand_ > awake_) {  // it looks once more before it sleeps
    ++awake_;
    co_return;
  }
  co_await Sleep{*this, worker};
}

Task Scheduler::serve(unsigned worker) {
  for (;;) {
    co_await sleep(worker);
    co_await machine_.write(worker, people_line_);
    ++running_;
    co_await machine_.write(worker, people_line_);
    --requested_;
    do {
      co_await work(worker);
      co_await machine_.write(worker, people_line_);
      --running_;
      if (list_.empty()) break;
      ++running_;
    } while (true);
  }
}

Task Scheduler::submit(unsigned worker, unsigned first) {
  ++running_;
  if (load_.in_order) {
    co_await publish(worker, *launches_[next_++]);
  } else {
    for (unsigned i = first; i < launches_.size(); i += load_.queues) {
      co_await machine_.spend(load_.each_enqueue);
      co_await publish(worker, *launches_[i]);
    }
  }
  do {
    co_await work(worker);
  } while (ended_ < launches_.size());
  --running_;
}

Result Scheduler::run() {
  const unsigned workers = machine_.shape().workers;
  // Threads of the pool fall asleep first: the lines are where they would be after a pause.
  for (unsigned worker = queues(); worker < workers; ++worker)
    machine_.start(protocol_.tbb ? serve_arenas(worker) : serve(worker));
  machine_.run();
  const Ns begin = machine_.now();
  for (unsigned queue = 0; queue < queues(); ++queue) machine_.start(submit(queue, queue));
  const std::uint64_t before = machine_.transfers();
  machine_.run();
  Result result;
  result.makespan = last_end_ - begin;
  result.efficiency = static_cast<double>(busy_) / (static_cast<double>(result.makespan) * workers);
  result.chunks = chunks_;
  result.transfers = static_cast<double>(machine_.transfers() - before) / static_cast<double>(chunks_);
  const std::uint64_t all = launches_[0]->pieces * (load_.launches - 1);
  result.home = load_.in_order && all != 0 ? static_cast<double>(home_) / static_cast<double>(all) : 0;
  return result;
}

}  // namespace

Result simulate(Shape shape, const Costs& costs, const Protocol& protocol, const Load& load) {
  return Scheduler(shape, costs, protocol, load).run();
}

}  // namespace lanewise::scaling
