// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs from SPIR-V (API 5.8.1, 5.8.3): the module, and the constants that the application has set.
#pragma once

#include <CL/cl.h>

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "include/lanewise/compiler_abi.h"
#include "runtime/code/spirv_module.h"
#include "src/base/bytes.h"
#include "src/base/mutex.h"
#include "src/base/result.h"

namespace lanewise {

/// The module of a program and the values of its specialisation constants.
class IlSource {
 public:
  IlSource(std::span<const std::uint8_t> given, SpirvModule module)
      : given_(given.begin(), given.end()), module_(std::move(module)) {}

  /// The bytes that the application gave (CL_PROGRAM_IL).
  [[nodiscard]] const Bytes& given() const { return given_; }
  /// The module in this machine's byte order.
  [[nodiscard]] const Bytes& words() const { return module_.words; }

  /// Sets a specialisation constant to `size` bytes (API 5.8.3). Errors: CL_INVALID_SPEC_ID, CL_INVALID_VALUE (wrong
  /// size, or no value).
  Result<void> set_constant(std::uint32_t id, std::size_t size, const void* value);
  /// The constants that have been set, sorted by id.
  [[nodiscard]] std::vector<abi::SpecConstant> constants() const;

 private:
  const Bytes given_;
  const SpirvModule module_;
  mutable Mutex mutex_;                                               ///< innermost
  std::map<std::uint32_t, std::uint64_t> values_ GUARDED_BY(mutex_);  ///< key: SpecId
};

/// Whether modules can be compiled: the translator is installed, and the compiler is not in-process.
bool il_available();

/// Whether modules may declare what only the newer SPIRV-Tools can read (spirv_surface.def).
bool newer_spirv_is_read();

/// The minor number of the OpenCL 3 version that the device reports. OpenCL 3.1 requires SPIR-V; its other requirements
/// are always met.
inline unsigned opencl_minor() {
  return il_available() ? 1 : 0;
}

/// Reads and validates a module. Errors: CL_INVALID_VALUE with the reason; CL_OUT_OF_RESOURCES and others if the
/// validator cannot run.
Result<SpirvModule> checked_il(std::span<const std::uint8_t> bytes);

}  // namespace lanewise
