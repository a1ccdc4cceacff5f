// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/helper_connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <new>
#include <utility>

#include "runtime/code/helper_process.h"
#include "src/file/scarce.h"

namespace lanewise {

namespace {

using Clock = std::chrono::steady_clock;

/// How long no kernel has run when a job that is only asked for goes on. An application that launches, waits and
/// launches again leaves less between.
constexpr std::chrono::milliseconds kQuiet{10};

/// How long a job may stand still. Programs whose first launches gain by it, such as clFFT's client and LightGBM, have
/// made them before; code that a forgotten caller needs is late by so much and no more.
constexpr std::chrono::seconds kLongestStand{5};

/// Where poll is forbidden: lets recv do the waiting, with a limit of time of its own.
bool readable(int socket, long milliseconds) {
  const timeval limit{.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
  if (setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) != 0) return true;
  std::uint8_t byte = 0;
  const ssize_t got = recv(socket, &byte, 1, MSG_PEEK);
  return got >= 0 || (errno != EAGAIN && errno != EINTR);  // true also if recvmsg will say what is wrong
}

enum class Ready { nothing, packet, room };

/// Waits until the socket has a packet (`POLLIN` in `events`) or room for one (`POLLOUT`), at most until `deadline` and
/// never much longer than a second.
Ready wait_for(int socket, short events, Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  const long limit = std::clamp<long>(left, 1, 1000);
  pollfd wanted{socket, events, 0};
  const int ready = poll(&wanted, 1, static_cast<int>(limit));
  if (ready < 0 && errno != EINTR && errno != EAGAIN) return readable(socket, limit) ? Ready::packet : Ready::nothing;
  if (ready <= 0) return Ready::nothing;
  return wanted.revents == POLLOUT ? Ready::room : Ready::packet;
}

}  // namespace

const std::size_t HelperConnection::kBufferBytes = helper::kPieceBytes;

std::shared_ptr<HelperConnection> HelperConnection::start(const std::string& directory, int& error) {
  file::Descriptor socket = file::retry_when_scarce([&] { return start_helper(directory, error); });
  if (!socket) return nullptr;
  return std::shared_ptr<HelperConnection>(new HelperConnection(std::move(socket)));
}

bool HelperConnection::dead() const {
  const MutexLock lock(mutex_);
  return life_.dead;
}

void HelperConnection::end() {
  if (const int socket = socket_.get(); socket >= 0) shutdown(socket, SHUT_RDWR);
  mark_dead();
}

void HelperConnection::mark_dead() {
  const MutexLock lock(mutex_);
  life_.dead = true;
  changed_.notify_all();
}

HelperConnection::Outcome HelperConnection::run(const Bytes& request, Duration limit, Duration patience, Bytes& reply,
                                                const AskedJob* asked) {
  if (asked != nullptr && asked->is_wanted()) asked = nullptr;
  const auto [number, flight] = board(asked);
  send(asked != nullptr ? helper::MessageKind::asked : helper::MessageKind::request, number, request, patience);
  {
    const MutexLock lock(mutex_);
    flight->sent = true;
  }
  const Outcome outcome = wait(*flight, limit, patience, reply);
  const MutexLock lock(mutex_);
  in_flight_.erase(number);
  return outcome;
}

std::pair<std::uint64_t, HelperConnection::Flight*> HelperConnection::board(const AskedJob* asked) {
  const MutexLock lock(mutex_);
  const std::uint64_t number = next_number_++;
  const bool first = asked != nullptr && std::none_of(in_flight_.begin(), in_flight_.end(),
                                                      [](const auto& each) { return each.second.asked != nullptr; });
  if (first) kernels_.looked = false;   // commands since the last look were not beside such jobs
  Flight& flight = in_flight_[number];  // its address is stable while others are inserted and erased
  flight.since = Clock::now();
  flight.asked = asked;
  return {number, &flight};
}

bool HelperConnection::KernelWatch::busy(const Kernels& kernels, Clock::time_point now) {
  if (kernels.run || (looked && kernels.commands != commands)) active = now;
  looked = true;
  commands = kernels.commands;
  return now - active < kQuiet;
}

std::optional<helper::PacketHead> HelperConnection::next_news() {
  const auto now = Clock::now();
  bool waits = false;
  bool busy = false;
  for (auto& [number, flight] : in_flight_) {
    if (flight.asked == nullptr || !flight.sent) continue;
    const bool stood = flight.standing_since && now - *flight.standing_since > kLongestStand;
    if (stood || flight.asked->is_wanted())
      return helper::PacketHead{.kind = helper::MessageKind::wanted, .number = number};
    if (!waits) busy = kernels_.busy(flight.asked->look_at_kernels(), now);
    waits = true;
    if (!busy) continue;
    flight.since = now;  // it may stand still
    if (!flight.standing_since) flight.standing_since = now;
  }
  if (!waits || busy == kernels_.told_busy) return std::nullopt;
  if (busy) return helper::PacketHead{.kind = helper::MessageKind::busy, .size = spared_by_kernels()};
  return helper::PacketHead{.kind = helper::MessageKind::quiet};
}

void HelperConnection::note_told(const helper::PacketHead& told) {
  if (told.kind != helper::MessageKind::wanted) {
    kernels_.told_busy = told.kind == helper::MessageKind::busy;
  } else if (const auto found = in_flight_.find(told.number); found != in_flight_.end()) {
    found->second.asked = nullptr;
  }
}

void HelperConnection::tell_helper() {
  MutexLock lock(mutex_);
  tell_again_ = true;
  if (telling_) return;  // one thread at a time, so that news come in their order
  telling_ = true;
  while (std::exchange(tell_again_, false) && !life_.dead) {
    const auto head = next_news();
    if (!head) continue;
    lock.unlock();
    const int socket = socket_.get();
    const bool told = socket >= 0 && helper::send_packet(socket, *head, {}, MSG_DONTWAIT);
    lock.lock();
    if (!told) continue;
    note_told(*head);
    tell_again_ = true;  // there may be more
  }
  telling_ = false;
}

/// A failure is not reported here: the thread that reads notices the end of the connection as well, after the replies
/// that came before it. While the socket is full, this thread reads if no other does, and so notices if the helper is
/// stopped.
void HelperConnection::send(helper::MessageKind kind, std::uint64_t number, const Bytes& request, Duration patience) {
  const auto send_piece = [&](const helper::PacketHead& head, std::span<const std::uint8_t> piece) {
    for (;;) {
      const int socket = socket_.get();
      if (socket >= 0 && helper::send_packet(socket, head, piece, MSG_DONTWAIT)) return true;
      const bool full = socket >= 0 && errno == EAGAIN;
      const bool busy = full || (socket >= 0 && (errno == ENOBUFS || errno == ENOMEM));
      const bool gone = socket >= 0 && (errno == EPIPE || errno == ECONNRESET);
      if (gone || dead()) return false;
      if (!busy) {
        end();
        return false;
      }
      wait_for_room(full, patience);
    }
  };
  helper::send_message(kind, number, request, send_piece);
}

void HelperConnection::wait_for_room(bool full, Duration patience) {
  const Clock::time_point until = Clock::now() + std::chrono::milliseconds(10);
  const auto room = static_cast<short>(full ? POLLOUT : 0);
  const MutexLock lock(mutex_);
  if (!reading_) return read(static_cast<short>(POLLIN | room), until, patience);
  mutex_.unlock();
  wait_for(socket_.get(), room, until);
  mutex_.lock();
}

HelperConnection::Clock::time_point HelperConnection::deadline(const Flight& flight, Duration limit) const {
  if (flight.begun) return flight.since + limit;
  // Every request that the helper works on began before the last packet came. Within one limit of that it either
  // finishes or is ended by the thread that waits for it.
  return std::max(flight.since, life_.heard) + (life_.greeted ? 2 : 1) * limit;
}

HelperConnection::Outcome HelperConnection::outcome_of_end(const Flight& flight) const {
  if (!life_.greeted) return Outcome::never_ran;
  if (life_.stopped) return Outcome::stopped;
  if (!flight.begun) return Outcome::not_begun;
  return life_.exhausted ? Outcome::exhausted : Outcome::died;
}

HelperConnection::Outcome HelperConnection::wait(Flight& flight, Duration limit, Duration patience, Bytes& reply) {
  MutexLock lock(mutex_);
  for (;;) {
    if (flight.done) {
      reply = std::move(flight.reply);
      return flight.lost ? Outcome::no_memory : Outcome::replied;
    }
    if (life_.dead) return outcome_of_end(flight);
    Clock::time_point until = deadline(flight, limit);
    const Clock::time_point now = Clock::now();
    if (flight.asked != nullptr && now >= flight.next_look) {
      flight.next_look = now + AskedJob::kLook;
      lock.unlock();
      tell_helper();
      lock.lock();
      continue;
    }
    if (now >= until) {
      if (flight.begun) return Outcome::timed_out;
      lock.unlock();
      end();
      lock.lock();
      continue;
    }
    if (flight.asked != nullptr) until = std::min(until, flight.next_look);
    read_or_wait(until, patience);
  }
}

/// Reads a packet, or waits while another thread does. Returns at `until` or earlier.
void HelperConnection::read_or_wait(Clock::time_point until, Duration patience) {
  if (reading_) {
    changed_.wait_until(mutex_, until);
    return;
  }
  read(POLLIN, until, patience);
}

void HelperConnection::read(short events, Clock::time_point until, Duration patience) {
  reading_ = true;
  mutex_.unlock();
  read_one(events, until, patience);
  mutex_.lock();
  reading_ = false;
  changed_.notify_all();  // another thread continues to read, or finds its reply
}

void HelperConnection::read_one(short events, Clock::time_point until, Duration patience) {
  const int socket = socket_.get();
  if (socket < 0) return mark_dead();  // the application has closed it
  const auto begin = Clock::now();
  const Ready ready = wait_for(socket, events, until);
  if (ready == Ready::room) return;
  // A timeout or a signal: the caller checks its deadline.
  if (ready == Ready::nothing) return take_silence(Clock::now() - begin, patience);
  helper::PacketHead head;
  std::span<const std::uint8_t> piece;
  if (socket_.get() != socket || !helper::receive_packet(socket, head, buffer_, piece)) return mark_dead();
  const MutexLock lock(mutex_);
  life_.greeted = true;
  life_.silence = {};
  if (head.kind == helper::MessageKind::alive) return;
  life_.heard = Clock::now();
  if (head.kind == helper::MessageKind::hello) life_.beats = head.size != 0;
  if (head.kind == helper::MessageKind::exhausted) life_.exhausted = true;
  if (head.kind == helper::MessageKind::begun || head.kind == helper::MessageKind::reply)
    take(head.number, head.kind == helper::MessageKind::begun, head.size, piece);
}

/// Nothing has come for a while. A wait that took longer than was asked for counts as one of a second: this process did
/// not run either.
void HelperConnection::take_silence(Duration waited, Duration patience) {
  const MutexLock lock(mutex_);
  life_.silence += std::min<Duration>(waited, std::chrono::seconds(1));
  if (life_.silence < (life_.greeted ? patience : 4 * patience) || (life_.greeted && !life_.beats)) return;
  life_.stopped = true;
  life_.dead = true;
  changed_.notify_all();
}

/// Adds a packet to the request that it belongs to. An unknown number belongs to a request that has given up, so the
/// packet is dropped.
void HelperConnection::take(std::uint64_t number, bool begun, std::uint64_t size, std::span<const std::uint8_t> piece) {
  const auto found = in_flight_.find(number);
  if (found == in_flight_.end()) return;
  Flight& flight = found->second;
  if (begun) {
    flight.begun = true;
    flight.since = life_.heard;
    return;
  }
  try {
    flight.reply.insert(flight.reply.end(), piece.begin(), piece.end());
  } catch (const std::bad_alloc&) {
    // This thread reads for all requests; the thread that waits for this reply reports the error.
    flight.lost = true;
  }
  flight.done = flight.lost || flight.reply.size() >= size;
}

}  // namespace lanewise
