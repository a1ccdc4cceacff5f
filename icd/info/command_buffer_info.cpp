// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Queries of command-buffers and of their commands (API 5.17.8).
#include <algorithm>

#include "icd/cast.h"
#include "icd/info.h"
#include "include/lanewise/command_buffer.h"
#include "runtime/command_buffer/command_buffer.h"

using namespace lanewise;

namespace {

std::vector<cl_command_queue> handles_of(std::span<const Ref<Queue>> queues) {
  std::vector<cl_command_queue> out;
  for (const auto& queue : queues) out.push_back(queue->handle());
  return out;
}

cl_command_buffer_state_khr state_of(const CommandBuffer& buffer) {
  switch (buffer.state()) {
    case CommandBuffer::State::recording:
      return CL_COMMAND_BUFFER_STATE_RECORDING_KHR;
    case CommandBuffer::State::finalized:
      return CL_COMMAND_BUFFER_STATE_FINALIZED_KHR;
    case CommandBuffer::State::executable:
      return CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR;
  }
  return CL_COMMAND_BUFFER_STATE_RECORDING_KHR;
}

using B = const CommandBuffer&;

constexpr Row<CommandBuffer> kBufferInfo[] = {
    {CL_COMMAND_BUFFER_NUM_QUEUES_KHR, type<cl_uint>, [](B b) { return static_cast<cl_uint>(b.queues().size()); }},
    {CL_COMMAND_BUFFER_QUEUES_KHR, type<cl_command_queue[]>, [](B b) { return handles_of(b.queues()); }},
    {CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, type<cl_uint>, [](B b) { return b.reference_count(); }},
    {CL_COMMAND_BUFFER_STATE_KHR, type<cl_command_buffer_state_khr>, [](B b) { return state_of(b); }},
    {CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, type<cl_command_buffer_properties_khr[]>,
     [](B b) { return b.traits().properties; }},
    {CL_COMMAND_BUFFER_CONTEXT_KHR, type<cl_context>, [](B b) { return b.context().handle(); }},
};

using C = const MutableCommand&;

/// A size for each dimension of a launch; none for other commands.
template <class Sizes>
std::vector<std::size_t> sizes_of(C command, Sizes&& of) {
  const auto launch = command.buffer().launch(command);
  if (!launch) return {};
  const std::array<std::uint64_t, 3> all = of(launch->range);
  return {all.begin(), all.begin() + launch->range.dims};
}

constexpr Row<MutableCommand> kCommandInfo[] = {
    {CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, type<cl_command_queue>, [](C c) { return c.buffer().queue_of(c).handle(); }},
    {CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, type<cl_command_buffer_khr>, [](C c) { return c.buffer().handle(); }},
    {CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR, type<cl_command_type>, [](C c) { return c.type(); }},
    {CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, type<cl_properties[]>, [](C c) { return c.properties(); }},
    {CL_MUTABLE_DISPATCH_KERNEL_KHR, type<cl_kernel[]>,
     [](C c) {
       const auto launch = c.buffer().launch(c);
       return launch ? std::vector<cl_kernel>{launch->kernel->handle()} : std::vector<cl_kernel>{};
     }},
    {CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, type<cl_uint[]>,
     [](C c) {
       const auto launch = c.buffer().launch(c);
       return launch ? std::vector<cl_uint>{launch->range.dims} : std::vector<cl_uint>{};
     }},
    {CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR, type<std::size_t[]>,
     [](C c) { return sizes_of(c, [](const NdRange& range) { return range.offset; }); }},
    {CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, type<std::size_t[]>,
     [](C c) { return sizes_of(c, [](const NdRange& range) { return range.global; }); }},
    {CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, type<std::size_t[]>,
     [](C c) { return sizes_of(c, [](const NdRange& range) { return range.local.value_or(Sizes{}); }); }},
};

}  // namespace

namespace lanewise::api {

cl_int CL_API_CALL clGetCommandBufferInfoKHR(cl_command_buffer_khr command_buffer,
                                             cl_command_buffer_info_khr param_name, size_t param_value_size,
                                             void* param_value, size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    answer(kBufferInfo, param_name, as<CommandBuffer>(command_buffer),
           InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}

cl_int CL_API_CALL clGetMutableCommandInfoKHR(cl_mutable_command_khr command, cl_mutable_command_info_khr param_name,
                                              size_t param_value_size, void* param_value,
                                              size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    answer(kCommandInfo, param_name, as<MutableCommand>(command),
           InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}

}  // namespace lanewise::api
