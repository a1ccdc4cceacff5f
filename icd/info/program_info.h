// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The query tables of programs and kernels, for their entry points and for tests.
#pragma once

#include <span>

#include "icd/info.h"
#include "runtime/kernel/kernel.h"
#include "runtime/program/program.h"

namespace lanewise {

/// A kernel on a device: the object of clGetKernelWorkGroupInfo.
struct KernelOnDevice {
  const Kernel& kernel;
  const Device& device;

  /// The kernel with its code, for which this waits. Throws CL_OUT_OF_RESOURCES and others if there is none.
  [[nodiscard]] const Kernel& with_code() const;
};

/// The device of a query (API 5.9.4): `device`, which must be associated with the kernel. It may be null if there is
/// only one such device.
const Device& device_of(const Kernel& kernel, cl_device_id device);

std::span<const Row<Program>> program_info_table();  ///< all queries but CL_PROGRAM_BINARIES
std::span<const Row<BuildState>> program_build_info_table();
std::span<const Row<Kernel>> kernel_info_table();
std::span<const Row<KernelOnDevice>> kernel_work_group_info_table();
std::span<const Row<abi::ArgInfo>> kernel_arg_info_table();

}  // namespace lanewise
