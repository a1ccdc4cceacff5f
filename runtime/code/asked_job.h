// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A job for the helper that is only asked for: nobody waits for it, until somebody does.
///
/// While kernels run it stands still, so that code which may never be launched takes no processor away from code that
/// is. The helper is told when kernels begin and end to run (HelperConnection). It resumes the job when somebody waits
/// for it, or for another job. Five seconds after kernels first ran beside it, the job goes on in any case. It stops no
/// earlier than it has begun, so a machine without kernels loses nothing. Another process that waits for the same code
/// (compile_turn.h) waits as long as for any slow owner.
#pragma once

#include <atomic>
#include <chrono>

#include "runtime/code/build_tasks.h"

namespace lanewise {

/// Thread-safe.
class AskedJob {
 public:
  /// How often the thread of such a job looks at kernels, and whether somebody waits.
  static constexpr std::chrono::milliseconds kLook{5};

  /// @param look  how to know that kernels run
  explicit AskedJob(LookAtKernels look) : look_(look) {}

  [[nodiscard]] bool is_wanted() const { return wanted_.load(std::memory_order_relaxed); }
  /// CompilerClient::want tells the helper.
  void set_wanted() { wanted_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] Kernels look_at_kernels() const { return look_(); }

 private:
  const LookAtKernels look_;
  std::atomic<bool> wanted_{false};
};

}  // namespace lanewise
