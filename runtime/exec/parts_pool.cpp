// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/parts_pool.h"

#include <new>

namespace lanewise {

void PartsPool::divide_now(Command& command) {
  if (command.execution.ordered()) return;
  Parts* parts = nullptr;
  {
    const MutexLock lock(mutex_);
    parts = unused_.pop();
  }
  if (parts == nullptr) parts = new (std::nothrow) Parts(nodes_, threads_);
  if (parts != nullptr) command.execution.division().divide(*parts, command);
}

void PartsPool::give_back(WorkDivision& division) {
  const MutexLock lock(mutex_);
  unused_.push_front(*division.release_parts());
}

void PartsPool::set_alone(const Command* command) {
  if (!divides_) return;
  Parts* parts = command == nullptr ? nullptr : command->execution.division().parts();
  if (alone_.load(std::memory_order_relaxed) != parts) alone_.store(parts, std::memory_order_release);
}

Chunk PartsPool::claim_alone(const Home& home) const {
  Chunk chunk;
  Parts* parts = alone_.load(std::memory_order_acquire);
  if (parts != nullptr && parts->claim(chunk.pieces, home.node())) chunk.command = &parts->command();
  return chunk;
}

}  // namespace lanewise
