// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The pointers to functions of a program, by the functions' names (the host side of cl_intel_function_pointers, for
/// the SYCL run-time library). There is no public text of the extension: arguments, results and errors are those of
/// Intel's drivers.
#include <algorithm>

#include "icd/cast.h"
#include "include/lanewise/cl_compat.h"
#include "runtime/program/program.h"

using namespace lanewise;

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceFunctionPointerINTEL(cl_device_id device, cl_program program,
                                                                const char* function_name,
                                                                cl_ulong* function_pointer_ret) {
  return entry(__func__, [&] {
    const auto& of = as<Device>(device);
    const auto& owner = as<Program>(program);
    require(has_device(owner, of), CL_INVALID_DEVICE, "the program is not for this device");
    require(function_name != nullptr && function_pointer_ret != nullptr, CL_INVALID_ARG_VALUE,
            "the name, or where the pointer goes to, is NULL");
    const ExecutablePtr executable = owner.executable(of);
    require(executable != nullptr, CL_INVALID_PROGRAM_EXECUTABLE, "no executable for the device");
    const auto& functions = executable->artifact->reply.functions;
    const auto found = std::find_if(functions.begin(), functions.end(),
                                    [&](const abi::FunctionPointer& known) { return known.name == function_name; });
    require(found != functions.end(), CL_INVALID_ARG_VALUE,
            "the program has no function of this name, or none that pointers can reach");
    *function_pointer_ret = found->pointer;
  });
}
