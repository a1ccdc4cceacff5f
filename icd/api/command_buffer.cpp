// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Command-buffers: from creation to enqueue (cl_khr_command_buffer, API 5.17).
#include <utility>
#include <vector>

#include "icd/cast.h"
#include "icd/enqueue.h"
#include "icd/property_list.h"
#include "include/lanewise/command_buffer.h"
#include "runtime/command_buffer/command_buffer.h"
#include "runtime/exec/queue.h"

using namespace lanewise;

namespace {

constexpr cl_command_buffer_flags_khr kFlags =
    CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR;

constexpr PropertyRow<cl_properties, CommandBufferTraits> kProperties[] = {
    {CL_COMMAND_BUFFER_FLAGS_KHR,
     [](CommandBufferTraits& traits, cl_properties value) {
       require((value & ~kFlags) == 0, CL_INVALID_VALUE, "unknown flags");
       traits.flags = value;
     }},
    {CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR,
     [](CommandBufferTraits& traits, cl_properties value) {
       require((value & ~cl_properties{CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR}) == 0,
               CL_INVALID_VALUE, "unknown assertion");
       traits.asserts_groups = value != 0;
     }},
};

/// The queues of a list, all of one context. Throws CL_INVALID_VALUE, CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT.
std::vector<Ref<Queue>> queues_of(cl_uint count, const cl_command_queue* queues) {
  require(count != 0 && queues != nullptr, CL_INVALID_VALUE, "no queues");
  std::vector<Ref<Queue>> out;
  out.reserve(count);
  for (cl_uint i = 0; i < count; ++i) out.emplace_back(as<Queue>(queues[i]));
  for (const auto& queue : out)
    require(&queue->context() == &out.front()->context(), CL_INVALID_CONTEXT, "queues of different contexts");
  return out;
}

/// The queues that an enqueue uses in place of those that the command-buffer was created with. Empty: it names none.
std::vector<Ref<Queue>> replacements(const CommandBuffer& buffer, cl_uint count, const cl_command_queue* queues) {
  require((queues == nullptr) == (count == 0), CL_INVALID_VALUE, "queues and num_queues disagree");
  if (count == 0) return {};
  require(count == buffer.queues().size(), CL_INVALID_VALUE,
          "num_queues is not the number of queues of the command-buffer");
  std::vector<Ref<Queue>> out;
  out.reserve(count);
  for (cl_uint i = 0; i < count; ++i) {
    auto& queue = as<Queue>(queues[i]);
    require(&queue.context() == &buffer.context(), CL_INVALID_CONTEXT, "a queue of another context");
    require(&queue.device() == &buffer.queues()[i]->device(), CL_INVALID_DEVICE, "a queue of another device");
    out.emplace_back(queue);
  }
  return out;
}

}  // namespace

namespace lanewise::api {

cl_command_buffer_khr CL_API_CALL clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue* queues,
                                                           const cl_command_buffer_properties_khr* properties,
                                                           cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto list = queues_of(num_queues, queues);
    require_live(list.front()->context());
    CommandBufferTraits traits;
    traits.properties = read_properties(properties, kProperties, traits, CL_INVALID_VALUE);
    return Ref<CommandBuffer>::adopt(new CommandBuffer(std::move(list), std::move(traits))).detach()->handle();
  });
}

cl_int CL_API_CALL clRetainCommandBufferKHR(cl_command_buffer_khr command_buffer) {
  return entry_quick(__func__, [&] { retain<CommandBuffer>(command_buffer); });
}

cl_int CL_API_CALL clReleaseCommandBufferKHR(cl_command_buffer_khr command_buffer) {
  return entry(__func__, [&] { release<CommandBuffer>(command_buffer); });
}

cl_int CL_API_CALL clFinalizeCommandBufferKHR(cl_command_buffer_khr command_buffer) {
  return entry(__func__, [&] {
    const cl_int status = as<CommandBuffer>(command_buffer).finalize();
    require(status == CL_SUCCESS, status, "it has been finalised");
  });
}

cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue* queues,
                                             cl_command_buffer_khr command_buffer, cl_uint num_events_in_wait_list,
                                             const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    auto& buffer = as<CommandBuffer>(command_buffer);
    require_live(buffer.context());
    const auto others = replacements(buffer, num_queues, queues);
    Queue& queue = others.empty() ? *buffer.queues().front() : *others.front();
    cl_event made = nullptr;
    enqueue(queue, CL_COMMAND_COMMAND_BUFFER_KHR, unwrap(buffer.next_run(others)),
            {num_events_in_wait_list, event_wait_list}, event != nullptr ? &made : nullptr);
    if (event == nullptr) return;
    if (buffer.queues().size() > 1) as<Event>(made).set_on_several_queues();
    *event = made;
  });
}

cl_command_buffer_khr CL_API_CALL clRemapCommandBufferKHR(cl_command_buffer_khr command_buffer, cl_bool automatic,
                                                          cl_uint num_queues, const cl_command_queue* queues,
                                                          cl_uint num_handles, const cl_mutable_command_khr* handles,
                                                          cl_mutable_command_khr* handles_ret, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    const auto& buffer = as<CommandBuffer>(command_buffer);
    require_live(buffer.context());
    require(num_queues != 0 && queues != nullptr, CL_INVALID_VALUE, "no queues");
    require(automatic != CL_FALSE || num_queues == buffer.queues().size(), CL_INVALID_VALUE,
            "num_queues is not the number of queues of the command-buffer");
    require((handles == nullptr) == (num_handles == 0) && (handles_ret == nullptr) == (num_handles == 0),
            CL_INVALID_VALUE, "lists of handles and num_handles disagree");
    std::vector<MutableCommand*> commands;
    for (cl_uint i = 0; i < num_handles; ++i) {
      auto& command = as<MutableCommand>(handles[i], CL_INVALID_VALUE);
      require(&command.buffer() == &buffer, CL_INVALID_VALUE, "a handle of another command-buffer");
      commands.push_back(&command);
    }
    auto targets = queues_of(num_queues, queues);
    require(&targets.front()->context() == &buffer.context(), CL_INVALID_CONTEXT, "queues of another context");
    buffer.for_each_kernel([&](const Kernel& kernel, std::uint32_t queue) {
      require(kernel.runs_on(targets[queue % num_queues]->device()), CL_INVALID_PROGRAM_EXECUTABLE,
              "a kernel has no executable for its new device");
    });
    auto copy = buffer.remap(std::move(targets), commands);
    for (cl_uint i = 0; i < num_handles; ++i) handles_ret[i] = commands[i]->handle();
    return copy.detach()->handle();
  });
}

}  // namespace lanewise::api
