// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the processor is and which instruction sets code may use on it.
#pragma once

#include <cstdint>
#include <string>

namespace lanewise::host {

struct Cpu {
  std::string name;             ///< marketing name, trimmed; "" if the processor does not say
  std::string vendor;           ///< "AuthenticAMD", "GenuineIntel", "ARM" ...
  std::uint32_t vendor_id = 0;  ///< PCI number of that vendor, 0 if unknown
  std::uint32_t family = 0;
  std::uint32_t model = 0;
  std::uint32_t stepping = 0;

  /// Highest x86-64 micro-architecture level (psABI: 1 to 4) of which the processor has every instruction and the
  /// operating system saves every register. 0 on other architectures.
  std::uint32_t isa_level = 0;
  std::uint32_t vector_bytes = 16;  ///< widest vector register of that level
  bool has_fma = false;

  // Beyond the levels; each one includes the operating system's support.
  bool has_avx512_fp16 = false;
  bool has_avx512_bf16 = false;
  bool has_avx512_vnni = false;
  bool has_avx_vnni = false;
};

/// Reads the processor; executes CPUID a few times, opens no file on x86.
Cpu read_cpu();

}  // namespace lanewise::host
