// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the runtime calls the compiler (design D1): in a helper process, or in-process where no process can be started.
///
/// The helper is started at the first request and kept. Requests of several threads share one socket; whichever waiting
/// thread reads a reply gives it to the request that it belongs to, so no extra thread is needed. If the helper dies,
/// each request that it worked on is tried once more in a helper of its own; a request whose own helper dies too was
/// the reason, and fails with a log. One that takes too long fails, and its helper is ended; requests that were
/// waiting, or were compiled at the same time, continue in another helper. So they do if the helper is stopped, by a signal
/// or a debugger, for some seconds.
///
/// A helper has the rights that the process had when it was started: it reads what programs include. So it serves only
/// threads with the same rights (src/host/rights.h); when a request comes from one with others, it is ended and another
/// takes its place.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "include/lanewise/compiler_abi.h"
#include "src/base/mutex.h"
#include "src/base/result.h"
#include "src/file/scarce.h"
#include "src/host/rights.h"

namespace lanewise {

class HelperConnection;

class CompilerClient {
 public:
  static constexpr std::chrono::milliseconds kPatience{5000};

  static CompilerClient& instance();

  /// `directory` is where the helper is looked for; `instance` uses that of the installation.
  /// @param timeout_ms  after this, counted from the beginning of its compile or the end of one of its kernels, a request
  ///                    counts as hung, and its helper is ended
  /// @param patience    how long a helper may be silent while it works, before it counts as stopped. Doubled each time
  ///                    that one does, up to three times, in case the machine is overloaded
  CompilerClient(std::string directory, bool in_process, unsigned timeout_ms,
                 std::chrono::milliseconds patience = kPatience);
  ~CompilerClient();

  /// Blocks the calling thread until the reply is there; holds no lock while it waits. If the compiler dies, hangs or
  /// cannot be started, the reply has the error of the job and a log. Thread-safe.
  abi::Reply run(const abi::Request& request);

 private:
  struct Turns;

  std::shared_ptr<HelperConnection> connection(const host::Rights& rights);
  void drop(const std::shared_ptr<HelperConnection>& broken);
  std::chrono::milliseconds patience();
  void lose_patience(std::chrono::milliseconds had);
  std::optional<abi::Reply> end_of_turn(const abi::Request& request, const Bytes& encoded, Turns& turns);
  abi::Reply run_in_process(const abi::Request& request, const Bytes& encoded);

  const std::string directory_;
  const bool in_process_;
  const unsigned timeout_ms_;
  const std::chrono::milliseconds most_patience_;
  /// Held across the start of a helper, never a compile. Locked before that of a connection.
  Mutex mutex_ ACQUIRED_BEFORE(file::scarce_mutex);
  std::shared_ptr<HelperConnection> connection_ GUARDED_BY(mutex_);
  host::Rights rights_ GUARDED_BY(mutex_);         ///< of connection_, or with which no helper could be started
  bool spawn_refused_ GUARDED_BY(mutex_) = false;  ///< no process could be started: do not try again at every build
  std::chrono::milliseconds patience_ GUARDED_BY(mutex_);
};

}  // namespace lanewise
