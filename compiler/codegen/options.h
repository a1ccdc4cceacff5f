// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What machine the code of a kernel is made for, and how.
#pragma once

#include <memory>
#include <vector>

#include "compiler/observer.h"
#include "src/base/bytes.h"
#include "src/base/isa.h"

namespace lanewise {

class BuiltinLibrary;

struct CodegenOptions {
  std::shared_ptr<const BuiltinLibrary> builtins;
  Isa isa;
  bool optimise = true;
  bool debug_barriers = false;
  bool zero_private = false;             ///< private variables begin as zeros (cl_khr_initialize_memory)
  bool large_program = false;            ///< its kernels are large together: kLargeProgram (pipelines.h)
  unsigned vector_width = 0;             ///< work-items in a vector; 0: choose, 1: scalar code
  bool specialised = false;              ///< for plain launches with the local size of KernelInfo::reqd_work_group_size
  std::vector<Bytes> known_arguments{};  ///< abi::Request::known_arguments
  bool private_copies = false;           ///< abi::Request::private_copies
  unsigned first_dimension = 0;          ///< abi::Request::first_dimension, if it is specialised
  unsigned team_groups = 0;              ///< abi::Request::team_groups
  unsigned iteration_lanes = 0;          ///< abi::Request::iteration_lanes, if it is specialised
  const PipelineObserver* observer = nullptr;
};

}  // namespace lanewise
