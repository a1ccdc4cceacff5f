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
  const char* reason = "";  ///< text for the debug log; a string literal
};

/// The argument values of one kernel. Not thread-safe, except that `snapshot` may run on several threads at once.
class KernelArguments {
 public:
  /// Creates the values with no argument set. All references must outlive this object.
  /// @param device  any device that has code for the kernel
  KernelArguments(const abi::KernelInfo& info, const Context& context, const Device& device);

  /// Copies the values of `other`, which has arguments of the same kernel.
  void take_values(const KernelArguments& other);

  /// Sets one argument by the rules of clSetKernelArg. An error leaves the old value. Errors:
  /// CL_INVALID_ARG_INDEX, _ARG_SIZE, _ARG_VALUE, CL_INVALID_MEM_OBJECT, _SAMPLER, _DEVICE_QUEUE,
  /// CL_MAX_SIZE_RESTRICTION_EXCEEDED.
  ArgOutcome set(cl_uint index, std::size_t size, const void* value);
  /// Sets a global or constant pointer to an address (SVM, USM). Errors: CL_INVALID_ARG_INDEX, CL_INVALID_ARG_VALUE.
  ArgOutcome set_address(cl_uint index, const void* address);

  [[nodiscard]] bool complete() const { return unset_ == 0; }
  /// Whether some arguments are images or samplers.
  [[nodiscard]] bool have_class() const { return have_class_; }
  /// Bytes of local memory: `statics` for static __local variables, and the dynamic __local arguments that are set.
  [[nodiscard]] std::uint64_t local_bytes(std::uint64_t statics) const;

  /// Copies the current values into `out`, which must be new. Returns CL_SUCCESS, or CL_INVALID_KERNEL_ARGS if an
  /// argument is unset or its memory object has been released. May throw std::bad_alloc.
  /// @param statics  bytes of static __local variables
  [[nodiscard]] cl_int snapshot(LaunchArgs& out, std::uint64_t statics) const;
  /// Lays out the local memory of a snapshot again, for another size of the static variables.
  void lay_out_local_memory(LaunchArgs& args, std::uint64_t statics) const;

 private:
  /// The state of an argument that is not in the argument block. Memory objects are stored as handles, because a kernel
  /// must not retain its arguments.
  struct Argument {
    bool set = false;
    cl_mem memory = nullptr;      ///< the memory object of a global or constant pointer, an image or a pipe
    std::size_t local_bytes = 0;  ///< bytes of a local pointer's memory
  };

  ArgOutcome set_value(const abi::ArgInfo& info, std::size_t size, const void* value);
  ArgOutcome set_pointer(const abi::ArgInfo& info, Argument& argument, std::size_t size, const void* value);
  ArgOutcome set_image(const abi::ArgInfo& info, Argument& argument, std::size_t size, const void* value);
  ArgOutcome set_sampler(const abi::ArgInfo& info, std::size_t size, const void* value);
  ArgOutcome set_pipe(const abi::ArgInfo& info, Argument& argument, std::size_t size, const void* value);
  ArgOutcome set_queue(const abi::ArgInfo& info, std::size_t size, const void* value);
  ArgOutcome set_local(Argument& argument, std::size_t size, const void* value);
  template <class Place>
  std::uint64_t lay_out(std::uint64_t statics, Place&& place) const;

  const abi::KernelInfo& info_;
  const Context& context_;
  const Device& device_;
  std::vector<std::byte> block_;  ///< the argument block, as far as it is known before a launch
  std::size_t block_align_ = 1;   ///< bytes
  std::vector<Argument> values_;
  std::vector<cl_uint> pointers_;  ///< indices of arguments that refer to memory objects
  bool have_class_ = false;
  std::vector<cl_uint> queues_;  ///< indices of arguments that are queues on the device
  std::size_t unset_;            ///< number of arguments that are not set
  std::vector<cl_uint> locals_;  ///< indices of arguments that are pointers to local memory
};

}  // namespace lanewise
