// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The memory of a program's variables in the global address space, on one device (OpenCL C 6.7.1): it keeps its
/// contents from one kernel to the next, and devices share nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "include/lanewise/compiler_abi.h"
#include "src/base/result.h"

namespace lanewise {

class ProgramVariables {
 public:
  /// Memory with the initial values. Errors: CL_OUT_OF_RESOURCES (there is not so much).
  /// @param storage  with at least one byte, and plausible
  static Result<std::shared_ptr<const ProgramVariables>> create(const abi::VariableStorage& storage);
  ~ProgramVariables();
  ProgramVariables(const ProgramVariables&) = delete;
  ProgramVariables& operator=(const ProgramVariables&) = delete;

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  ProgramVariables() = default;

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  void* mapping_ = nullptr;
  std::size_t mapped_ = 0;
};
using VariablesPtr = std::shared_ptr<const ProgramVariables>;

/// Whether memory can be laid out as it says: nothing lies outside, and no number overflows.
[[nodiscard]] bool is_plausible(const abi::VariableStorage& storage);

}  // namespace lanewise
