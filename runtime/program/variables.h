// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The memory of a program's variables in the global address space, on one device (OpenCL C 6.7.1). It keeps its
/// contents from one kernel to the next; each device has its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "include/lanewise/compiler_abi.h"
#include "src/base/result.h"

namespace lanewise {

struct Executable;

class ProgramVariables {
 public:
  /// Memory with the initial values. Errors: CL_OUT_OF_RESOURCES (there is not so much).
  /// @param executable  one that has variables; kept
  static Result<std::shared_ptr<ProgramVariables>> create(std::shared_ptr<const Executable> executable);
  /// Runs the destructors, if constructors have run.
  ~ProgramVariables();
  ProgramVariables(const ProgramVariables&) = delete;
  ProgramVariables& operator=(const ProgramVariables&) = delete;

  /// Runs the constructors, once; who comes meanwhile waits for them. Before any kernel. Errors: CL_OUT_OF_RESOURCES
  /// (no memory or thread to run them), for all that come.
  Result<void> construct();

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  ProgramVariables() = default;
  /// One of the kernels of include/lanewise/variable_kernels.h, if the program has it. False: it could not run.
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
