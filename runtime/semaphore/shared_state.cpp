// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/semaphore/shared_state.h"

#include <CL/cl.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <ctime>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace lanewise {

namespace {

/// How many semaphore objects, in all processes together, may share one payload.
constexpr std::size_t kPlaces = 64;

constexpr std::size_t kPageBytes = 4096;
constexpr std::uint64_t kMagic = 0x6873'6573'6977'6e61;

/// The beginning of the page. Incompatible builds of the driver refuse each other by it. Nobody reads it later.
struct PageHeader {
  std::uint64_t magic = kMagic;
  std::uint64_t version = 2;
  bool operator==(const PageHeader&) const = default;
};

/// With these seals the mapping stays as it is: nobody can make the file shorter or longer, or forbid writing.
constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

/// A place of the page is in use if this bit is set. The others count its owners, so that one who asks twice notices
/// that the place has another owner.
constexpr std::uint32_t kInUse = 1;

using file::Descriptor;

Error no_resources() {
  return {CL_OUT_OF_RESOURCES, "no descriptor, memory or place for a shared semaphore"};
}
Error not_ours() {
  return {CL_INVALID_PROPERTY, "not the handle of a semaphore"};
}

struct flock byte_of(std::size_t place, short kind) {
  struct flock range{};
  range.l_type = kind;
  range.l_whence = SEEK_SET;
  range.l_start = static_cast<off_t>(place);
  range.l_len = 1;
  return range;
}

bool try_to_lock(int file, std::size_t place) {
  const struct flock range = byte_of(place, F_WRLCK);
  return fcntl(file, F_OFD_SETLK, &range) == 0;
}

/// Whether another descriptor has it locked.
bool is_locked(int file, std::size_t place) {
  struct flock range = byte_of(place, F_WRLCK);
  return fcntl(file, F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
}

/// Opens the file of a descriptor once more.
Descriptor open_again(int descriptor) {
  const std::string name = "/proc/self/fd/" + std::to_string(descriptor);
  return Descriptor(::open(name.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
}

bool is_same_file(const struct stat& one, int other) {
  struct stat facts{};
  return fstat(other, &facts) == 0 && facts.st_dev == one.st_dev && facts.st_ino == one.st_ino;
}

/// Whether it is a file in memory of the right size, and so sealed. The seals are asked for first: only files in memory
/// have any, while a question about another kind of file may be one to a server that never answers.
bool has_the_form(int descriptor, struct stat& facts) {
  const int seals = fcntl(descriptor, F_GET_SEALS);
  return seals >= 0 && (seals & kSeals) == kSeals && fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) &&
         std::cmp_equal(facts.st_size, kPageBytes);
}

}  // namespace

struct SharedState::Page {
  PageHeader header;
  std::atomic<std::uint32_t> changes;
  std::atomic<std::uint32_t> signals;  ///< that no wait has taken
  std::atomic<std::int64_t> level;
  std::atomic<std::uint32_t> lost;  ///< not 0: the owner of a place has ended
  std::array<std::atomic<std::uint32_t>, kPlaces> places;

  static Page* map(int memory) {
    void* address = mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    return address == MAP_FAILED ? nullptr : static_cast<Page*>(address);
  }

  std::optional<Membership> take_place(int file) {
    for (std::size_t number = 0; number < kPlaces; ++number) {
      if (!try_to_lock(file, number)) continue;
      const std::uint32_t before = places[number].load(std::memory_order_acquire);
      if ((before & kInUse) != 0) lost.store(1, std::memory_order_release);
      const std::uint32_t mark = (before | kInUse) + 2;
      places[number].store(mark, std::memory_order_release);
      return Membership{number, mark};
    }
    return std::nullopt;
  }
};

Result<SharedState> SharedState::join(int memory, bool is_new, Descriptor handle) {
  static_assert(sizeof(Page) <= kPageBytes && std::atomic<std::int64_t>::is_always_lock_free &&
                std::atomic<std::uint32_t>::is_always_lock_free);
  struct stat facts{};
  if (!has_the_form(memory, facts)) return is_new ? no_resources() : not_ours();
  Descriptor again = open_again(memory);
  if (!again || !is_same_file(facts, again.get())) return no_resources();
  ClosedOnFork file(std::move(again));
  // Not through that descriptor: a forked child keeps the mapping, and with it everything that it was made through.
  Page* page = Page::map(memory);
  if (page == nullptr) return errno == EACCES ? not_ours() : no_resources();
  if (is_new) new (page) Page{};
  const bool ours = page->header == PageHeader{};
  const auto place = ours ? page->take_place(file.get()) : std::nullopt;
  if (place.has_value()) return SharedState(std::move(file), page, *place, std::move(handle));
  munmap(page, kPageBytes);
  return ours ? no_resources() : not_ours();
}

Result<SharedState> SharedState::create() {
  Descriptor memory(memfd_create("lanewise-semaphore", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!memory || ftruncate(memory.get(), kPageBytes) != 0 || fcntl(memory.get(), F_ADD_SEALS, kSeals) != 0)
    return no_resources();
  const int number = memory.get();
  return join(number, true, std::move(memory));
}

Result<SharedState> SharedState::open(int handle) {
  return join(handle, false, {});
}

SharedState::SharedState(SharedState&& other) noexcept
    : file_(std::move(other.file_)),
      page_(std::exchange(other.page_, nullptr)),
      place_(other.place_),
      handle_(std::move(other.handle_)) {}

SharedState::~SharedState() {
  if (page_ != nullptr) munmap(page_, kPageBytes);
}

Result<int> SharedState::handle() const {
  const int copy = fcntl(handle_.get(), F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return no_resources();
  return copy;
}

void SharedState::keep_signal() {
  page_->signals.fetch_add(1, std::memory_order_release);
  page_->changes.fetch_add(1, std::memory_order_release);
  syscall(SYS_futex, &page_->changes, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

bool SharedState::take_signal() {
  constexpr int kMostTries = 1000;
  std::uint32_t count = page_->signals.load(std::memory_order_relaxed);
  for (int i = 0; count != 0 && i < kMostTries; ++i) {
    if (page_->signals.compare_exchange_weak(count, count - 1, std::memory_order_acquire, std::memory_order_relaxed))
      return true;
  }
  return false;
}

void SharedState::add_level(int change) {
  page_->level.fetch_add(change, std::memory_order_relaxed);
}

std::int64_t SharedState::level() const {
  return page_->level.load(std::memory_order_relaxed);
}

std::uint32_t SharedState::changes() const {
  return page_->changes.load(std::memory_order_acquire);
}

void SharedState::sleep(std::uint32_t seen) const {
  const timespec longest{0, std::chrono::nanoseconds(kLongestSleep).count()};
  if (syscall(SYS_futex, &page_->changes, FUTEX_WAIT, seen, &longest, nullptr, 0) == 0) return;
  // Where the system refuses the call, the caller must not spin.
  if (errno != EAGAIN && errno != EINTR && errno != ETIMEDOUT)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

void SharedState::leave() {
  page_->places[place_.number].store(place_.mark & ~kInUse, std::memory_order_release);
  // Explicitly, because a child may have a copy of the descriptor for a moment.
  const struct flock range = byte_of(place_.number, F_UNLCK);
  if (file_.is_intact()) fcntl(file_.get(), F_OFD_SETLK, &range);
}

bool SharedState::somebody_is_lost() {
  if (page_->lost.load(std::memory_order_acquire) != 0) return true;
  // Without the descriptor nothing is known of others, and an error is better than a wait without end.
  if (!file_.is_intact()) return true;
  for (std::size_t number = 0; number < kPlaces; ++number) {
    const std::uint32_t mark = page_->places[number].load(std::memory_order_acquire);
    if (number == place_.number || (mark & kInUse) == 0 || is_locked(file_.get(), number)) continue;
    // Its owner has ended, or has left meanwhile.
    if (page_->places[number].load(std::memory_order_acquire) != mark) continue;
    page_->lost.store(1, std::memory_order_release);
    return true;
  }
  return false;
}

}  // namespace lanewise
