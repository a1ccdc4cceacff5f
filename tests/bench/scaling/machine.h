// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A machine with many processors, simulated event by event: cache lines that travel between processors, a mutex whose
/// waiters sleep, and threads that take a while to wake. The parts of the scheduler are written as coroutines on it
/// (model.h), so that they read like the code they stand for. Nothing is random: equal input gives equal times.
#pragma once

#include <bitset>
#include <coroutine>
#include <cstdint>
#include <deque>
#include <queue>
#include <utility>
#include <vector>

namespace lanewise::scaling {

using Ns = std::int64_t;
constexpr unsigned kMostWorkers = 256;

/// Nanoseconds. The defaults are those of docs/scaling.md, which says what was measured and what is assumed.
struct Costs {
  Ns own_access = 1;      ///< a line that the processor holds
  Ns own_atomic = 5;      ///< an atomic exchange on it
  Ns same_node = 60;      ///< a line held by another processor of the node
  Ns other_node = 150;    ///< and of another node
  Ns directory = 10;      ///< between two readers of one line
  Ns wake_call = 1'500;   ///< for the thread that wakes another
  Ns wake_delay = 8'000;  ///< until that runs
  Ns sleep_call = 1'000;  ///< for a thread that goes to sleep
  Ns spin = 5'000;        ///< of a mutex before its waiter sleeps, where it spins at all
};

struct Shape {
  unsigned workers = 64;
  unsigned nodes = 2;
  [[nodiscard]] unsigned node_of(unsigned worker) const { return worker * nodes / workers; }
};

/// A coroutine that a worker runs, or a function of one that it waits for.
class Task {
 public:
  struct promise_type {
    std::coroutine_handle<> outer;
    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    static std::suspend_always initial_suspend() noexcept { return {}; }
    struct Return {
      static bool await_ready() noexcept { return false; }
      static std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) noexcept {
        return self.promise().outer ? self.promise().outer : std::noop_coroutine();
      }
      static void await_resume() noexcept {}
    };
    static Return final_suspend() noexcept { return {}; }
    static void return_void() {}
    [[noreturn]] static void unhandled_exception();
  };
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }
  static bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> outer) {
    handle_.promise().outer = outer;
    return handle_;
  }
  static void await_resume() {}
  [[nodiscard]] std::coroutine_handle<> handle() const { return handle_; }

 private:
  std::coroutine_handle<promise_type> handle_;
};

/// A line of the caches. One processor writes it, or several read it; requests are served in the order of their times.
struct Line {
  int owner = -1;  ///< who may write it; -1: nobody
  std::bitset<kMostWorkers> readers;
  Ns busy_until = 0;
};

class Machine {
 public:
  Machine(Shape shape, Costs costs) : shape_(shape), costs_(costs) {}

  [[nodiscard]] Ns now() const { return now_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] const Costs& costs() const { return costs_; }

  /// Starts a thread at the present time.
  void start(Task task);
  /// Until nothing is left to happen.
  void run();
  void resume_at(Ns time, std::coroutine_handle<> handle) { events_.push({time, ++sequence_, handle}); }

  struct Until {
    Machine& machine;
    Ns time;
    bool await_ready() const { return time <= machine.now_; }
    void await_suspend(std::coroutine_handle<> handle) const { machine.resume_at(time, handle); }
    static void await_resume() {}
  };
  Until spend(Ns ns) { return {*this, now_ + ns}; }
  Until read(unsigned worker, Line& line) { return {*this, reached(worker, line)}; }
  /// An atomic exchange, or a plain store.
  Until write(unsigned worker, Line& line) { return {*this, owned(worker, line)}; }

  /// Line transfers so far.
  [[nodiscard]] std::uint64_t transfers() const { return transfers_; }

 private:
  struct Event {
    Ns time;
    std::uint64_t sequence;
    std::coroutine_handle<> handle;
    bool operator<(const Event& other) const {
      return time != other.time ? time > other.time : sequence > other.sequence;
    }
  };
  Ns distance(unsigned a, unsigned b) const;
  Ns reached(unsigned worker, Line& line);
  Ns owned(unsigned worker, Line& line);

  Shape shape_;
  Costs costs_;
  Ns now_ = 0;
  std::uint64_t sequence_ = 0;
  std::uint64_t transfers_ = 0;
  std::priority_queue<Event> events_;
  std::vector<Task> threads_;
};

/// A mutex whose waiters sleep in the kernel, in order; whoever comes first after an unlock gets it.
class Mutex {
 public:
  Mutex(Machine& machine, bool spins) : machine_(machine), spin_(spins ? machine.costs().spin : 0) {}
  Task lock(unsigned worker);
  Task unlock(unsigned worker);

 private:
  Machine& machine_;
  const Ns spin_;
  Line word_;
  bool held_ = false;
  std::deque<std::coroutine_handle<>> sleepers_;
};

}  // namespace lanewise::scaling
