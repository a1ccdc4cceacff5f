// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels: creation, arguments, copies (API 5.9).
#include <CL/cl_ext.h>

#include <utility>
#include <vector>

#include "icd/cast.h"
#include "icd/commands.h"
#include "include/lanewise/cl_compat.h"
#include "runtime/core/context.h"
#include "runtime/kernel/kernel.h"
#include "runtime/program/program.h"

using namespace lanewise;

namespace {

/// Kernels that have been created but not returned to the application yet; releases them if the call fails.
class PendingKernels {
 public:
  PendingKernels() = default;
  PendingKernels(const PendingKernels&) = delete;
  PendingKernels& operator=(const PendingKernels&) = delete;

  void add(Ref<Kernel> kernel) { kernels_.push_back(std::move(kernel)); }
  [[nodiscard]] std::size_t size() const { return kernels_.size(); }
  void hand_out(cl_kernel* out) {
    for (auto& kernel : kernels_) *out++ = kernel.detach()->handle();
  }

 private:
  std::vector<Ref<Kernel>> kernels_;
};

/// API 5.9.1: functions whose definition differs between devices are left out.
void make_all(Program& program, PendingKernels& kernels) {
  const auto names = kernel_names(program);
  require(names.has_value(), CL_INVALID_PROGRAM_EXECUTABLE, "no executable has been built");
  for (const auto& name : *names) {
    auto kernel = Kernel::create(program, name);
    if (!kernel.ok() && kernel.error().code == CL_INVALID_KERNEL_DEFINITION) continue;
    kernels.add(unwrap(std::move(kernel)));
  }
}

}  // namespace

// Which memory a kernel reaches through pointers in memory. Every kernel may reach all memory, so nothing is stored.
void lanewise::check_exec_info(cl_uint name, std::size_t size, const void* value) {
  const bool is_list = name == CL_KERNEL_EXEC_INFO_SVM_PTRS || name == CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL ||
                       name == CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT;
  if (is_list && size == 0 && value == nullptr) return;  // the empty list, by which pointers are unset
  require(value != nullptr, CL_INVALID_VALUE, "param_value is NULL");
  switch (name) {
    case CL_KERNEL_EXEC_INFO_SVM_PTRS:
    case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
    case CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT:
      require(size != 0 && size % sizeof(void*) == 0, CL_INVALID_VALUE, "not a list of pointers");
      return;
    case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
    case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
      require(size == sizeof(cl_bool), CL_INVALID_VALUE, "not a cl_bool");
      return;
    default:
      throw ApiError{CL_INVALID_VALUE, "not an execution property"};
  }
}

CL_API_ENTRY cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char* kernel_name, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto& owner = as<Program>(program);
    require_live(owner.context());
    require(kernel_name != nullptr, CL_INVALID_VALUE, "kernel_name is NULL");
    return unwrap(Kernel::create(owner, kernel_name)).detach()->handle();
  });
}

CL_API_ENTRY cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint num_kernels, cl_kernel* kernels,
                                                         cl_uint* num_kernels_ret) {
  return entry(__func__, [&] {
    auto& owner = as<Program>(program);
    require_live(owner.context());
    PendingKernels made;
    make_all(owner, made);
    require(kernels == nullptr || num_kernels >= made.size(), CL_INVALID_VALUE, "the program has more kernels");
    if (num_kernels_ret != nullptr) *num_kernels_ret = static_cast<cl_uint>(made.size());
    if (kernels != nullptr) made.hand_out(kernels);
  });
}

CL_API_ENTRY cl_kernel CL_API_CALL clCloneKernel(cl_kernel source_kernel, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    const auto& source = as<Kernel>(source_kernel);
    require_live(source.context());
    return unwrap(source.clone()).detach()->handle();
  });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainKernel(cl_kernel kernel) {
  return entry_quick(__func__, [&] { retain<Kernel>(kernel); });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) {
  return entry(__func__, [&] { release<Kernel>(kernel); });
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size,
                                               const void* arg_value) {
  return entry_quick(__func__, [&] {
    const auto [code, reason] = as<Kernel>(kernel).set_arg(arg_index, arg_size, arg_value);
    require(code == CL_SUCCESS, code, reason);
  });
}

// With fine-grained system SVM the argument may be any address, so the pointer itself is not checked.
CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index, const void* arg_value) {
  return entry_quick(__func__, [&] {
    const auto [code, reason] = as<Kernel>(kernel).set_pointer_arg(arg_index, arg_value);
    require(code == CL_SUCCESS, code, reason);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index,
                                                               cl_mem_device_address_ext arg_value) {
  return entry_quick(__func__, [&] {
    auto& target = as<Kernel>(kernel);
    const auto& args = target.info().args;
    require(arg_index < args.size(), CL_INVALID_ARG_INDEX, "the kernel has fewer arguments");
    require(args[arg_index].kind == abi::ArgKind::global_pointer, CL_INVALID_ARG_INDEX,
            "the argument is not a pointer to global memory");
    const auto [code, reason] = target.set_pointer_arg(arg_index, reinterpret_cast<const void*>(arg_value));
    require(code == CL_SUCCESS, code, reason);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name,
                                                    size_t param_value_size, const void* param_value) {
  return entry(__func__, [&] {
    as<Kernel>(kernel);
    check_exec_info(param_name, param_value_size, param_value);
  });
}
