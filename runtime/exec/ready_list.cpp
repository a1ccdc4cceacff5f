// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/ready_list.h"

#include <algorithm>

namespace lanewise {

namespace {
constexpr std::uint32_t kTurns = 16;  ///< of this many searches one begins at low priority and one at medium
constexpr int kLook = 64;             ///< commands that are not for it after which a waiting thread stops searching
}  // namespace

bool Purpose::serves(const Command& command) const {
  if (command.execution.stack_bytes() > stack) return false;
  if (target == nullptr) return true;
  // A child is part of its parent: if the target needs the parent, it needs the child.
  const Command& root = command.root();
  if (target == &root) return true;
  // A waiting thread must not run what its target does not need: another queue's kernel may take long, or may even wait
  // for something that this thread will do.
  return &root.owner() == &target->owner() && root.order.sequence <= target->order.sequence &&
         (target->order.collects || target->owner().in_order());
}

ReadyList::Level& ReadyList::level_of(const Command& command) {
  return levels_[static_cast<unsigned>(command.owner().hints().priority)];
}

unsigned ReadyList::level_in(std::uint32_t turn, unsigned i) {
  if (turn % kTurns == 0) return kLevels - 1 - i;             // low, medium, high
  if (turn % kTurns == kTurns / 2) return (i + 1) % kLevels;  // medium, low, high
  return i;
}

void ReadyList::push(Command& command) {
  command.ready.listed = true;
  level_of(command).push_back(command);
}

void ReadyList::unlink(Command& command) {
  command.ready.listed = false;
  level_of(command).remove(command);
}

void ReadyList::changed() {
  const Command* alone = nullptr;
  if (count_relaxed() == 1) {
    for (const Level& level : levels_)
      if (!level.empty()) alone = level.first();
  }
  parts.set_alone(alone);
  if (count_relaxed() == 0) collected_.store(0, std::memory_order_relaxed);
}

bool ReadyList::add(Command& command, std::uint64_t collected_ns) {
  parts.divide(command);
  const MutexLock lock(mutex_);
  push(command);
  count_.fetch_add(1);
  changed();
  // The last step: who claims all of it removes it from the list.
  if (Parts* divided = command.execution.division().parts()) divided->publish();
  return collected_ns == 0 || collect(collected_ns);
}

void ReadyList::remove(Command& command) {
  const MutexLock lock(mutex_);
  if (!command.ready.listed) return;
  unlink(command);
  count_.fetch_sub(1);
  changed();
}

Chunk ReadyList::take_from(Level& level, const Purpose& purpose, bool& more) {
  Chunk chunk;
  int looked = 0;
  for (Command* command = level.first(); command != nullptr && chunk.command == nullptr;) {
    Command* next = command->ready.next;
    if (purpose.serves(*command)) {
      // A listed command is alive, because it is removed from the list before it ends.
      const bool got = command->execution.division().claim(chunk.pieces, threads_, purpose.home);
      if (got) chunk.command = command;
      unlink(*command);
      if (got && !chunk.pieces.closes) {
        push(*command);  // to the end, so that the commands of the list take turns
        more = true;
      } else {
        count_.fetch_sub(1);
        changed();
      }
    } else if (++looked == kLook) {
      break;
    }
    command = next;
  }
  return chunk;
}

Chunk ReadyList::take(const Purpose& purpose, bool& more) {
  Chunk chunk;
  if (count() == 0) return chunk;
  // A thread that waits must look at the command first, which has to be alive then.
  if (purpose.target == nullptr) chunk = parts.claim_alone(purpose.home);
  if (chunk.command != nullptr) {
    more = !chunk.pieces.closes;
    if (!more) remove(*chunk.command);
    return chunk;
  }
  const MutexLock lock(mutex_);
  const std::uint32_t turn = ++turns_;
  for (unsigned i = 0; i < kLevels && chunk.command == nullptr; ++i)
    chunk = take_from(levels_[level_in(turn, i)], purpose, more);
  return chunk;
}

}  // namespace lanewise
