// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One running helper and the requests that are in flight on its socket.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/base/bytes.h"
#include "src/base/mutex.h"
#include "src/file/known_descriptor.h"

namespace lanewise {

class HelperConnection {
 public:
  /// How a request ended.
  enum class Outcome {
    replied,
    died,       ///< the helper ended while it worked on this request, which may or may not be the reason
    exhausted,  ///< as `died`, because its memory was used up
    not_begun,  ///< the helper ended, or hangs, and has not begun with this request
    never_ran,  ///< the helper ended, or was silent for long, before it sent its greeting
    stopped,  ///< the helper does not run, though it has not ended: somebody has stopped it, or the machine is overloaded
    timed_out,  ///< the helper has worked on this request for longer than the limit
    no_memory,  ///< the reply has come, but there is no memory for it
  };

  using Duration = std::chrono::steady_clock::duration;

  /// Starts the helper in the driver's private directory; null if no process can be started, with errno in `error`.
  static std::shared_ptr<HelperConnection> start(const std::string& directory, int& error);

  /// Sends a request and waits for its reply. Thread-safe.
  /// @param limit     how long the helper may work on this request, counted from when it begins with it. The time before
  ///                  that, while it works on others, is not limited as long as a packet comes every two limits: each of
  ///                  those requests has a limit of its own.
  /// @param patience  how long nothing at all may come of the helper, which says twice a second that it runs, before it
  ///                  counts as stopped; four times as long before its greeting. Only time in which this thread waited
  ///                  counts, so that both may be frozen together.
  Outcome run(const Bytes& request, Duration limit, Duration patience, Bytes& reply);

  /// Whether the connection has ended.
  [[nodiscard]] bool dead() const;
  /// Ends the helper, whatever it is doing: it exits when its socket is closed.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  /// A request between its sending and its reply.
  struct Flight {
    Clock::time_point since;  ///< when it was sent; once the helper has begun with it, when that was
    bool begun = false;
    bool done = false;
    bool lost = false;  ///< no memory for the reply
    Bytes reply;        ///< the part that has arrived
  };

  /// What is known of the helper.
  struct Life {
    Clock::time_point heard;  ///< when the last packet came that is about a request
    Duration silence{};       ///< for so long threads have waited since anything came
    bool greeted = false;
    bool beats = false;      ///< it says regularly that it runs
    bool stopped = false;    ///< it has not for too long
    bool exhausted = false;  ///< it has said that it ends for lack of memory or threads
    bool dead = false;
  };

  explicit HelperConnection(file::Descriptor socket) : socket_(std::move(socket)), buffer_(kBufferBytes) {}
  void send(std::uint64_t number, const Bytes& request, Duration patience);
  Outcome wait(Flight& flight, Duration limit, Duration patience, Bytes& reply);
  [[nodiscard]] Outcome outcome_of_end(const Flight& flight) const REQUIRES(mutex_);
  [[nodiscard]] Clock::time_point deadline(const Flight& flight, Duration limit) const REQUIRES(mutex_);
  void read_or_wait(Clock::time_point until, Duration patience) REQUIRES(mutex_);
  void read_one(Clock::time_point until, Duration patience) EXCLUDES(mutex_);
  void take_silence(Duration waited, Duration patience) EXCLUDES(mutex_);
  void take(std::uint64_t number, bool begun, std::uint64_t size, std::span<const std::uint8_t> piece) REQUIRES(mutex_);
  void mark_dead() EXCLUDES(mutex_);

  static const std::size_t kBufferBytes;

  file::KnownDescriptor socket_;
  std::vector<std::uint8_t> buffer_;  ///< for the thread that reads; an application's stack may be too small for it
  mutable Mutex mutex_;               ///< not held while the socket is read or written
  ConditionVariable changed_;
  std::map<std::uint64_t, Flight> in_flight_ GUARDED_BY(mutex_);
  std::uint64_t next_number_ GUARDED_BY(mutex_) = 1;
  bool reading_ GUARDED_BY(mutex_) = false;  ///< one of the waiting threads is in recvmsg
  Life life_ GUARDED_BY(mutex_);
};

}  // namespace lanewise
