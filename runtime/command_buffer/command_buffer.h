// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Command-buffers (cl_khr_command_buffer): commands that are recorded once and enqueued any number of times.
///
/// Each command has a work, which is constant and may be run any number of times at once, and the earlier commands that
/// it waits for. An enqueue submits one work made of all of them (plan.h). An update replaces works by new ones; runs
/// that have already been enqueued keep the old ones.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/command_buffer/mutable_command.h"
#include "runtime/command_buffer/plan.h"
#include "runtime/exec/queue.h"
#include "runtime/object/object.h"
#include "src/base/mutex.h"
#include "src/base/result.h"

namespace lanewise {

/// What the application chose when it created a command-buffer.
struct CommandBufferTraits {
  cl_command_buffer_flags_khr flags = 0;
  bool asserts_groups = false;            ///< no update raises the number of work-groups
  std::vector<cl_properties> properties;  ///< with the closing 0; empty if none were given
};

/// A command to record.
struct Recording {
  cl_command_type type = 0;
  WorkPtr work{};           ///< null: nothing to do, or still incomplete
  std::uint32_t queue = 0;  ///< index
  bool barrier = false;     ///< later commands wait for it; without sync points, it waits for all earlier ones
  bool incomplete = false;  ///< a launch with arguments that have not been set
  std::optional<RecordedLaunch> launch{};
  std::vector<cl_properties> properties{};
};

/// New values of one command, which have been checked.
struct CommandUpdate {
  const MutableCommand* command;
  RecordedLaunch launch;
  WorkPtr work;  ///< null: nothing to do, or still incomplete
  bool incomplete;
};

class CommandBuffer final : public Object<_cl_command_buffer_khr, Tag::command_buffer> {
 public:
  enum class State { recording, finalized, executable };

  /// @param queues  at least one, all of one context
  CommandBuffer(std::vector<Ref<Queue>> queues, CommandBufferTraits traits);

  [[nodiscard]] Context& context() const { return queues_.front()->context(); }
  [[nodiscard]] std::span<const Ref<Queue>> queues() const { return queues_; }
  [[nodiscard]] const CommandBufferTraits& traits() const { return traits_; }
  [[nodiscard]] State state() const;

  /// The result of `record`.
  struct Recorded {
    cl_sync_point_khr sync_point;
    MutableCommand* handle;
  };
  /// @param waits  sync points. Errors: CL_INVALID_OPERATION (finalised), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
  /// CL_OUT_OF_RESOURCES (no more sync points). May throw std::bad_alloc; nothing has been recorded then.
  Result<Recorded> record(Recording&& recording, std::span<const cl_sync_point_khr> waits);

  /// CL_INVALID_OPERATION if it has been finalised.
  cl_int finalize();

  /// The work of one run. @param queues  as many as its own, to use in place of them; empty: its own. Errors:
  /// CL_INVALID_OPERATION (not executable). May throw std::bad_alloc.
  Result<WorkPtr> next_run(std::span<const Ref<Queue>> queues);

  /// The launch that a command is; nothing if it is another kind of command.
  [[nodiscard]] std::optional<RecordedLaunch> launch(const MutableCommand& command) const;
  [[nodiscard]] Queue& queue_of(const MutableCommand& command) const;
  /// Applies all updates.
  void update(std::span<CommandUpdate> updates);

  /// A copy for other queues: a command of queue i is for queue i modulo their count there. It shares the works,
  /// because all devices are parts of one; kernels must have code for the new device. Replaces `handles` by those of
  /// the copy.
  [[nodiscard]] Ref<CommandBuffer> remap(std::vector<Ref<Queue>> queues, std::span<MutableCommand*> handles) const;
  /// Calls `check(kernel, queue index)` for the kernel of each launch.
  template <class Check>
  void for_each_kernel(Check&& check) const {
    const MutexLock lock(mutex_);
    for (const Command& command : commands_)
      if (command.launch) check(*command.launch->kernel, command.queue);
  }

 private:
  struct Command {
    WorkPtr work;
    std::uint32_t queue;
    bool incomplete;
    std::vector<std::uint32_t> after;
    std::optional<RecordedLaunch> launch;
    Ref<MutableCommand> handle;
  };

  ~CommandBuffer() override = default;
  [[nodiscard]] std::vector<std::uint32_t> order(const Recording& recording,
                                                 std::span<const cl_sync_point_khr> waits) const REQUIRES(mutex_);
  [[nodiscard]] bool complete() const REQUIRES(mutex_);
  /// Returns the previous plan.
  [[nodiscard]] Plan make_plan() REQUIRES(mutex_);

  const std::vector<Ref<Queue>> queues_;
  const CommandBufferTraits traits_;
  std::vector<std::uint32_t> places_;  ///< for each queue the index of the first one of the same device

  mutable Mutex mutex_;  ///< innermost, only queries of works are called under it
  std::vector<Command> commands_ GUARDED_BY(mutex_);
  std::vector<std::optional<std::uint32_t>> last_ GUARDED_BY(mutex_);  ///< for each queue the command recorded last
  std::optional<std::uint32_t> barrier_ GUARDED_BY(mutex_);            ///< the last one
  bool finalized_ GUARDED_BY(mutex_) = false;
  Plan plan_ GUARDED_BY(mutex_);
  bool outdated_ GUARDED_BY(mutex_) = true;  ///< the plan does not have the latest update
  std::uint64_t runs_ GUARDED_BY(mutex_) = 0;
  std::uint64_t next_plan_ GUARDED_BY(mutex_) =
      2;  ///< the run before which the plan is made anew from what earlier runs have measured
};

}  // namespace lanewise
