// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches of kernels whose code is being made (design D30). The enqueue checks and copies what it can without the
/// code; the rest is done when the command is ready, which is after the code is there.
#pragma once

#include <optional>

#include "runtime/exec/event.h"
#include "runtime/exec/queue.h"
#include "runtime/exec/work.h"
#include "runtime/launch/index_space.h"
#include "src/base/result.h"

namespace lanewise {

class Kernel;

/// A launch, and what its command has to wait for beside its wait list.
struct AwaitedLaunch {
  WorkPtr work;
  Ref<Event> code;
};

/// Makes the work of a launch with a snapshot of the kernel's current arguments, which are all set. `range` has at
/// least one work-item. Nothing: there is code now, or an error that an enqueue has to report may depend on it. The
/// caller then waits for the code. If no code can be made, the command fails, the context reports why, once for each
/// kernel, and the queue keeps the error (Queue::note_late_error). Errors: CL_INVALID_KERNEL_ARGS,
/// CL_OUT_OF_HOST_MEMORY.
/// @param queue  the queue of the command, which it keeps alive
Result<std::optional<AwaitedLaunch>> make_awaited_launch(Kernel& kernel, Queue& queue, const NdRange& range);

}  // namespace lanewise
