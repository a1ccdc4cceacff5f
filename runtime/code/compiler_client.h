// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The runtime's way to the compiler (design D1): a helper process, or the same code in-process where none can be made.
///
/// The helper is started at the first request and kept. Requests of several threads are in flight at once on one
/// socket; whichever waiting thread reads a reply hands it to its owner, so no thread is kept for it. If the helper
/// dies, each request that it worked on is tried once more in a helper of its own; the one that ends this one too was
/// the reason, and fails with a log. One that takes too long fails, and its helper is ended; those that wait for their
/// turn, or worked beside it, go on in another one.
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

  /// Where the helper is looked for, and how long one request may take; the instance uses the installation's.
  /// @param timeout_ms  after this, counted from the beginning of its compile, a request counts as hung, and its helper
  ///                    is ended
  CompilerClient(std::string directory, bool in_process, unsigned timeout_ms);
  ~CompilerClient();

  /// Blocks the calling thread until the reply is there; holds no lock while it waits. A compiler that died, hangs or
  /// cannot be had is a reply with the error of the job and a log. Thread-safe.
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
  bool spawn_refused_ = false;  ///< no process could be made once: do not try at every build
};

}  // namespace lanewise
