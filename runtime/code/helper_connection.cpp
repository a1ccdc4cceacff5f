// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/helper_connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>

#include "include/lanewise/helper_protocol.h"
#include "runtime/code/helper_process.h"

namespace lanewise {

std::shared_ptr<HelperConnection> HelperConnection::start(const std::string& program) {
  file::Descriptor socket = start_helper(program);
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

HelperConnection::Outcome HelperConnection::run(const Bytes& request, Clock::time_point deadline, Bytes& reply) {
  const file::Descriptor file = file::in_memory("lanewise-request", request);
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    number = next_number_++;
    in_flight_.emplace(number, std::nullopt);
  }
  const bool sent =
      file && helper::send_packet(socket_.get(), {.kind = helper::Kind::request, .number = number}, file.get());
  if (!sent) mark_dead();
  const Outcome outcome = wait(number, deadline, reply);
  const std::lock_guard lock(mutex_);
  in_flight_.erase(number);
  return outcome;
}

HelperConnection::Outcome HelperConnection::wait(std::uint64_t number, Clock::time_point deadline, Bytes& reply) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (auto& slot = in_flight_[number]) {
      reply = std::move(*slot);
      return Outcome::replied;
    }
    if (dead_) return greeted_ ? Outcome::died : Outcome::never_ran;
    if (Clock::now() >= deadline) return Outcome::timed_out;
    if (reading_) {
      changed_.wait_until(lock, deadline);
      continue;
    }
    reading_ = true;
    lock.unlock();
    read_one(deadline);
    lock.lock();
    reading_ = false;
    changed_.notify_all();  // somebody else takes over the reading, or finds its reply
  }
}

void HelperConnection::read_one(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  pollfd wanted{socket_.get(), POLLIN, 0};
  const int ready = poll(&wanted, 1, static_cast<int>(std::clamp<long>(left, 1, 1000)));
  if (ready <= 0) return;  // time passed, or a signal: the caller looks at its deadline
  helper::Head head;
  int number = -1;
  if (!helper::receive_packet(socket_.get(), head, number)) return mark_dead();
  const file::Descriptor file(number);
  std::optional<Bytes> payload;
  if (head.kind == helper::Kind::reply && file) {
    if (const auto mapping = file::Mapping::of(file.get()))
      payload.emplace(mapping->bytes().begin(), mapping->bytes().end());
  }
  const std::lock_guard lock(mutex_);
  greeted_ = true;
  // An unknown number belongs to a request that gave up; its reply is of no use to anybody.
  const auto slot = in_flight_.find(head.number);
  if (head.kind == helper::Kind::reply && slot != in_flight_.end()) slot->second = payload.value_or(Bytes());
}

}  // namespace lanewise
