// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The names of AArch64's processors, which have no register with a name as x86-64's have: the system tells numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanewise::host {

/// What /proc/cpuinfo says of the cores of a machine.
struct ArmCores {
  std::uint32_t implementer = 0;  ///< maker of the first core, as in its register MIDR_EL1; 0: not said
  std::uint32_t part = 0;         ///< number of the first core among those of its maker
  std::uint32_t revision = 0;     ///< revision of the first core
  /// The names of all kinds of cores, as they come: "Arm Cortex-A55 and Arm Cortex-A76". Empty: none has a known name.
  std::string name;
};

/// @param cpuinfo  the text of /proc/cpuinfo, which has entries "CPU part\t: 0xd0c" for each core
ArmCores arm_cores(std::string_view cpuinfo);

}  // namespace lanewise::host
