// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/semaphore/shared_state.h"

#include <CL/cl.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <span>
#include <utility>

#include "src/file/pass_descriptors.h"

namespace lanewise {

namespace {

/// How many semaphore objects, in all processes together, may share one payload.
constexpr std::size_t kPlaces = 64;

constexpr std::uint64_t kMagic = 0x6873'6573'6977'6e61;

/// The message of a handle, and the beginning of the memory. Incompatible builds of the driver refuse each other by it.
struct Header {
  std::uint64_t magic = kMagic;
  std::uint32_t version = 1;
  std::uint32_t mutex_bytes = sizeof(pthread_mutex_t);
  bool operator==(const Header&) const = default;
};

struct Place {
  pthread_mutex_t mutex;
  std::atomic<std::uint32_t> said_good_bye;
};

using file::Descriptor;

Error no_resources() {
  return {CL_OUT_OF_RESOURCES, "no descriptor or memory for a shared semaphore"};
}
Error not_ours() {
  return {CL_INVALID_PROPERTY, "not the handle of a semaphore"};
}

/// A socket whose other end is closed, with both descriptors in its queue. Empty if the system refuses it.
Descriptor make_handle(int signals, int memory) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return {};
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  const Header header;
  if (!file::send_descriptors(from.get(), std::as_bytes(std::span(&header, 1)), {signals, memory})) return {};
  return to;
}

struct Content {
  Descriptor signals;
  Descriptor memory;
};

/// Reads the message of a handle without removing it.
Result<Content> look_into(int handle) {
  Header header{};
  auto got = file::receive_descriptors(handle, std::as_writable_bytes(std::span(&header, 1)), MSG_PEEK | MSG_DONTWAIT);
  if (got.bytes != sizeof header || !(header == Header{})) return not_ours();
  if (got.count != got.descriptors.size()) return got.truncated ? no_resources() : not_ours();
  return Content{std::move(got.descriptors[0]), std::move(got.descriptors[1])};
}

}  // namespace

struct SharedState::Shared {
  Header header;
  std::atomic<std::int64_t> level;
  std::atomic<std::uint32_t> lost;
  std::array<Place, kPlaces> places;

  void begin() {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    for (Place& place : places) pthread_mutex_init(&place.mutex, &kind);
    pthread_mutexattr_destroy(&kind);
  }
};

Result<SharedState::Shared*> SharedState::map(int memory, bool is_new) {
  static_assert(std::atomic<std::int64_t>::is_always_lock_free);
  if (!is_new) {
    // Only sealed memory is accepted: no process can then shrink it while others have it mapped.
    struct stat facts{};
    const int seals = fcntl(memory, F_GET_SEALS);
    if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || fstat(memory, &facts) != 0 ||
        std::cmp_not_equal(facts.st_size, sizeof(Shared)))
      return not_ours();
  }
  void* address = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  if (address == MAP_FAILED) return no_resources();
  if (is_new) {
    auto* made = new (address) Shared{};
    made->begin();
    return made;
  }
  auto* shared = static_cast<Shared*>(address);
  if (shared->header == Header{}) return shared;
  munmap(address, sizeof(Shared));
  return not_ours();
}

Result<SharedState> SharedState::create() {
  Descriptor signals(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE));
  const Descriptor memory(memfd_create("lanewise-semaphore", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!signals || !memory || ftruncate(memory.get(), sizeof(Shared)) != 0 ||
      fcntl(memory.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return no_resources();
  Descriptor handle = make_handle(signals.get(), memory.get());
  if (!handle) return no_resources();
  auto shared = map(memory.get(), true);
  if (!shared.ok()) return shared.error();
  return SharedState(std::move(signals), shared.value(), std::move(handle));
}

Result<SharedState> SharedState::open(int handle) {
  auto content = look_into(handle);
  if (!content.ok()) return content.error();
  // A descriptor that blocks would stop the thread that serves all semaphores.
  const int flags = fcntl(content.value().signals.get(), F_GETFL);
  if (flags < 0 || (flags & O_NONBLOCK) == 0) return not_ours();
  auto shared = map(content.value().memory.get(), false);
  if (!shared.ok()) return shared.error();
  return SharedState(std::move(content.value().signals), shared.value(), {});
}

SharedState::SharedState(SharedState&& other) noexcept
    : signals_(std::move(other.signals_)),
      handle_(std::move(other.handle_)),
      shared_(std::exchange(other.shared_, nullptr)),
      place_(other.place_),
      has_place_(std::exchange(other.has_place_, false)) {}

SharedState::~SharedState() {
  if (shared_ != nullptr) munmap(shared_, sizeof(Shared));
}

Result<int> SharedState::handle() const {
  const int copy = fcntl(handle_.get(), F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return no_resources();
  return copy;
}

void SharedState::keep_signal() {
  const std::uint64_t one = 1;
  // It fails only at 2^64 signals without a wait.
  [[maybe_unused]] const ssize_t written = write(signals_.get(), &one, sizeof one);
}

bool SharedState::take_signal() {
  std::uint64_t one = 0;
  return read(signals_.get(), &one, sizeof one) == sizeof one;
}

std::atomic<std::int64_t>& SharedState::level() const {
  return shared_->level;
}

/// Takes the mutex of a place that is free, and records whether its last owner has ended without releasing it.
bool SharedState::claim(std::size_t place) {
  Place& it = shared_->places[place];
  const int result = pthread_mutex_trylock(&it.mutex);
  if (result == EOWNERDEAD) {
    if (it.said_good_bye.exchange(0, std::memory_order_acq_rel) == 0) shared_->lost.store(1, std::memory_order_release);
    pthread_mutex_consistent(&it.mutex);
  }
  return result == 0 || result == EOWNERDEAD;
}

bool SharedState::take_place() {
  for (std::size_t place = 0; place < kPlaces; ++place) {
    if (!claim(place)) continue;
    shared_->places[place].said_good_bye.store(0, std::memory_order_relaxed);
    place_ = place;
    has_place_ = true;
    return true;
  }
  return false;
}

void SharedState::say_good_bye() {
  shared_->places[place_].said_good_bye.store(1, std::memory_order_release);
}

void SharedState::leave_place() {
  if (!std::exchange(has_place_, false)) return;
  pthread_mutex_unlock(&shared_->places[place_].mutex);
}

bool SharedState::somebody_is_lost() {
  for (std::size_t place = 0; place < kPlaces; ++place)
    if (place != place_ && claim(place)) pthread_mutex_unlock(&shared_->places[place].mutex);
  return shared_->lost.load(std::memory_order_acquire) != 0;
}

}  // namespace lanewise
