// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the processor is and which instruction sets code may use on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "src/base/isa.h"

namespace lanewise::host {

struct Cpu {
  std::string name;             ///< marketing name, trimmed; "" if the processor does not say
  std::string vendor;           ///< "AuthenticAMD", "GenuineIntel", "ARM" ...
  std::uint32_t vendor_id = 0;  ///< PCI number of that vendor, 0 if unknown
  std::uint32_t family = 0;
  std::uint32_t model = 0;
  std::uint32_t stepping = 0;

  /// The highest level of which the processor has every instruction and the operating system saves every register, and
  /// the features that the driver knows. Nothing: the processor is below all levels that code is made for.
  std::optional<Isa> isa;
};

/// Reads the processor; executes CPUID a few times, opens no file on x86.
Cpu read_cpu();

}  // namespace lanewise::host
