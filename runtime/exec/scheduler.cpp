// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The scheduler's functions for a command from the end of its last dependency to its own end.
#include "runtime/exec/scheduler.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <utility>

#include "include/lanewise/api_names.h"
#include "runtime/exec/observe.h"
#include "runtime/exec/worker.h"
#include "runtime/process/callback_thread.h"
#include "src/base/clock.h"
#include "src/base/happens_before.h"

namespace lanewise {

namespace {

constexpr unsigned kThreadsPerTurn = 8;  ///< a thread stays with its command for so many chunks of so many threads
constexpr unsigned kChain = 16;          ///< commands that one thread runs in a row while others are in the list

/// Tells the context's error callback about a command that failed by itself.
class FailureReport final : public CallbackJob {
 public:
  FailureReport(Context& context, cl_command_type type, cl_int status) : context_(context) {
    std::snprintf(text_, sizeof text_, "a command (%s) ended with %s (%d)", command_words(type), error_name(status),
                  status);
  }
  void run() noexcept override {
    context_->notify(text_);
    delete this;
  }

 private:
  Ref<Context> context_;
  char text_[160];
};

/// What the command has because of its children goes, or is told, before its status is published.
void end_family(Command& command, Family& family) {
  command.execution.drop();
  if (command.parent() == nullptr) family.drop_goods();
  family.captures.write(command.run_times());
}

/// Nothing of the command is left: ends it, and its parent if that has waited for nothing else.
/// @param status  that of its own run
void close(Command& command, cl_int status, DependentList& ready) {
  for (Command* next = &command; next != nullptr;) {
    Command* parent = next->parent();
    status = next->outcome(status);
    // A command with children lasts as long as they do.
    if (next != &command && next->profiled()) next->recorded_times().ended(now_ns());
    if (Family* family = next->family()) end_family(*next, *family);
    if (observe::on()) [[unlikely]]
      observe::ended(*next, status);
    next->close(status, ready);
    next->owner().forget(*next);
    next->release_internal();
    next = parent != nullptr && parent->finish(status) ? parent : nullptr;
  }
}

/// The run of a command has ended. Ends the command too unless it waits for children.
void end_command(Command& command, cl_int status, bool ran, DependentList& ready) {
  command.execution.finish(ran, &command);
  if (command.profiled()) command.recorded_times().ended(now_ns());
  Family* const family = command.family();
  // The work goes before the status: whoever sees the command complete may count on its buffers being let go. Children
  // use what that of the application's command holds, which stays until they have ended.
  if (family == nullptr || command.parent() != nullptr) command.execution.drop();
  if (family != nullptr) {
    if (command.type() != CL_COMMAND_COMMAND_BUFFER_KHR) family->run_end = command.times().end;
    family->after_run.tell(CL_COMPLETE, ready);
  }
  if (ran && status < 0 && status != CL_CONTEXT_TERMINATED_KHR) {
    if (auto* report = new (std::nothrow) FailureReport(command.context(), command.type(), status))
      post_callback(*report);
  }
  if (command.finish(status)) close(command, status, ready);
}

/// The run of a command that is part of a family. When this ends, what the run has made ready counts as runnable. If
/// nothing in the family is, the commands that are left wait for user events of kernels that have all returned: such an
/// event fails, as one does that nobody refers to any more.
class RunOfFamily {
 public:
  explicit RunOfFamily(Command& command) {
    if (command.parent() == nullptr && command.family() == nullptr) [[likely]]
      return;
    Command& root = command.parent() == nullptr ? command : command.parent()->family()->root;
    root_ = Ref<Event>(root);
    family_ = root.family();
  }
  RunOfFamily(const RunOfFamily&) = delete;
  RunOfFamily& operator=(const RunOfFamily&) = delete;
  ~RunOfFamily() {
    if (family_ == nullptr) return;
    while (family_->runnable.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      FamilyGoods* goods = family_->goods.load(std::memory_order_acquire);
      const Ref<Event> stuck = goods == nullptr ? nullptr : goods->stuck_event();
      if (!stuck) return;
      family_->runnable.store(1, std::memory_order_relaxed);  // for what follows, which may end the whole family
      stuck->give_up();
    }
  }

