// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/command_buffer/command_buffer.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace lanewise {

namespace {

/// A plan is made anew before the 2nd, 4th, 8th run and so on, and later after every kSettled runs.
constexpr std::uint64_t kSettled = 1024;

/// Sync points are numbered from 1, so that 0 is never a valid one.
cl_sync_point_khr sync_point_of(std::size_t index) {
  return static_cast<cl_sync_point_khr>(index + 1);
}

}  // namespace

CommandBuffer::CommandBuffer(std::vector<Ref<Queue>> queues, CommandBufferTraits traits)
    : queues_(std::move(queues)), traits_(std::move(traits)), places_(queues_.size()), last_(queues_.size()) {
  for (std::uint32_t i = 0; i < queues_.size(); ++i) {
    places_[i] = 0;
    while (&queues_[places_[i]]->device() != &queues_[i]->device()) ++places_[i];
  }
}

CommandBuffer::State CommandBuffer::state() const {
  const MutexLock lock(mutex_);
  if (!finalized_) return State::recording;
  return complete() ? State::executable : State::finalized;
}

bool CommandBuffer::complete() const {
  return std::none_of(commands_.begin(), commands_.end(), [](const Command& command) { return command.incomplete; });
}

std::vector<std::uint32_t> CommandBuffer::order(const Recording& recording,
                                                std::span<const cl_sync_point_khr> waits) const {
  std::vector<std::uint32_t> after;
  const auto add = [&](std::uint32_t index) {
    if (std::find(after.begin(), after.end(), index) == after.end()) after.push_back(index);
  };
  if (recording.barrier && waits.empty()) {
    // Commands before the last barrier have ended when that barrier has.
    const std::uint32_t first = barrier_.value_or(0);
    after.resize(commands_.size() - first);
    std::iota(after.begin(), after.end(), first);
    return after;
  }
  for (const cl_sync_point_khr point : waits) add(point - 1);
  if (barrier_) add(*barrier_);
  if (last_[recording.queue] && queues_[recording.queue]->in_order()) add(*last_[recording.queue]);
  return after;
}

Result<CommandBuffer::Recorded> CommandBuffer::record(Recording&& recording, std::span<const cl_sync_point_khr> waits) {
  const MutexLock lock(mutex_);
  if (finalized_) return Error{CL_INVALID_OPERATION, "the command-buffer has been finalised"};
  for (const cl_sync_point_khr point : waits)
    if (point == 0 || point > commands_.size()) return Error{CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, "no sync point"};
  if (commands_.size() >= std::numeric_limits<cl_sync_point_khr>::max() - 1)
    return Error{CL_OUT_OF_RESOURCES, "more commands than sync points"};
  const auto index = static_cast<std::uint32_t>(commands_.size());
  auto handle =
      Ref<MutableCommand>::adopt(new MutableCommand(*this, index, recording.type, std::move(recording.properties)));
  std::vector<std::uint32_t> after = order(recording, waits);
  commands_.push_back({std::move(recording.work), recording.queue, recording.incomplete, std::move(after),
                       std::move(recording.launch), std::move(handle)});
  last_[recording.queue] = index;
  if (recording.barrier) barrier_ = index;
  return Recorded{sync_point_of(index), commands_.back().handle.get()};
}

cl_int CommandBuffer::finalize() {
  CommandPlan none;
  const MutexLock lock(mutex_);
  if (finalized_) return CL_INVALID_OPERATION;
  if (complete()) none = make_plan();
  finalized_ = true;
  return CL_SUCCESS;
}

CommandPlan CommandBuffer::make_plan() {
  std::vector<Step> steps;
  steps.reserve(commands_.size());
  for (const Command& command : commands_)
    steps.push_back({command.work.share(), places_[command.queue], command.after});
  CommandPlan before = std::exchange(plan_, CommandPlan(steps));
  outdated_ = false;
  return before;
}

Result<WorkPtr> CommandBuffer::next_run(std::span<const Ref<Queue>> queues) {
  CommandPlan before;  // destroyed after the lock is released
  const MutexLock lock(mutex_);
  if (!finalized_) return Error{CL_INVALID_OPERATION, "the command-buffer has not been finalised"};
  if (++runs_ >= next_plan_) {
    next_plan_ = runs_ + std::min(runs_, kSettled);
    outdated_ = true;
  }
  if (outdated_ || plan_.outgrown()) {
    if (!complete()) return Error{CL_INVALID_OPERATION, "arguments of a command have not been set"};
    before = make_plan();
  }
  if (queues_.size() == 1) return plan_.work();
  const auto& used = queues.empty() ? std::span<const Ref<Queue>>(queues_) : queues;
  return plan_.work({used.begin(), used.end()});
}

std::optional<RecordedLaunch> CommandBuffer::launch(const MutableCommand& command) const {
  const MutexLock lock(mutex_);
  return commands_[command.index()].launch;
}

Queue& CommandBuffer::queue_of(const MutableCommand& command) const {
  const MutexLock lock(mutex_);
  return *queues_[commands_[command.index()].queue];
}

void CommandBuffer::update(std::span<CommandUpdate> updates) {
  const MutexLock lock(mutex_);
  // The replaced values are destroyed with `updates`, after the lock is released.
  for (CommandUpdate& update : updates) {
    Command& command = commands_[update.command->index()];
    std::swap(command.work, update.work);
    std::swap(*command.launch, update.launch);
    command.incomplete = update.incomplete;
  }
  outdated_ = true;
}

Ref<CommandBuffer> CommandBuffer::remap(std::vector<Ref<Queue>> queues, std::span<MutableCommand*> handles) const {
  auto copy = Ref<CommandBuffer>::adopt(new CommandBuffer(std::move(queues), traits_));
  const auto count = static_cast<std::uint32_t>(copy->queues_.size());
  std::vector<Command> commands;
  std::vector<std::optional<std::uint32_t>> last(count);
  const MutexLock lock(mutex_);
  for (const Command& command : commands_) {
    const std::uint32_t queue = command.queue % count;
    auto handle = Ref<MutableCommand>::adopt(
        new MutableCommand(*copy, command.handle->index(), command.handle->type(), command.handle->properties()));
    std::optional<RecordedLaunch> launch = command.launch;
    if (launch && launch->arguments) launch->arguments = launch->arguments->copy();
    last[queue] = command.handle->index();
    commands.push_back(
        {command.work.share(), queue, command.incomplete, command.after, std::move(launch), std::move(handle)});
  }
  for (MutableCommand*& handle : handles) handle = commands[handle->index()].handle.get();
  const MutexLock copy_lock(copy->mutex_);  // nobody else has it yet
  copy->commands_ = std::move(commands);
  copy->last_ = std::move(last);
  copy->barrier_ = barrier_;
  copy->finalized_ = finalized_;
  return copy;
}

}  // namespace lanewise
