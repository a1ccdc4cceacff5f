// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The values of a kernel's arguments, as the application has set them (API 5.9.2).
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "include/lanewise/compiler_abi.h"
#include "runtime/core/context.h"
#include "runtime/kernel/launch_args.h"

namespace lanewise {

/// The outcome of setting an argument. Cheap to make, because arguments are set as often as kernels are launched.
struct ArgOutcome {
  cl_int code = CL_SUCCESS;
  const char* reason = "";  ///< for the debug log; a literal
};

/// Not thread-safe, except that `snapshot` may run on several threads at once.
class KernelArguments {
 public:
  /// No argument is set. `device` is one that has code for the kernel; all references must outlive this object.
  KernelArguments(const abi::KernelInfo& info, const Context& context, const Device& device);

  /// Takes over the values of `other`, which are arguments of the same kernel.
  void take_values(const KernelArguments& other);

  /// Sets one argument by the rules of clSetKernelArg. On an error the old value stays. Errors:
  /// CL_INVALID_ARG_INDEX, _ARG_SIZE, _ARG_VALUE, CL_INVALID_MEM_OBJECT, _SAMPLER, _DEVICE_QUEUE,
  /// CL_MAX_SIZE_RESTRICTION_EXCEEDED.
  ArgOutcome set(cl_uint index, std::size_t size, const void* value);
  /// Sets a global or constant pointer to an address (SVM, USM). Errors: CL_INVALID_ARG_INDEX, CL_INVALID_ARG_VALUE.
  ArgOutcome set_address(cl_uint index, const void* address);

  [[nodiscard]] bool complete() const { return unset_ == 0; }
  /// Some are images or samplers.
  [[nodiscard]] bool have_class() const { return have_class_; }
  /// Bytes of local memory: static, and the dynamic arguments that are set.
  [[nodiscard]] std::uint64_t local_bytes() const { return local_bytes_; }

  /// Copies the current values into `out`, which must be new. Returns CL_SUCCESS, or CL_INVALID_KERNEL_ARGS if an
  /// argument is unset or its memory object has been released. May throw std::bad_alloc.
  [[nodiscard]] cl_int snapshot(LaunchArgs& out) const;

 private:
  /// State that is not in the argument block. Memory objects are stored as handles: a kernel must not retain arguments.
  struct Argument {
    bool set = false;
    cl_mem memory = nullptr;      ///< global and constant pointers, images, pipes
    std::size_t local_bytes = 0;  ///< local pointers
  };

  ArgOutcome set_value(const abi::ArgInfo& info, std::size_t size, const void* value);
  ArgOutcome set_pointer(const abi::ArgInfo& info, Argument& argument, std::size_t size, const void* value);
  ArgOutcome set_image(const abi::ArgInfo& info, Argument& argument, std::size_t size, const void* value);
  ArgOutcome set_sampler(const abi::ArgInfo& info, std::size_t size, const void* value);
  ArgOutcome set_pipe(const abi::ArgInfo& info, Argument& argument, std::size_t size, const void* value);
  ArgOutcome set_queue(const abi::ArgInfo& info, std::size_t size, const void* value);
  ArgOutcome set_local(Argument& argument, std::size_t size, const void* value);
  void lay_out_local_memory();

  const abi::KernelInfo& info_;
  const Context& context_;
  const Device& device_;
  std::vector<std::byte> block_;  ///< the argument block, as far as it is known before a launch
  std::size_t block_align_ = 1;
  std::vector<Argument> values_;
  std::vector<cl_uint> pointers_;  ///< indices of what refers to memory objects
  bool have_class_ = false;
  std::vector<cl_uint> queues_;  ///< indices of queues on the device
  std::size_t unset_;
  std::uint64_t local_bytes_;
};

}  // namespace lanewise
