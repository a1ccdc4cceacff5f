// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One running helper and the requests that are in flight on its socket.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "src/base/bytes.h"
#include "src/file/file.h"

namespace lanewise {

class HelperConnection {
 public:
  /// How a request ended.
  enum class Outcome {
    replied,
    died,       ///< the helper ended; whether this request was the reason is not known
    never_ran,  ///< the helper ended before it said hello
    timed_out,
  };

  /// Starts the helper; null if no process can be made.
  static std::shared_ptr<HelperConnection> start(const std::string& program);

  /// Sends a request and waits for its reply. Thread-safe.
  Outcome run(const Bytes& request, std::chrono::steady_clock::time_point deadline, Bytes& reply);

  /// Nothing can be sent any more.
  [[nodiscard]] bool dead() const;
  /// Ends the helper, whatever it is doing: it watches its socket.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  explicit HelperConnection(file::Descriptor socket) : socket_(std::move(socket)) {}
  Outcome wait(std::uint64_t number, Clock::time_point deadline, Bytes& reply);
  void read_one(Clock::time_point deadline);
  void mark_dead();

  file::Descriptor socket_;
  mutable std::mutex mutex_;  ///< guards what follows; not held while the socket is read
  std::condition_variable changed_;
  std::map<std::uint64_t, std::optional<Bytes>> in_flight_;
  std::uint64_t next_number_ = 1;
  bool reading_ = false;  ///< one of the waiting threads is in recvmsg
  bool greeted_ = false;
  bool dead_ = false;
};

}  // namespace lanewise
