// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How many sub-groups the work-groups of a kernel have, where its module says it. The translator leaves these
/// execution modes out:
///
///     OpExecutionMode %kernel SubgroupsPerWorkgroup 4
///     OpExecutionModeId %kernel SubgroupsPerWorkgroupId %count      ; a constant, possibly a specialised one
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "compiler/spirv/instructions.h"
#include "include/lanewise/compiler_abi.h"

namespace lanewise::spirv {

struct SubGroupCounts {
  std::map<std::string, std::uint32_t> of_kernels;
  std::string fault;  ///< why a count is not known: it is no integer constant that can be computed here
};

/// @param module  valid, in this machine's byte order
SubGroupCounts sub_group_counts(std::span<const std::uint8_t> module, const std::vector<abi::SpecConstant>& constants);

}  // namespace lanewise::spirv
