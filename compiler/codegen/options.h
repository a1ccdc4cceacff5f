// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What machine the code of a kernel is made for, and how.
#pragma once

#include <memory>

#include "compiler/observer.h"
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
  bool large_program = false;  ///< its kernels are large together: kLargeProgram (pipelines.h)
  unsigned vector_width = 0;   ///< work-items in a vector; 0: choose, 1: scalar code
  /// That the code is for, with the local size in KernelInfo::reqd_work_group_size; null: all launches. Outlives this.
  const abi::Specialisation* launches = nullptr;
  const PipelineObserver* observer = nullptr;
};

}  // namespace lanewise
