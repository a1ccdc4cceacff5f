// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/helper_connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <new>

#include "include/lanewise/helper_protocol.h"
#include "runtime/code/helper_process.h"
#include "src/file/scarce.h"

namespace lanewise {

namespace {

using Clock = std::chrono::steady_clock;

/// Waits until the socket is ready, at most until `deadline` and never much longer than a second.
bool wait_for(int socket, short what, Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  pollfd wanted{socket, what, 0};
  return poll(&wanted, 1, static_cast<int>(std::clamp<long>(left, 1, 1000))) > 0;
}

}  // namespace

const std::size_t HelperConnection::kBufferBytes = helper::kPieceBytes;

std::shared_ptr<HelperConnection> HelperConnection::start(const std::string& directory) {
  file::Descriptor socket = file::retry_when_scarce([&] { return start_helper(directory); });
  if (!socket) return nullptr;
  return std::shared_ptr<HelperConnection>(new HelperConnection(std::move(socket)));
}

bool HelperConnection::dead() const {
  const std::lock_guard lock(mutex_);
  return dead_;
}

void HelperConnection::end() {
  shutdown(socket_.get(), SHUT_RDWR);
  mark_dead();
}

void HelperConnection::mark_dead() {
  const std::lock_guard lock(mutex_);
  dead_ = true;
  changed_.notify_all();
}

HelperConnection::Outcome HelperConnection::run(const Bytes& request, Clock::duration limit, Bytes& reply) {
  std::uint64_t number = 0;
  Flight* flight = nullptr;
  {
    const std::lock_guard lock(mutex_);
    number = next_number_++;
    flight = &in_flight_[number];  // its address is stable while others are inserted and erased
    flight->since = Clock::now();
  }
  send(number, request, limit);
  const Outcome outcome = wait(*flight, limit, reply);
  const std::lock_guard lock(mutex_);
  in_flight_.erase(number);
  return outcome;
}

/// A failure is not reported here: the thread that reads notices the end of the connection as well, after the replies
/// that came before it.
void HelperConnection::send(std::uint64_t number, const Bytes& request, Clock::duration limit) {
  const auto begin = Clock::now();
  const auto send_piece = [&](const helper::Head& head, std::span<const std::uint8_t> piece) {
    while (!helper::send_packet(socket_.get(), head, piece, MSG_DONTWAIT)) {
      const bool busy = errno == EAGAIN || errno == ENOBUFS || errno == ENOMEM;
      const bool gone = errno == EPIPE || errno == ECONNRESET;
      if (gone || dead()) return false;
      if (!busy || Clock::now() - begin > 2 * limit) {
        end();
        return false;
      }
      wait_for(socket_.get(), POLLOUT, Clock::now() + std::chrono::milliseconds(10));
    }
    return true;
  };
  helper::send_message(helper::Kind::request, number, request, send_piece);
}

HelperConnection::Clock::time_point HelperConnection::deadline(const Flight& flight, Clock::duration limit) const {
  if (flight.begun) return flight.since + limit;
  // Every request that the helper works on began before the last packet came. Within one limit of that it either
  // finishes or is ended by the thread that waits for it.
  return std::max(flight.since, heard_) + (greeted_ ? 2 : 1) * limit;
}

HelperConnection::Outcome HelperConnection::wait(Flight& flight, Clock::duration limit, Bytes& reply) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (flight.done) {
      reply = std::move(flight.reply);
      return flight.lost ? Outcome::no_memory : Outcome::replied;
    }
    if (dead_ && !greeted_) return Outcome::never_ran;
    if (dead_ && !flight.begun) return Outcome::not_begun;
    if (dead_) return exhausted_ ? Outcome::exhausted : Outcome::died;
    const Clock::time_point until = deadline(flight, limit);
    if (Clock::now() >= until) {
      if (flight.begun) return Outcome::timed_out;
      lock.unlock();
      end();
      lock.lock();
      continue;
    }
    if (reading_) {
      changed_.wait_until(lock, until);
      continue;
    }
    reading_ = true;
    lock.unlock();
    read_one(until);
    lock.lock();
    reading_ = false;
    changed_.notify_all();  // another thread continues to read, or finds its reply
  }
}

void HelperConnection::read_one(Clock::time_point deadline) {
  // A timeout or a signal: the caller checks its deadline.
  if (!wait_for(socket_.get(), POLLIN, deadline)) return;
  helper::Head head;
  std::span<const std::uint8_t> piece;
  if (!helper::receive_packet(socket_.get(), head, buffer_, piece)) return mark_dead();
  const std::lock_guard lock(mutex_);
  greeted_ = true;
  heard_ = Clock::now();
  if (head.kind == helper::Kind::exhausted) exhausted_ = true;
  if (head.kind == helper::Kind::begun || head.kind == helper::Kind::reply)
    take(head.number, head.kind == helper::Kind::begun, head.size, piece);
}

/// Adds a packet to the request that it belongs to; the caller holds the mutex. An unknown number belongs to a request
/// that has given up, so the packet is dropped.
void HelperConnection::take(std::uint64_t number, bool begun, std::uint64_t size, std::span<const std::uint8_t> piece) {
  const auto found = in_flight_.find(number);
  if (found == in_flight_.end()) return;
  Flight& flight = found->second;
  if (begun) {
    flight.begun = true;
    flight.since = heard_;
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
