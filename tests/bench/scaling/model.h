// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The scheduler (runtime/exec) on a simulated machine: which lines its threads touch, which locks they take and whom
/// they wake, for a row of launches or for many small commands. The sizes of chunks are not modelled: they come from the
/// runtime's own code.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "tests/bench/scaling/machine.h"

namespace lanewise::scaling {

/// Ways to do it, so that each can be seen alone. All false: the first design.
struct Protocol {
  std::string name;
  bool quiet = false;     ///< nothing is stored in a shared line that would not change by it, nor read that is known
  bool batched = false;   ///< a thread reports what it has run when it leaves a part, not after each chunk
  bool unlocked = false;  ///< a command that is alone in the list is claimed, and an empty list seen, without the lock
  bool by_node = false;   ///< each node has a part of the launch, and takes of others when that is done
  bool idle_by_node = false;  ///< idle threads are counted by node
  bool stays = false;         ///< a thread stays with its command for several chunks while others are ready
  bool spins = false;         ///< who waits for a lock spins for a moment before it sleeps
  bool tree = false;          ///< a thread that is woken wakes two more before it begins to work
  bool tbb = false;  ///< the threads are oneTBB's, in arenas (runtime/exec/arena.h); otherwise a pool of our own
};

struct Load {
  unsigned launches = 1;
  bool in_order = true;      ///< each begins when the one before it has ended; otherwise all are independent
  unsigned queues = 1;       ///< threads that enqueue them
  Ns each_enqueue = 500;     ///< between two enqueues of one thread
  Ns worker_ns = 1'000'000;  ///< of work in a launch, for each worker
  unsigned pieces = 1'000;   ///< of a launch, for each worker; 0: a launch is one piece of `worker_ns`
};

struct Result {
  Ns makespan = 0;
  double efficiency = 0;  ///< share of the workers' time in which they ran pieces
  double transfers = 0;   ///< of lines, for each chunk
  double home = 0;        ///< share of the pieces that ran in the node in which they ran in the launch before
  std::uint64_t chunks = 0;
};

Result simulate(Shape shape, const Costs& costs, const Protocol& protocol, const Load& load);

}  // namespace lanewise::scaling
