// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/bench/scaling/machine.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace lanewise::scaling {

void Task::promise_type::unhandled_exception() {
  std::terminate();
}

void Machine::start(Task task) {
  resume_at(now_, task.handle());
  threads_.push_back(std::move(task));
}

void Machine::run() {
  while (!events_.empty()) {
    const Event event = events_.top();
    events_.pop();
    now_ = event.time;
    event.handle.resume();
  }
}

Ns Machine::distance(unsigned a, unsigned b) const {
  return shape_.node_of(a) == shape_.node_of(b) ? costs_.same_node : costs_.other_node;
}

Ns Machine::reached(unsigned worker, Line& line) {
  if (std::cmp_equal(line.owner, worker) || line.readers.test(worker)) return now_ + costs_.own_access;
  const Ns begin = std::max(now_, line.busy_until);
  Ns cost = 0;
  if (line.owner >= 0) {
    cost = distance(worker, static_cast<unsigned>(line.owner));
    line.busy_until = begin + cost;
    line.readers.set(static_cast<unsigned>(line.owner));
    line.owner = -1;
  } else {
    cost = costs_.other_node;
    for (unsigned reader = 0; reader < shape_.workers; ++reader)
      if (line.readers.test(reader)) cost = std::min(cost, distance(worker, reader));
    line.busy_until = begin + costs_.directory;
  }
  line.readers.set(worker);
  ++transfers_;
  return begin + cost;
}

Ns Machine::owned(unsigned worker, Line& line) {
  const Ns begin = std::max(now_, line.busy_until);
  Ns cost = costs_.own_atomic;
  if (line.owner >= 0 && std::cmp_not_equal(line.owner, worker)) {
    cost += distance(worker, static_cast<unsigned>(line.owner));
    ++transfers_;
  } else if (line.owner < 0) {
    // The last copy to go is the farthest.
    Ns farthest = 0;
    for (unsigned reader = 0; reader < shape_.workers; ++reader)
      if (reader != worker && line.readers.test(reader)) farthest = std::max(farthest, distance(worker, reader));
    cost += farthest;
    if (farthest != 0) ++transfers_;
  }
  line.readers.reset();
  line.owner = static_cast<int>(worker);
  line.busy_until = begin + cost;
  return begin + cost;
}

Task Mutex::lock(unsigned worker) {
  co_await machine_.write(worker, word_);
  const Ns patience = machine_.now() + spin_;
  while (held_) {
    if (machine_.now() < patience) {
      co_await machine_.spend(machine_.costs().same_node);
      co_await machine_.read(worker, word_);
      if (!held_) co_await machine_.write(worker, word_);
      continue;
    }
    co_await machine_.spend(machine_.costs().sleep_call);
    if (!held_) {
      co_await machine_.write(worker, word_);
      continue;
    }
    struct Sleep {
      std::deque<std::coroutine_handle<>>& queue;
      static bool await_ready() { return false; }
      void await_suspend(std::coroutine_handle<> handle) const { queue.push_back(handle); }
      static void await_resume() {}
    };
    co_await Sleep{sleepers_};
    co_await machine_.write(worker, word_);
  }
  held_ = true;
}

Task Mutex::unlock(unsigned worker) {
  co_await machine_.write(worker, word_);
  held_ = false;
  if (sleepers_.empty()) co_return;
  const std::coroutine_handle<> next = sleepers_.front();
  sleepers_.pop_front();
  machine_.resume_at(machine_.now() + machine_.costs().wake_delay, next);
  co_await machine_.spend(machine_.costs().wake_call);
}

}  // namespace lanewise::scaling
