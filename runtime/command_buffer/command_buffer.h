// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Command-buffers (cl_khr_command_buffer): commands that are recorded once and enqueued any number of times.
///
/// Each command has a work, which is constant and may run any number of times at once, and a list of the earlier
/// commands that it waits for. An enqueue submits one work made of all commands (plan.h). An update replaces works by
/// new ones; runs that have been enqueued before keep the old ones.
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

/// The application's choices when it created a command-buffer.
struct CommandBufferTraits {
  cl_command_buffer_flags_khr flags = 0;
  bool asserts_groups = false;            ///< the application asserts that no update raises the number of work-groups
  std::vector<cl_properties> properties;  ///< properties with the closing 0; empty: none were given
};

/// A command to record.
struct Recording {
  cl_command_type type = 0;
  WorkPtr work{};           ///< null: nothing to do, or still incomplete
  std::uint32_t queue = 0;  ///< index of the queue
  bool barrier = false;     ///< later commands wait for it; it waits for all earlier ones if it has no sync points
  bool incomplete = false;  ///< some arguments of the launch have not been set
  std::optional<RecordedLaunch> launch{};
  std::vector<cl_properties> properties{};
};

/// New values of one command, checked already.
struct CommandUpdate {
  const MutableCommand* command;
  RecordedLaunch launch;
  WorkPtr work;  ///< null: nothing to do, or still incomplete
  bool incomplete;
};

/// A command-buffer. All functions are thread-safe.
class CommandBuffer final : public Object<_cl_command_buffer_khr, Tag::command_buffer> {
 public:
  enum class State { recording, finalized, executable };

  /// @param queues  at least one queue, all of one context
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
  /// Records a command that waits for the sync points `waits`. Errors: CL_INVALID_OPERATION (finalised),
  /// CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, CL_OUT_OF_RESOURCES (no more sync points). May throw std::bad_alloc; nothing
  /// has been recorded then.
  Result<Recorded> record(Recording&& recording, std::span<const cl_sync_point_khr> waits);

  /// Finalises the command-buffer. Returns CL_SUCCESS, or CL_INVALID_OPERATION if it has been finalised before.
  cl_int finalize();

  /// The work of one run. Errors: CL_INVALID_OPERATION (not executable). May throw std::bad_alloc.
  /// @param queues  queues that replace the command-buffer's own, as many as these; empty: its own queues
  Result<WorkPtr> next_run(std::span<const Ref<Queue>> queues);

  /// The launch of a command; nothing: the command is of another kind.
  [[nodiscard]] std::optional<RecordedLaunch> launch(const MutableCommand& command) const;
  [[nodiscard]] Queue& queue_of(const MutableCommand& command) const;
  /// Applies all updates.
  void update(std::span<CommandUpdate> updates);

  /// Creates a copy for other queues: a command of queue i goes to queue i modulo their number. The copy shares the
  /// works, because all devices are parts of one; kernels must have code for the new device.
  /// @param handles  in: handles of commands; out: the handles of the copy
  [[nodiscard]] Ref<CommandBuffer> remap(std::vector<Ref<Queue>> queues, std::span<MutableCommand*> handles) const;
  /// Calls `check(kernel, index of the queue)` for the kernel of each launch.
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
    std::vector<std::uint32_t> after;  ///< indices of the earlier commands that it waits for
    std::optional<RecordedLaunch> launch;
    Ref<MutableCommand> handle;
  };

  ~CommandBuffer() override = default;
  [[nodiscard]] std::vector<std::uint32_t> order(const Recording& recording,
                                                 std::span<const cl_sync_point_khr> waits) const REQUIRES(mutex_);
  [[nodiscard]] bool complete() const REQUIRES(mutex_);
  /// Makes a new plan, and returns the previous one.
  [[nodiscard]] CommandPlan make_plan() REQUIRES(mutex_);

  const std::vector<Ref<Queue>> queues_;
  const CommandBufferTraits traits_;
  std::vector<std::uint32_t> places_;  ///< index of the first queue of the same device, for each queue

  mutable Mutex mutex_;  ///< innermost; only queries of works are called under it
  std::vector<Command> commands_ GUARDED_BY(mutex_);
  std::vector<std::optional<std::uint32_t>> last_ GUARDED_BY(mutex_);  ///< the command recorded last, for each queue
  std::optional<std::uint32_t> barrier_ GUARDED_BY(mutex_);            ///< the last barrier
  bool finalized_ GUARDED_BY(mutex_) = false;
  CommandPlan plan_ GUARDED_BY(mutex_);
  bool outdated_ GUARDED_BY(mutex_) = true;  ///< the plan does not have the latest update
  std::uint64_t runs_ GUARDED_BY(mutex_) = 0;
  /// Number of the run before which the plan is made anew, with the measured times of earlier runs.
  std::uint64_t next_plan_ GUARDED_BY(mutex_) = 2;
};

}  // namespace lanewise
