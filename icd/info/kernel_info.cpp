// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Queries of kernels and their arguments (API 5.9.4).
#include <array>

#include "icd/cast.h"
#include "icd/commands.h"
#include "icd/info/program_info.h"
#include "runtime/core/context.h"

using namespace lanewise;

namespace lanewise {

namespace {

/// API 5.9.4: kernels that don't come from OpenCL C source have no attributes.
std::string attributes(const Kernel& kernel) {
  const ProgramOrigin origin = kernel.program().origin();
  const bool from_c = origin != ProgramOrigin::binary && origin != ProgramOrigin::il;
  return from_c ? kernel.info().attributes : std::string{};
}

std::array<size_t, 3> required_size(const Kernel& kernel) {
  const auto& size = kernel.info().reqd_work_group_size;
  return {size[0], size[1], size[2]};
}

}  // namespace

const Kernel& KernelOnDevice::with_code() const {
  if (kernel.runs_on(device)) wait_for_code(device, kernel);
  return kernel;
}

const Device& device_of(const Kernel& kernel, cl_device_id device) {
  const auto& program = kernel.program();
  if (device == nullptr) {
    require(program.devices().size() == 1, CL_INVALID_DEVICE, "device is NULL and there are several");
    return *program.devices().front();
  }
  const auto& found = as<Device>(device);
  require(has_device(program, found), CL_INVALID_DEVICE, "device is not associated with the kernel");
  return found;
}

std::span<const Row<Kernel>> kernel_info_table() {
  static constexpr Row<Kernel> rows[] = {
      {CL_KERNEL_FUNCTION_NAME, type<char[]>, [](const Kernel& k) { return k.info().name; }},
      {CL_KERNEL_NUM_ARGS, type<cl_uint>, [](const Kernel& k) { return static_cast<cl_uint>(k.info().args.size()); }},
      {CL_KERNEL_REFERENCE_COUNT, type<cl_uint>, [](const Kernel& k) { return k.reference_count(); }},
      {CL_KERNEL_CONTEXT, type<cl_context>, [](const Kernel& k) { return k.context().handle(); }},
      {CL_KERNEL_PROGRAM, type<cl_program>, [](const Kernel& k) { return k.program().handle(); }},
      {CL_KERNEL_ATTRIBUTES, type<char[]>, [](const Kernel& k) { return attributes(k); }},
  };
  return rows;
}

/// CL_KERNEL_GLOBAL_WORK_SIZE has no row: it is CL_INVALID_VALUE except for custom devices and built-in kernels.
std::span<const Row<KernelOnDevice>> kernel_work_group_info_table() {
  using Q = KernelOnDevice;
  static constexpr Row<Q> rows[] = {
      {CL_KERNEL_WORK_GROUP_SIZE, type<std::size_t>,
       [](const Q& q) { return q.with_code().max_work_group_size(q.device); }},
      {CL_KERNEL_COMPILE_WORK_GROUP_SIZE, type<std::size_t[3]>, [](const Q& q) { return required_size(q.kernel); }},
      {CL_KERNEL_LOCAL_MEM_SIZE, type<cl_ulong>, [](const Q& q) { return cl_ulong{q.with_code().local_bytes()}; }},
      {CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, type<std::size_t>,
       [](const Q& q) { return q.device.facts().preferred_work_group_multiple; }},
      {CL_KERNEL_SPILL_MEM_SIZE_INTEL, type<cl_ulong>,
       [](const Q& q) { return cl_ulong{q.with_code().info().private_bytes}; }},
      {CL_KERNEL_PRIVATE_MEM_SIZE, type<cl_ulong>,
       [](const Q& q) { return cl_ulong{q.with_code().info().private_bytes}; }},
  };
  return rows;
}

std::span<const Row<abi::ArgInfo>> kernel_arg_info_table() {
  using A = abi::ArgInfo;
  static constexpr Row<A> rows[] = {
      {CL_KERNEL_ARG_ADDRESS_QUALIFIER, type<cl_kernel_arg_address_qualifier>,
       [](const A& a) { return static_cast<cl_kernel_arg_address_qualifier>(a.address_qualifier); }},
      {CL_KERNEL_ARG_ACCESS_QUALIFIER, type<cl_kernel_arg_access_qualifier>,
       [](const A& a) { return static_cast<cl_kernel_arg_access_qualifier>(a.access_qualifier); }},
      {CL_KERNEL_ARG_TYPE_NAME, type<char[]>, [](const A& a) { return a.type_name; }},
      {CL_KERNEL_ARG_TYPE_QUALIFIER, type<cl_kernel_arg_type_qualifier>,
       [](const A& a) { return static_cast<cl_kernel_arg_type_qualifier>(a.type_qualifier); }},
      {CL_KERNEL_ARG_NAME, type<char[]>, [](const A& a) { return a.name; }},
  };
  return rows;
}

}  // namespace lanewise

CL_API_ENTRY cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name, size_t param_value_size,
                                                void* param_value, size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    answer(kernel_info_table(), param_name, as<Kernel>(kernel),
           InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                                         cl_kernel_work_group_info param_name, size_t param_value_size,
                                                         void* param_value, size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    const auto& object = as<Kernel>(kernel);
    answer(kernel_work_group_info_table(), param_name, KernelOnDevice{object, device_of(object, device)},
           InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_index, cl_kernel_arg_info param_name,
                                                   size_t param_value_size, void* param_value,
                                                   size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    const auto& object = as<Kernel>(kernel);
    require(arg_index < object.info().args.size(), CL_INVALID_ARG_INDEX, "the kernel has fewer arguments");
    // API 5.9.4: the information exists only if the program was built with -cl-kernel-arg-info.
    require(object.traits().kernel_arg_info, CL_KERNEL_ARG_INFO_NOT_AVAILABLE, "built without -cl-kernel-arg-info");
    answer(kernel_arg_info_table(), param_name, object.info().args[arg_index],
           InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}
