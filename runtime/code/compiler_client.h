// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The way to the compiler: a helper process, or the same code as a library where no process can be made (design D1).
///
/// The helper is started at the first request and serves several requests at once. It is not a child that the
/// application can see, inherits nothing but one socket, and ends when that socket closes. A forked child of the
/// application does not share it but starts its own.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "include/lanewise/compiler_abi.h"
#include "src/base/result.h"
#include "src/config/config.h"

namespace lanewise {

/// Where the compiler's files are: LANEWISE_COMPILER_DIR, or `lanewise/` beside the driver.
std::string compiler_directory();

struct ClientOptions {
  std::string helper;   ///< absolute path of the program `lanewise-compiler`
  std::string library;  ///< absolute path of `liblanewise-compiler.so`
  Placement placement = Placement::process;
  std::chrono::milliseconds timeout{300'000};  ///< of one request, from its submission
  std::uint64_t memory_limit = 0;              ///< bytes of data that the helper may map; 0: no limit
  bool show_messages = false;                  ///< the helper keeps the application's stderr

  static ClientOptions from_config();
};

namespace code {
struct ClientState;
}

class CompilerClient {
 public:
  explicit CompilerClient(ClientOptions options);
  ~CompilerClient();
  CompilerClient(const CompilerClient&) = delete;
  CompilerClient& operator=(const CompilerClient&) = delete;

  /// The client of this process, never destroyed. Starts nothing.
  static CompilerClient& instance();

  /// Runs one request and blocks the calling thread for its answer; any number of threads at once, no lock held.
  ///
  /// The answer is always a reply, whose status tells success. What went wrong outside the compiler's own diagnostics
  /// is in its log: CL_BUILD_PROGRAM_FAILURE (CL_COMPILE_..., CL_LINK_...) when the compiler crashed, hung or ran out
  /// of memory on this request, CL_COMPILER_NOT_AVAILABLE when there is none.
  /// Error: CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES (the request could not be handed over).
  Result<abi::Reply> run(const abi::Request& request);

  /// Process id of the running helper, or 0. For tests and debug output.
  [[nodiscard]] int helper_pid();

  [[nodiscard]] const ClientOptions& options() const { return options_; }

 private:
  code::ClientState& state();

  const ClientOptions options_;
  std::atomic<code::ClientState*> state_{nullptr};
};

}  // namespace lanewise
