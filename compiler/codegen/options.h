// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the code of a kernel is made for, and with which liberties.
#pragma once

#include <memory>

#include "compiler/observer.h"
#include "src/base/isa.h"

namespace lanewise {

class BuiltinLibrary;

struct CodegenOptions {
  std::shared_ptr<const BuiltinLibrary> builtins;
  Isa isa;
  bool optimise = true;
  bool debug_barriers = false;
  bool zero_private = false;  ///< private variables begin as zeros (cl_khr_initialize_memory)
  unsigned vector_width = 0;  ///< work-items in a vector; 0: choose, 1: scalar code
  bool specialised = false;   ///< for plain launches with the local size of KernelInfo::reqd_work_group_size
  const PipelineObserver* observer = nullptr;
};

}  // namespace lanewise
