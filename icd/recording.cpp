// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/recording.h"

#include <utility>

#include "icd/cast.h"

namespace lanewise {

RecordTarget record_target(const RecordArguments& arguments) {
  auto& buffer = as<CommandBuffer>(arguments.buffer);
  require_live(buffer.context());
  std::uint32_t index = 0;
  if (arguments.queue == nullptr) {
    require(buffer.queues().size() == 1, CL_INVALID_COMMAND_QUEUE, "the command-buffer has several queues");
  } else {
    const auto& queue = as<Queue>(arguments.queue);
    require(&queue.context() == &buffer.context(), CL_INVALID_CONTEXT, "a queue of another context");
    while (index < buffer.queues().size() && buffer.queues()[index].get() != &queue) ++index;
    require(index < buffer.queues().size(), CL_INVALID_COMMAND_QUEUE, "not a queue of the command-buffer");
  }
  require(buffer.state() == CommandBuffer::State::recording, CL_INVALID_OPERATION, "it has been finalised");
  return {buffer, index};
}

void record(const RecordTarget& target, const RecordArguments& arguments, Recording recording) {
  require((arguments.waits == nullptr) == (arguments.wait_count == 0), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
          "sync_point_wait_list and num_sync_points_in_wait_list disagree");
  const auto recorded = unwrap(target.buffer.record(std::move(recording), {arguments.waits, arguments.wait_count}));
  if (arguments.sync_point != nullptr) *arguments.sync_point = recorded.sync_point;
  if (arguments.handle != nullptr) *arguments.handle = recorded.handle->handle();
}

}  // namespace lanewise
