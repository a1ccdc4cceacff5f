// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The application's access to the variables of a program by their names (cl_intel_global_variable_access 0.9.0) and
/// to their addresses (clGetDeviceGlobalVariablePointerINTEL, for compilers of OpenMP and the SYCL run-time library).
#include <algorithm>
#include <utility>

#include "icd/cast.h"
#include "icd/enqueue.h"
#include "include/lanewise/cl_compat.h"
#include "runtime/exec/queue.h"
#include "runtime/memory/transfer.h"
#include "runtime/program/program.h"

using namespace lanewise;

namespace {

using Name = abi::VariableStorage::Name;

/// A variable of a program on a device, and its storage.
struct FoundVariable {
  Name name;
  VariablesPtr storage;
  [[nodiscard]] std::byte* address() const { return storage->data() + name.at; }
  [[nodiscard]] CopySide side(std::size_t offset) const { return CopySide::in(storage, address() + offset); }
};

/// Throws CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_ARG_VALUE, CL_OUT_OF_RESOURCES.
FoundVariable find_variable(Program& program, const Device& device, const char* name) {
  const ExecutablePtr executable = program.executable(device);
  require(executable != nullptr, CL_INVALID_PROGRAM_EXECUTABLE, "no executable for the device");
  const auto& names = executable->artifact->reply.variables.names;
  const auto found = std::find_if(names.begin(), names.end(), [&](const Name& known) { return known.name == name; });
  require(found != names.end(), CL_INVALID_ARG_VALUE, "the program has no variable of this name");
  VariablesPtr storage = unwrap(program.variables(device, executable));
  return {*found, std::move(storage)};
}

/// What both directions check.
FoundVariable variable_of_command(const Queue& queue, cl_program program, const char* name, std::size_t size,
                                  std::size_t offset, const void* ptr) {
  auto& owner = as<Program>(program);
  require(&owner.context() == &queue.context(), CL_INVALID_CONTEXT, "queue and program are of different contexts");
  require(name != nullptr, CL_INVALID_VALUE, "name is NULL");
  require(ptr != nullptr, CL_INVALID_VALUE, "ptr is NULL");
  FoundVariable found = find_variable(owner, queue.device(), name);
  require(offset <= found.name.bytes && size <= found.name.bytes - offset, CL_INVALID_VALUE, "region is out of bounds");
  return found;
}

}  // namespace

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadGlobalVariableINTEL(cl_command_queue command_queue, cl_program program,
                                                                 const char* name, cl_bool blocking_read, size_t size,
                                                                 size_t offset, void* ptr,
                                                                 cl_uint num_events_in_wait_list,
                                                                 const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    const FoundVariable found = variable_of_command(queue, program, name, size, offset, ptr);
    require(found.name.readable, CL_INVALID_OPERATION, "the module lets nobody read the variable");
    enqueue(queue, CL_COMMAND_READ_GLOBAL_VARIABLE_INTEL, make_copy(CopySide::host(ptr), found.side(offset), size),
            {num_events_in_wait_list, event_wait_list}, event, blocking_read != CL_FALSE);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteGlobalVariableINTEL(cl_command_queue command_queue, cl_program program,
                                                                  const char* name, cl_bool blocking_write, size_t size,
                                                                  size_t offset, const void* ptr,
                                                                  cl_uint num_events_in_wait_list,
                                                                  const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    const FoundVariable found = variable_of_command(queue, program, name, size, offset, ptr);
    require(found.name.writable, CL_INVALID_OPERATION, "a constant, or the module lets nobody write the variable");
    enqueue(queue, CL_COMMAND_WRITE_GLOBAL_VARIABLE_INTEL, make_copy(found.side(offset), CopySide::host(ptr), size),
            {num_events_in_wait_list, event_wait_list}, event, blocking_write != CL_FALSE);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceGlobalVariablePointerINTEL(cl_device_id device, cl_program program,
                                                                      const char* global_variable_name,
                                                                      size_t* global_variable_size_ret,
                                                                      void** global_variable_pointer_ret) {
  return entry(__func__, [&] {
    const auto& of = as<Device>(device);
    auto& owner = as<Program>(program);
    require(has_device(owner, of), CL_INVALID_DEVICE, "the program is not for this device");
    require(global_variable_name != nullptr && global_variable_pointer_ret != nullptr, CL_INVALID_VALUE,
            "the name, or where the pointer goes to, is NULL");
    const FoundVariable found = find_variable(owner, of, global_variable_name);
    if (global_variable_size_ret != nullptr) *global_variable_size_ret = found.name.bytes;
    *global_variable_pointer_ret = found.address();
  });
}
