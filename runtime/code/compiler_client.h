// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the runtime calls the compiler (design D1): in a helper process, or in-process where no process can be started.
///
/// The helper is started at the first request and kept. Requests of several threads share one socket; whichever waiting
/// thread reads a reply gives it to the request that it belongs to, so no extra thread is needed. If the helper dies,
/// each request that it worked on is tried once more in a helper of its own; a request whose own helper dies too was
/// the reason, and fails with a log. One that takes too long fails, and its helper is ended; requests that were
/// waiting, or were compiled at the same time, continue in another helper.
#pragma once

#include <memory>
#include <mutex>

#include "include/lanewise/compiler_abi.h"
#include "src/base/result.h"

namespace lanewise {

class HelperConnection;

class CompilerClient {
 public:
  static CompilerClient& instance();

  /// `directory` is where the helper is looked for; `instance` uses that of the installation.
  /// @param timeout_ms  after this, counted from the beginning of its compile, a request counts as hung, and its helper
  ///                    is ended
  CompilerClient(std::string directory, bool in_process, unsigned timeout_ms);
  ~CompilerClient();

  /// Blocks the calling thread until the reply is there; holds no lock while it waits. If the compiler dies, hangs or
  /// cannot be started, the reply has the error of the job and a log. Thread-safe.
  abi::Reply run(const abi::Request& request);

 private:
  std::shared_ptr<HelperConnection> connection();
  void drop(const std::shared_ptr<HelperConnection>& broken);
  abi::Reply run_in_process(const abi::Request& request, const Bytes& encoded);

  const std::string directory_;
  const bool in_process_;
  const unsigned timeout_ms_;
  std::mutex mutex_;  ///< guards connection_ and spawn_refused_; held across the start of a helper, never a compile
  std::shared_ptr<HelperConnection> connection_;
  bool spawn_refused_ = false;  ///< no process could be started: do not try again at every build
};

}  // namespace lanewise
