// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LANEWISE_DEBUG=crash: a signal that a kernel raises (SIGSEGV, SIGBUS, SIGFPE, SIGILL) is reported on stderr with the
/// kernel, its arguments, the work-groups and the place in its code. Then the handler runs that was there before, or
/// the process ends as it would have.
///
/// The handlers are installed by the first API call. A handler that the application installs later replaces the
/// driver's.
#pragma once

#include <atomic>
#include <cstdint>

namespace lanewise {

namespace detail {
extern std::atomic<bool> g_reports_crashes;
}

/// Installs the handlers if the option asks for them.
void start_crash_reports() noexcept;

[[nodiscard]] inline bool reports_crashes() {
  return detail::g_reports_crashes.load(std::memory_order_relaxed);
}

/// The calling thread runs a kernel while the object exists. Used only if `reports_crashes`.
class RunsKernel {
 public:
  /// @param text  description of the launch, valid as long as the object
  /// @param code  function that runs
  RunsKernel(const char* text, const void* code) noexcept;
  ~RunsKernel();
  RunsKernel(const RunsKernel&) = delete;
  RunsKernel& operator=(const RunsKernel&) = delete;

  /// Notes that the work-groups [first, last) run next.
  void at(std::uint64_t first, std::uint64_t last) noexcept;

 private:
  friend struct CrashHandler;
  RunsKernel* outer_;
  const char* text_;
  const char* file_ = "";    ///< image that contains the code
  std::uintptr_t base_ = 0;  ///< address at which the code object is loaded
  std::atomic<std::uint64_t> first_{0};
  std::atomic<std::uint64_t> last_{0};
};

}  // namespace lanewise
