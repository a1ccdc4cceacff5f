// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Pipes (API 5.4).
#include "runtime/memory/pipe.h"

#include <vector>

#include "icd/cast.h"
#include "icd/info.h"
#include "icd/selection.h"
#include "runtime/core/context.h"

using namespace lanewise;

namespace {

constexpr cl_mem_flags kPipeFlags = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;

constexpr Row<MemObject> kPipeInfo[] = {
    {CL_PIPE_PACKET_SIZE, type<cl_uint>, [](const MemObject& p) { return p.pipe()->packet_size; }},
    {CL_PIPE_MAX_PACKETS, type<cl_uint>, [](const MemObject& p) { return p.pipe()->max_packets; }},
    // No properties are defined, so a pipe can only be created with NULL.
    {CL_PIPE_PROPERTIES, type<cl_pipe_properties[]>,
     [](const MemObject&) { return std::vector<cl_pipe_properties>{}; }},
};

}  // namespace

CL_API_ENTRY cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size,
                                             cl_uint pipe_max_packets, const cl_pipe_properties* properties,
                                             cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto& owner = live_context(context);
    require((flags & ~kPipeFlags) == 0, CL_INVALID_VALUE, "flags that a pipe cannot have");
    require(properties == nullptr, CL_INVALID_VALUE, "pipes have no properties");
    require(pipe_packet_size != 0 && pipe_packet_size <= kMaxPacketSize, CL_INVALID_PIPE_SIZE,
            "the packet size is 0 or too large");
    require(pipe_max_packets != 0, CL_INVALID_PIPE_SIZE, "the pipe would have room for no packet");
    const PipeShape shape{pipe_packet_size, pipe_max_packets};
    return unwrap(create_pipe(owner, flags == 0 ? kPipeFlags : flags, shape)).detach()->handle();
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size,
                                              void* param_value, size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    const auto& object = as<MemObject>(pipe);
    require(object.pipe() != nullptr, CL_INVALID_MEM_OBJECT, "not a pipe");
    answer(kPipeInfo, param_name, object, InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}
