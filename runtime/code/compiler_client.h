// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The runtime's call of the compiler (design D1): in a helper process, or in-process if no process can be started.
///
/// The helper is started at the first request and kept. Requests of several threads share one socket. The waiting
/// thread that reads a reply gives it to its request, so no extra thread is needed.
///
/// If the helper dies, each request that it worked on is tried once more in a helper of its own. A request whose own
/// helper dies too was the reason, and fails with a log. A request that takes too long fails, and its helper is ended;
/// requests that waited or were compiled at the same time continue in another helper. They also do so if the helper is
/// stopped, by a signal or a debugger, for some seconds.
///
/// A helper reads the files that programs include, with the rights that the process had at its start. It serves only
/// threads with equal rights (src/host/rights.h). A request of a thread with other rights ends the helper and starts
/// another.
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

class AskedJob;
class HelperConnection;

class CompilerClient {
 public:
  static constexpr std::chrono::milliseconds kPatience{5000};

  static CompilerClient& instance();

  /// @param directory   the directory of the helper; `instance` uses that of the installation
  /// @param in_process  call the compiler library without a helper
  /// @param timeout_ms  milliseconds from the start of a compile, or from the end of one of its kernels, after which
  ///                    the request fails and its helper is ended
  /// @param patience    time for which a working helper may be silent before it counts as stopped. Doubled each time
  ///                    that a helper counts as stopped, up to three times, in case the machine is overloaded
  CompilerClient(std::string directory, bool in_process, unsigned timeout_ms,
                 std::chrono::milliseconds patience = kPatience);
  ~CompilerClient();

  /// Blocks the calling thread until the reply has come; holds no lock while it waits. If the compiler dies, hangs or
  /// cannot be started, the reply has the error of the job and a log. Thread-safe.
  /// @param asked  nobody waits for the reply until this says so; null: somebody does
  abi::Reply run(const abi::Request& request, const AskedJob* asked = nullptr);
  /// Somebody waits for this job now; the helper hears of it at once, or soon. Never blocks. Thread-safe.
  void want(AskedJob& job);

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
  /// Held across the start of a helper, never across a compile. Locked before the mutex of a connection.
  Mutex mutex_ ACQUIRED_BEFORE(file::scarce_mutex);
  std::shared_ptr<HelperConnection> connection_ GUARDED_BY(mutex_);
  host::Rights rights_ GUARDED_BY(mutex_);         ///< rights of `connection_`, or of a failed start of a helper
  bool spawn_refused_ GUARDED_BY(mutex_) = false;  ///< no process could be started, so builds do not try again
  std::chrono::milliseconds patience_ GUARDED_BY(mutex_);
};

}  // namespace lanewise
