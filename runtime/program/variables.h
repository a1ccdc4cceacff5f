// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The memory of a program's variables in the global address space (OpenCL C 6.7.1). Each device has its own, which
/// keeps its content from one kernel to the next.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "include/lanewise/compiler_abi.h"
#include "src/base/result.h"

namespace lanewise {

struct Executable;

/// The variables of one program on one device.
class ProgramVariables {
 public:
  /// Creates the memory with the initial values. Errors: CL_OUT_OF_RESOURCES (out of memory).
  /// @param executable  an executable with variables; kept
  static Result<std::shared_ptr<ProgramVariables>> create(std::shared_ptr<const Executable> executable);
  /// Runs the destructors of the variables if their constructors have run.
  ~ProgramVariables();
  ProgramVariables(const ProgramVariables&) = delete;
  ProgramVariables& operator=(const ProgramVariables&) = delete;

  /// Runs the constructors of the variables once; called before any kernel. Threads that call it meanwhile wait.
  /// Errors, for all callers: CL_OUT_OF_RESOURCES (no memory or thread to run the constructors).
  Result<void> construct();

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  ProgramVariables() = default;
  /// Runs a kernel of include/lanewise/variable_kernels.h if the program has it. False: it could not run.
  bool run(const char* kernel) noexcept;
  bool run_here(std::size_t index) noexcept;

  enum class Objects : unsigned char { raw, being_constructed, constructed, failed };

  std::shared_ptr<const Executable> executable_;
  std::atomic<Objects> objects_ = Objects::raw;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  void* mapping_ = nullptr;
  std::size_t mapped_ = 0;
};
using VariablesPtr = std::shared_ptr<ProgramVariables>;

}  // namespace lanewise
