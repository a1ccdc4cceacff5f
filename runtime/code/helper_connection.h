// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One running helper and the requests that are in flight on its socket.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "include/lanewise/helper_protocol.h"
#include "runtime/code/asked_job.h"
#include "src/base/bytes.h"
#include "src/base/mutex.h"
#include "src/file/known_descriptor.h"

namespace lanewise {

/// A connection to one helper process.
class HelperConnection {
 public:
  /// How a request ended.
  enum class Outcome {
    replied,
    died,       ///< the helper ended while it worked on this request, which may or may not be the reason
    exhausted,  ///< the helper ended while it worked on this request, because its memory was used up
    not_begun,  ///< the helper ended, or hangs, before it began with this request
    never_ran,  ///< the helper ended, or was silent for too long, before its greeting
    stopped,    ///< the helper has not ended but does not run: it was stopped, or the machine is overloaded
    timed_out,  ///< the helper has worked on this request for longer than the limit
    no_memory,  ///< the reply has come, but there is no memory for it
  };

  using Duration = std::chrono::steady_clock::duration;

  /// Starts the helper in the driver's private directory. Null: no process can be started, and `error` is the errno.
  static std::shared_ptr<HelperConnection> start(const std::string& directory, int& error);

  /// Sends a request and waits for its reply. Thread-safe.
  /// @param limit     time for which the helper may work on this request, from when it begins with it. The time before,
  ///                  in which the helper works on other requests, is not limited as long as a packet comes every two
  ///                  limits.
  /// @param patience  time without any packet after which the helper counts as stopped; it sends two a second. Four
  ///                  times as long before its greeting. Only time in which this thread waited counts, so that both
  ///                  processes may be frozen together.
  /// @param asked     nobody waits for the reply until this says so, and time in which kernels run does not count.
  ///                  Null: somebody waits
  Outcome run(const Bytes& request, Duration limit, Duration patience, Bytes& reply, const AskedJob* asked = nullptr);
  /// Tells the helper which jobs are wanted by now, and whether kernels run, if that is news. Never blocks; what the
  /// socket has no room for is told some milliseconds later. Thread-safe.
  void tell_helper();

  /// Whether the connection has ended.
  [[nodiscard]] bool dead() const;
  /// Ends the helper at once: it exits when its socket is closed.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  /// A request between its sending and its reply.
  struct Flight {
    Clock::time_point since;  ///< time of the sending; after `begun`, time at which the helper began
    bool begun = false;
    bool done = false;
    bool lost = false;  ///< there is no memory for the reply
    bool sent = false;  ///< the helper has the request, as far as this side knows
    Bytes reply;        ///< the received part of the reply
    /// Null: somebody waits for the reply, and the helper knows.
    const AskedJob* asked = nullptr;
    Clock::time_point next_look{};  ///< time at which the thread of an `asked` job looks at kernels again
    std::optional<Clock::time_point> standing_since;  ///< time at which kernels first ran beside an `asked` job
  };

  /// Whether kernels run, looked at every few milliseconds while jobs are only asked for.
  struct KernelWatch {
    bool looked = false;         ///< `commands` is known
    std::uint64_t commands = 0;  ///< count of them at the last look
    Clock::time_point active{};  ///< the last time at which kernels ran
    bool told_busy = false;      ///< what the helper knows

    bool busy(const Kernels& kernels, Clock::time_point now);
  };

  /// The known state of the helper.
  struct Life {
    Clock::time_point heard;  ///< time of the last packet about a request
    Duration silence{};       ///< time for which threads have waited since the last packet
    bool greeted = false;
    bool beats = false;      ///< the helper sends `alive` messages
    bool stopped = false;    ///< the helper has been silent for too long
    bool exhausted = false;  ///< the helper has said that it ends for lack of memory or threads
    bool dead = false;
  };

  explicit HelperConnection(file::Descriptor socket) : socket_(std::move(socket)), buffer_(kBufferBytes) {}
  std::pair<std::uint64_t, Flight*> board(const AskedJob* asked) EXCLUDES(mutex_);
  void send(helper::MessageKind kind, std::uint64_t number, const Bytes& request, Duration patience);
  /// What the helper does not know yet.
  [[nodiscard]] std::optional<helper::PacketHead> next_news() REQUIRES(mutex_);
  void note_told(const helper::PacketHead& told) REQUIRES(mutex_);
  Outcome wait(Flight& flight, Duration limit, Duration patience, Bytes& reply);
  [[nodiscard]] Outcome outcome_of_end(const Flight& flight) const REQUIRES(mutex_);
  [[nodiscard]] Clock::time_point deadline(const Flight& flight, Duration limit) const REQUIRES(mutex_);
  /// Waits for ten milliseconds at most.
  /// @param full  ends as soon as the socket takes a packet
  void wait_for_room(bool full, Duration patience) EXCLUDES(mutex_);
  void read_or_wait(Clock::time_point until, Duration patience) REQUIRES(mutex_);
  /// @param events  what poll waits for: a packet, or room for one as well
  void read(short events, Clock::time_point until, Duration patience) REQUIRES(mutex_);
  void read_one(short events, Clock::time_point until, Duration patience) EXCLUDES(mutex_);
  void take_silence(Duration waited, Duration patience) EXCLUDES(mutex_);
  void take(std::uint64_t number, bool begun, std::uint64_t size, std::span<const std::uint8_t> piece) REQUIRES(mutex_);
  void mark_dead() EXCLUDES(mutex_);

  static const std::size_t kBufferBytes;

  file::KnownDescriptor socket_;
  std::vector<std::uint8_t> buffer_;  ///< buffer of the reading thread; an application's stack may be too small
  mutable Mutex mutex_;               ///< not held during reads and writes of the socket
  ConditionVariable changed_;
  std::map<std::uint64_t, Flight> in_flight_ GUARDED_BY(mutex_);
  std::uint64_t next_number_ GUARDED_BY(mutex_) = 1;
  bool reading_ GUARDED_BY(mutex_) = false;  ///< one of the waiting threads is in recvmsg
  Life life_ GUARDED_BY(mutex_);
  KernelWatch kernels_ GUARDED_BY(mutex_);
  bool telling_ GUARDED_BY(mutex_) = false;     ///< a thread is in tell_helper
  bool tell_again_ GUARDED_BY(mutex_) = false;  ///< another one came meanwhile
};

}  // namespace lanewise
