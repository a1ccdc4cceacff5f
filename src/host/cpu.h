// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The processor, and the instruction set that code may use on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "src/base/isa.h"

namespace lanewise::host {

/// The properties of the processor.
struct Cpu {
  std::string name;             ///< marketing name, trimmed; "CPU" if the processor has none
  std::string vendor;           ///< "AuthenticAMD", "GenuineIntel", "ARM" ...
  std::uint32_t vendor_id = 0;  ///< PCI number of that vendor; 0: not known
  std::uint32_t family = 0;
  std::uint32_t model = 0;
  std::uint32_t stepping = 0;

  /// The highest level such that the processor has all its instructions and the operating system saves all its
  /// registers, with the features that the driver knows. Nothing: the processor is below all levels that code is made
  /// for.
  std::optional<Isa> isa;
};

/// Whether the time stamps of all cores come from one clock, whose rate is the same in every power state.
bool has_steady_time_stamps();

/// `isa` lowered to LANEWISE_ISA. The option can only lower the level: code above the processor's own level would crash
/// the process.
Isa limited_by_options(Isa isa);

/// Detects the processor. On x86 this executes CPUID a few times and opens no file; on AArch64 it reads /proc/cpuinfo.
Cpu read_cpu();

}  // namespace lanewise::host
