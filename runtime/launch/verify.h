// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LANEWISE_VERIFY: each launch runs twice, one work-item at a time (scalar form) and as without the option (ordinary
/// form). The memory that the arguments point to and the program's variables are compared byte by byte.
///
/// Differences are reported on stderr and to the context's error callback. The command's status does not change, and
/// the memory keeps the results of the ordinary form. Launches run one after the other. Results that depend on the
/// order of work-items (atomics whose return value matters, races) may differ without a fault. Memory that is reached
/// only through pointers inside buffers is not compared. printf output comes from the ordinary form.
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "include/lanewise/kernel_abi.h"
#include "runtime/kernel/kernel.h"
#include "runtime/kernel/launch_args.h"
#include "runtime/object/object.h"

namespace lanewise {

class PrivateCopies;
class Worker;

class Verification {
 public:
  /// Keeps a reference to `kernel`.
  /// @param scalar     the scalar form of the kernel; must live as long as the kernel
  /// @param variables  the program's variables on the device; must live as long as the kernel
  Verification(Kernel& kernel, Kernel::ScalarForm scalar, std::span<std::byte> variables)
      : kernel_(kernel), scalar_(scalar), variables_(variables) {}

  struct Run {
    const lanewise_launch& launch;
    const LaunchArgs& args;
    std::uint64_t groups;
    std::uint64_t items;  ///< work-items of a full group
    lanewise_range_fn* code;
    std::uint64_t local_bytes;    ///< bytes of local memory that `code` needs
    std::uint64_t item_scratch;   ///< bytes of item scratch that `code` needs for a group
    std::uint64_t group_scratch;  ///< bytes of group scratch that `code` needs
    const PrivateCopies* copies;  ///< the copies that `code` works on; null: it works on the buffers
  };
  /// Runs both forms on the calling thread, or the ordinary form only if there is no memory for the comparison. Returns
  /// CL_SUCCESS, or CL_OUT_OF_RESOURCES if there is no scratch memory.
  cl_int run(Worker& worker, const Run& run) noexcept;

 private:
  cl_int run_both(Worker& worker, const Run& run);
  bool run_scalar(Worker& worker, const Run& run, const Kernel::ScalarForm& form);
  static bool run_ordinary(Worker& worker, const Run& run);

  Ref<Kernel> kernel_;
  Kernel::ScalarForm scalar_;
  std::span<std::byte> variables_;
};

}  // namespace lanewise
