// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The options of a build, of the work-group lowering and of the vectoriser: which machine the code of a kernel is for,
/// and how it is made.
#pragma once

#include <memory>

#include "compiler/base/observer.h"
#include "include/lanewise/compiler_abi.h"
#include "src/base/isa.h"

namespace lanewise {

class BuiltinLibrary;

struct CodegenOptions {
  std::shared_ptr<const BuiltinLibrary> builtins;
  Isa isa;
  bool optimise = true;
  bool debug_barriers = false;
  bool zero_private = false;   ///< private variables begin as zeros (cl_khr_initialize_memory)
  std::uint32_t checks = 0;    ///< CodeSettings::checks
  bool large_program = false;  ///< the kernels are large together: is_large_program (effort.h)
  unsigned vector_width = 0;   ///< work-items in a vector; 0: choose, 1: scalar code
  /// The launches that the code is for, with the local size in KernelInfo::reqd_work_group_size; null: all launches.
  /// Must outlive this object.
  const abi::Specialisation* launches = nullptr;
  const PipelineObserver* observer = nullptr;
};

/// Options of the work-group lowering (compiler/groups/lowering.h).
struct WorkgroupOptions {
  /// Report work-items of a group that stop at different barriers (lanewise_services::divergent_barrier).
  bool debug_barriers = false;
  /// Regions share their blocks (one copy, entered by a switch) once copies would exceed this many instructions.
  unsigned copied_instructions_limit = 5000;
  /// Kernels that cannot tell where a group ends in x run several groups as one row (strips.h).
  bool merge_groups = false;
  /// The launches that the code is for; null: all. They say which dimension takes the place of x (dimension_order.h),
  /// and how many neighbouring groups may run as a team (teams.h). For all launches the dimension is chosen where
  /// groups can be merged.
  const abi::Specialisation* launches = nullptr;
  bool always_teams = false;  ///< teams are formed wherever they are possible
  /// Private variables keep a place while the kernel runs, and debug info says where (-g -cl-opt-disable;
  /// debug_info.h). Expects them in allocas, as Clang makes them.
  bool every_value = false;
  /// Work-items in a sub-group, a power of two. With more than one, every work-item loop must be vectorised at exactly
  /// this width (`lanewise.sub_group` in its metadata); as a scalar loop it has no meaning.
  unsigned sub_group_size = 1;
};

namespace spmd {

/// Options of the vectoriser (compiler/lanes/vectorise.h).
struct Options {
  Isa isa;
  unsigned forced_width = 0;  ///< 2 to 64, a power of two: take this, and masked tails, whatever the cost
  bool explain = false;       ///< fill the fields of `Decision` for the report
  bool masked_tail = false;   ///< the tail of a row runs as one vector under a mask, whatever the cost
  bool quick = false;         ///< large loops get one masked form, which compiles in half the time
  bool few_forms = false;     ///< accesses of unknown places get two forms instead of three, which is less to compile
  bool long_rows = false;     ///< neighbouring groups run as one row, so tails are few
  bool short_rows = false;    ///< a row belongs to one group, of any size: it may have fewer work-items than lanes
  unsigned iteration_lanes = 0;  ///< abi::Specialisation::iteration_lanes
  bool share_branches = false;   ///< vectors of an iteration share branches (register_blocking.h); for hot kernels
};

}  // namespace spmd

}  // namespace lanewise