 private:
  Ref<Event> root_;
  Family* family_ = nullptr;
};

/// Children that have waited for the work-groups of the chunk that this thread has just run.
void start_held(DependentList held) {
  while (Dependent* dependent = held.pop()) {
    auto& child = static_cast<Command&>(*dependent);
    released(dependent);
    child.owner().scheduler().enqueued(child, child.drop_dependency(), Start::soon, count_kicks());
  }
}

/// The thread is any that ended what the command waited for: neither the one that enqueued it nor one that runs it.
void complete_late(Command& command) {
  acquired(static_cast<Dependent*>(&command));
  command.execution.complete();
  released(static_cast<Dependent*>(&command));
}

/// The next chunk of the same command, if the thread stays with it.
Chunk next_of(const Chunk& chunk, Purpose& purpose, ReadyList& ready, unsigned threads) {
  // If there are other commands in the list, they get their turn through `take`: with many threads, one of them comes
  // by soon even if each takes several chunks before it goes there.
  const unsigned turns = std::max(1u, threads / kThreadsPerTurn);
  Chunk next = chunk;
  if ((ready.count_relaxed() > 1 && ++purpose.turn >= turns) ||
      !chunk.command->execution.division().claim(next.pieces, threads, purpose.home)) {
    purpose.turn = 0;
    return {};
  }
  if (next.pieces.closes) ready.remove(*chunk.command);
  return next;
}

}  // namespace

void Scheduler::enqueued(Command& command, bool ready, Start start, std::uint64_t kicks) {
  if (!ready) {
    // It may depend on commands that are being collected, so its cost adds to theirs.
    if (start != Start::soon || !ready_.collects()) return;
    const std::uint64_t known = command.execution.cost_ns();
    const std::uint64_t cost = std::max(known, ReadyList::kLeastNs);
    if (command.execution.division().count() != 0 && (known == 0 || ready_.collect(cost))) kick();
    return;
  }
  DependentList list;
  list.push_back(command);
  Command* first = settle(list, this);
  if (first == nullptr) return;
  std::uint64_t collect = 0;
  const std::uint64_t cost = first->execution.cost_ns();
  if (start == Start::on_wait) {
    collect = ReadyList::kLeastNs;
  } else if (cost != 0 && cost < ReadyList::kCollectNs) {
    collect = std::max(cost, ReadyList::kLeastNs);
  }
  publish(*first, collect);
  // Whoever asks counts that and then looks for listed commands; here it is the other way around, both sequentially
  // consistent, so that one sees the other.
  if (collect != 0 && count_kicks() != kicks) [[unlikely]]
    kick();
}

void Scheduler::release(DependentList& ready) {
  while (Dependent* dependent = ready.pop()) {
    DependentList one;
    one.push_back(*dependent);
    settle(one, nullptr);
  }
}

Command* Scheduler::settle(DependentList& ready, const Scheduler* keeper) {
  Command* kept = nullptr;
  while (auto* command = static_cast<Command*>(ready.pop())) {
    if (observe::on()) [[unlikely]]
      observe::ready(*command);
    const cl_int error = command->terminated() ? CL_CONTEXT_TERMINATED_KHR : command->dependency_error();
    if (error == CL_SUCCESS && command->execution.is_late()) [[unlikely]]
      complete_late(*command);
    if (error != CL_SUCCESS) {
      end_command(*command, error, false, ready);
    } else if (command->execution.division().count() == 0) {
      if (command->profiled()) command->recorded_times().started();
      command->advance(CL_RUNNING);
      end_command(*command, CL_SUCCESS, true, ready);
    } else {
      // Commands of several devices may depend on one event; each runs on the threads of its own device.
      Scheduler& owner = command->owner().scheduler();
      command->execution.prepare(owner.threads());
      if (observe::on()) [[unlikely]]
        observe::divided(*command, owner.threads());
      if (command->parent() != nullptr) command->root().family()->runnable.fetch_add(1, std::memory_order_relaxed);
      if (kept == nullptr && &owner == keeper) {
        kept = command;
      } else {
        owner.publish(*command, 0);
      }
    }
  }
  return kept;
}

void Scheduler::publish(Command& command, std::uint64_t collected_ns) {
  // Asked before the command is listed, because from then on it may end at any time.
  const unsigned wanted = collected_ns == 0 ? command.execution.helpers(threads()) : 1;
  if (ready_.add(command, collected_ns)) wake(static_cast<int>(wanted));
}

Chunk Scheduler::take(const Purpose& purpose) {
  bool more = false;
  const Chunk chunk = ready_.take(purpose, more);
  // A thread that is woken wakes the next one if there is work for it. Commands that are only collected can wait for
  // this thread. It also runs its own chunk before it wakes a thread for the rest of the command, unless the chunk
  // takes long: an application that waits may have come to help by then.
  if (more) more = chunk.command->execution.lasts(chunk.pieces);
  if (more || (chunk.command != nullptr && ready_.count() > 0 && !ready_.collects())) wake(1);
  return chunk;
}

Chunk Scheduler::run(Worker& worker, Chunk chunk, Purpose& purpose) {
  Command& command = *chunk.command;
  Execution& execution = command.execution;
  if (command.profiled()) command.recorded_times().started();
  // The first piece need not run first. Only a thread's first chunk of a part is looked at.
  if (purpose.run == 0 && command.status() > CL_RUNNING) command.advance(CL_RUNNING);
  // Any chunk may be the first to run, and an abandoned command must not run.
  if (command.terminable() && (!command.advance(CL_RUNNING) || command.terminated())) [[unlikely]]
    execution.fail(CL_CONTEXT_TERMINATED_KHR);
  Event* const outer = worker.set_running(&command);
  const std::uint64_t observed = observe::on() ? now_ns() : 0;
  acquired(static_cast<Dependent*>(&command));
  const Execution::After after = execution.run(worker, chunk.pieces, threads());
  released(static_cast<Dependent*>(&command));
  if (observed != 0) [[unlikely]]
    observe::ran(command, chunk.pieces, observed);
  worker.set_running(outer);
  if (DependentList& held = worker.enqueueing().held; !held.empty()) [[unlikely]]
    start_held(std::exchange(held, {}));
  if (execution.division().is_whole(chunk.pieces)) return retire(chunk, chunk.pieces.count(), purpose);
  if (after.shared) publish(command, 0);
  if (after.ran && arena_.has_place()) {
    if (const unsigned more = execution.more_threads(after.ns, threads()); more != 0) wake(static_cast<int>(more));
  }
  purpose.run += chunk.pieces.count();
  purpose.ns += after.ns;
  // Claiming the next chunk before retiring this one keeps the command alive. Chunks of one part are retired together,
  // when the thread leaves it.
  const Chunk next = next_of(chunk, purpose, ready_, threads());
  if (next.command != nullptr) {
    seats_.settle(purpose.seat);
    if (purpose.seat.processor() >= 0) purpose.home.move(static_cast<unsigned>(purpose.seat.processor()));
  }
  if (next.command != nullptr && next.pieces.part == chunk.pieces.part) return next;
  execution.report(std::exchange(purpose.ns, 0));
  const Chunk successor = retire(chunk, std::exchange(purpose.run, 0), purpose);
  return next.command != nullptr ? next : successor;
}

Chunk Scheduler::retire(const Chunk& chunk, std::uint64_t run, Purpose& purpose) {
  Command& command = *chunk.command;
  if (!command.execution.division().retire(chunk.pieces, run)) return {};
  acquired(static_cast<Dependent*>(&command));  // of all other threads
  if (command.execution.division().parts() != nullptr) ready_.parts.give_back(command.execution.division());
  const RunOfFamily in_family(command);
  DependentList ready;
  end_command(command, command.execution.result(), true, ready);
  Command* next = settle(ready, this);
  if (next == nullptr) return {};
  const bool turn = purpose.chained < kChain || ready_.count_relaxed() == 0;
  if (next->execution.division().one_chunk() && turn && !purpose.fulfilled() && purpose.serves(*next)) {
    ++purpose.chained;
    return {.command = next, .pieces = next->execution.division().all()};
  }
  publish(*next, 0);
  return {};
}

}  // namespace lanewise
