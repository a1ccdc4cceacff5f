// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Measures where the time of a build goes: LANEWISE_DEBUG=time prints a line for each phase on the compiler's stderr.
#pragma once

#include <string_view>

namespace lanewise {

/// Measures the time from its construction to its end or `stop`, as wall clock and as processor time of this thread.
/// Costs nothing while the channel is off. `name` and `of` (what is worked on: a kernel, or nothing) must outlive it.
class Phase {
 public:
  explicit Phase(const char* name, std::string_view of = {});
  ~Phase() { stop(); }
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;
  void stop();

 private:
  const char* name_;
  std::string_view of_;
  bool running_;
  double wall_ = 0;  ///< milliseconds at the start
  double cpu_ = 0;
};

}  // namespace lanewise
