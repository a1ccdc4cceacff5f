// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One running helper and the requests that are in flight on its socket.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "src/base/bytes.h"
#include "src/file/file.h"

namespace lanewise {

class HelperConnection {
 public:
  /// How a request ended.
  enum class Outcome {
    replied,
    died,       ///< the helper ended while it worked on this request; whether this was the reason is not known
    not_begun,  ///< the helper ended, or stands still, and has not begun with this request
    never_ran,  ///< the helper ended before it said hello
    timed_out,  ///< the helper works on this request for longer than the limit
    no_memory,  ///< the reply has come, and there is no memory for it
  };

  /// Starts the helper of the driver's private directory; null if no process can be made.
  static std::shared_ptr<HelperConnection> start(const std::string& directory);

  /// Sends a request and waits for its reply. Thread-safe.
  /// @param limit  what the helper may take, counted from the moment when it begins with this request. The wait for
  ///               others that it works on is not limited, as long as it gives a sign of life every two limits: each of
  ///               those has its own.
  Outcome run(const Bytes& request, std::chrono::steady_clock::duration limit, Bytes& reply);

  /// Nothing can be sent any more.
  [[nodiscard]] bool dead() const;
  /// Ends the helper, whatever it is doing: it watches its socket.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  /// A request between its sending and its reply.
  struct Flight {
    Clock::time_point since;  ///< when it was sent, or, once it is begun, when the helper began
    bool begun = false;
    bool done = false;
    bool lost = false;  ///< no memory for the reply
    Bytes reply;        ///< what has come of it
  };

  explicit HelperConnection(file::Descriptor socket) : socket_(std::move(socket)), buffer_(kBufferBytes) {}
  void send(std::uint64_t number, const Bytes& request, Clock::duration limit);
  Outcome wait(Flight& flight, Clock::duration limit, Bytes& reply);
  [[nodiscard]] Clock::time_point deadline(const Flight& flight, Clock::duration limit) const;
  void read_one(Clock::time_point deadline);
  void take(std::uint64_t number, bool begun, std::uint64_t size, std::span<const std::uint8_t> piece);
  void mark_dead();

  static const std::size_t kBufferBytes;

  file::Descriptor socket_;
  std::vector<std::uint8_t> buffer_;  ///< the reading thread's; an application's stack may be too small for it
  mutable std::mutex mutex_;          ///< guards what follows; not held while the socket is read or written
  std::condition_variable changed_;
  std::map<std::uint64_t, Flight> in_flight_;
  std::uint64_t next_number_ = 1;
  Clock::time_point heard_;  ///< when the last packet came
  bool reading_ = false;     ///< one of the waiting threads is in recvmsg
  bool greeted_ = false;
  bool dead_ = false;
};

}  // namespace lanewise
