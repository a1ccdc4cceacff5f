// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs from SPIR-V (API 5.8.1, 5.8.3): what they were made from, and the constants that the application has set.
#pragma once

#include <CL/cl.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "include/lanewise/compiler_abi.h"
#include "runtime/code/spirv_module.h"
#include "src/base/bytes.h"
#include "src/base/result.h"

namespace lanewise {

/// The module of a program and the values of its specialisation constants.
class IlSource {
 public:
  IlSource(std::span<const std::uint8_t> given, SpirvModule module)
      : given_(given.begin(), given.end()), module_(std::move(module)) {}

  /// What the application gave, byte by byte (CL_PROGRAM_IL).
  [[nodiscard]] const Bytes& given() const { return given_; }
  [[nodiscard]] const Bytes& words() const { return module_.words; }

  /// API 5.8.3. Errors: CL_INVALID_SPEC_ID, CL_INVALID_VALUE (size, or no value).
  Result<void> set_constant(std::uint32_t id, std::size_t size, const void* value);
  /// Those that were set, by id.
  [[nodiscard]] std::vector<abi::SpecConstant> constants() const;

 private:
  const Bytes given_;
  const SpirvModule module_;
  mutable std::mutex mutex_;  ///< guards values_; innermost
  std::map<std::uint32_t, std::uint64_t> values_;
};

/// Whether modules can be compiled here: the translator is installed, and processes may be started for it.
bool il_available();

/// Reads and validates a module. Errors: CL_INVALID_VALUE with the reason; CL_OUT_OF_RESOURCES and the like where the
/// validator is not to be had.
Result<SpirvModule> checked_il(std::span<const std::uint8_t> bytes);

}  // namespace lanewise
