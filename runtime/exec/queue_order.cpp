// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/queue_order.h"

#include <array>

#include "runtime/exec/command.h"

namespace lanewise {

inline OrderHook& QueueOrder::Hook::of(Command& command) {
  return command.order;
}

bool QueueOrder::enter(Command& command, SubmitKind kind) {
  command.order.sequence = issued_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (!in_order_) return enter_out_of_order(command, kind);
  enter_in_order(command);
  return true;
}

void QueueOrder::enter_in_order(Command& command) {
  if (command.terminable()) {
    const MutexLock lock(mutex_);
    list(command);
  }
  command.retain_internal();  // the reference of last_
  Command* before = last_.exchange(&command, std::memory_order_acq_rel);
  if (before == nullptr) return;
  before->precede(command, command.edges.order(), false);
  before->release_internal();
}

bool QueueOrder::enter_out_of_order(Command& command, SubmitKind kind) {
  std::size_t room = Edges::kInline;
  Edge* edges = command.edges.for_order();
  for (;;) {
    {
      const MutexLock lock(mutex_);
      if (!command.order.collects || uncollected_ <= room) {
        if (command.order.collects) {
          collect(command, edges);
        } else if (barrier_ != nullptr) {
          barrier_->precede(command, command.edges.order(), false);
        }
        if (kind == SubmitKind::barrier) barrier_ = &command;
        list(command);
        return true;
      }
      room = uncollected_ + uncollected_ / 2;
    }
    edges = command.edges.for_order(room);
    if (edges == nullptr) return false;
  }
}

void QueueOrder::collect(Command& command, Edge* edges) {
  for (Command* before = outstanding_.first(); before != nullptr && !before->order.collected;
       before = before->order.next) {
    before->order.collected = true;
    before->precede(command, *edges++, false);
  }
  uncollected_ = 0;
}

void QueueOrder::list(Command& command) {
  outstanding_.push_front(command);
  ++uncollected_;
}

void QueueOrder::unlist(Command& command) {
  if (abandon_next_ == &command) abandon_next_ = command.order.next;
  outstanding_.remove(command);
  if (!command.order.collected) --uncollected_;
}

void QueueOrder::forget(Command& command) {
  if (command.order.sequence == 0) return;
  if (in_order_) {
    if (command.terminable()) {
      const MutexLock lock(mutex_);
      unlist(command);
    }
    Command* expected = &command;
    if (last_.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel)) command.release_internal();
    return;
  }
  const MutexLock lock(mutex_);
  unlist(command);
  if (barrier_ == &command) barrier_ = nullptr;
}

bool QueueOrder::empty() {
  if (in_order_) return last_.load(std::memory_order_acquire) == nullptr;
  const MutexLock lock(mutex_);
  return outstanding_.empty();
}

void QueueOrder::abandon() {
  // In parts of a fixed size, because nothing is called under the lock and nothing may be allocated. A command that is
  // listed meanwhile is in front of the cursor; its enqueue notices that the context has been terminated.
  constexpr std::size_t kPart = 64;
  const auto next_part = [&](std::array<Ref<Command>, kPart>& part) {
    const MutexLock lock(mutex_);
    std::size_t count = 0;
    for (; abandon_next_ != nullptr && count < kPart; abandon_next_ = abandon_next_->order.next)
      part[count++] = Ref<Command>(*abandon_next_);
    return count;
  };
  {
    const MutexLock lock(mutex_);
    abandon_next_ = outstanding_.first();
  }
  for (;;) {
    std::array<Ref<Command>, kPart> part;
    const std::size_t count = next_part(part);
    if (count == 0) return;
    for (std::size_t i = 0; i < count; ++i) part[i]->abandon();
  }
}

}  // namespace lanewise
