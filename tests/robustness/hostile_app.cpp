// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An application that shares semaphores and memory with a hostile process. Each scenario is a process of its own; exit
// code 0 means that nothing worse happened than the sharing itself allows. hostile_peers_test.cpp runs them.
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstring>
#include <map>
#include <random>
#include <thread>

#include "tests/robustness/hostile.h"

namespace lanewise::robustness {

namespace {

struct Order {
  Deed deed;
  std::uint64_t a;
  std::uint64_t b;
};

/// A message with room for a few descriptors.
struct Packet {
  std::array<std::byte, 64> bytes{};
  iovec text{bytes.data(), bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(16 * sizeof(int))> control{};
  msghdr message{};
  explicit Packet(std::size_t descriptors = 16) {
    message.msg_iov = &text;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(descriptors * sizeof(int));
  }
  [[nodiscard]] std::vector<int> descriptors() {
    std::vector<int> found;
    for (cmsghdr* each = CMSG_FIRSTHDR(&message); each != nullptr; each = CMSG_NXTHDR(&message, each)) {
      if (each->cmsg_type != SCM_RIGHTS) continue;
      found.resize((each->cmsg_len - CMSG_LEN(0)) / sizeof(int));
      std::memcpy(found.data(), CMSG_DATA(each), found.size() * sizeof(int));
    }
    return found;
  }
};

/// What the peer has.
class Loot {
 public:
  void take(int handle) {
    let_go();
    descriptors_.push_back(handle);
    // Whatever lies in the queue of a socket, which stays there.
    Packet inside;
    if (recvmsg(handle, &inside.message, MSG_PEEK | MSG_DONTWAIT) > 0)
      for (const int each : inside.descriptors()) descriptors_.push_back(each);
    for (const int each : descriptors_) {
      struct stat facts{};
      if (fstat(each, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_size == 0) continue;
      bytes_ = static_cast<std::size_t>(facts.st_size);
      void* at = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, each, 0);
      if (at != MAP_FAILED) words_ = static_cast<std::atomic<std::uint32_t>*>(at);
    }
  }
  void let_go() {
    for (const int each : descriptors_) close(each);
    descriptors_.clear();
    if (words_ != nullptr) munmap(words_, bytes_);
    words_ = nullptr;
  }
  [[nodiscard]] std::size_t count() const { return words_ == nullptr ? 0 : bytes_ / sizeof(std::uint32_t); }
  [[nodiscard]] std::atomic<std::uint32_t>& word(std::size_t index) const { return words_[index]; }
  [[nodiscard]] const std::vector<int>& descriptors() const { return descriptors_; }

 private:
  std::vector<int> descriptors_;
  std::atomic<std::uint32_t>* words_ = nullptr;
  std::size_t bytes_ = 0;
};

/// What the peer does on a thread of its own.
class Noise {
 public:
  template <class Body>
  void start(Body body) {
    stop_ = false;
    thread_ = std::thread([this, body]() mutable {
      while (!stop_) body();
    });
  }
  void stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

void drain(int descriptor) {
  fcntl(descriptor, F_SETFL, O_NONBLOCK);
  for (int i = 0; i < 10; ++i) {
    Packet packet;
    if (recvmsg(descriptor, &packet.message, MSG_DONTWAIT) <= 0) break;
  }
  std::array<char, 4096> bytes{};
  for (int i = 0; i < 10 && read(descriptor, bytes.data(), bytes.size()) > 0; ++i) {
  }
  fcntl(descriptor, F_SETFL, 0);
}

void fill(int descriptor) {
  struct stat facts{};
  if (fstat(descriptor, &facts) != 0 || S_ISREG(facts.st_mode)) return;
  fcntl(descriptor, F_SETFL, O_NONBLOCK);
  const std::uint64_t most = ~std::uint64_t{1};
  for (int i = 0; i < 1000 && write(descriptor, &most, sizeof most) > 0; ++i) {
  }
  fcntl(descriptor, F_SETFL, 0);
}

void lock(int descriptor) {
  struct flock all{};
  all.l_type = F_WRLCK;
  (void)fcntl(descriptor, F_OFD_SETLK, &all);
  (void)fcntl(descriptor, F_SETLK, &all);
  (void)flock(descriptor, LOCK_EX | LOCK_NB);
  const std::string again = "/proc/self/fd/" + std::to_string(descriptor);
  const int own = open(again.c_str(), O_RDWR | O_CLOEXEC);  // stays open as long as the peer lives
  if (own < 0) return;
  for (int i = 0; i < 4096; ++i) {
    struct flock one{};
    one.l_type = F_WRLCK;
    one.l_start = i;
    one.l_len = 1;
    (void)fcntl(own, F_OFD_SETLK, &one);
  }
}

void start_noise(const Order& order, const Loot& loot, Noise& noise) {
  if (order.deed == Deed::storm) {
    noise.start([&loot, random = std::mt19937_64(order.a)]() mutable {
      if (loot.count() != 0) loot.word(random() % loot.count()) = static_cast<std::uint32_t>(random());
    });
  } else if (order.deed == Deed::flood) {
    noise.start([&loot] {
      for (std::size_t i = 0; i < std::min<std::size_t>(loot.count(), 16); ++i) {
        // The words of the header stay.
        if (i >= 4) loot.word(i) = i == 4 ? loot.word(i) + 1 : 0;
        syscall(SYS_futex, &loot.word(i), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
      }
    });
  } else {
    noise.start([&loot, bytes = static_cast<off_t>(order.a)] {
      for (const int each : loot.descriptors()) {
        (void)!ftruncate(each, 0);
        (void)!ftruncate(each, bytes);
      }
    });
  }
}

std::uint64_t obey(const Order& order, int descriptor, Loot& loot, Noise& noise) {
  switch (order.deed) {
    case Deed::hold:
      loot.take(descriptor);
      return loot.count();
    case Deed::let_go:
      loot.let_go();
      return 0;
    case Deed::scribble:
      if (order.a < loot.count()) loot.word(order.a) = static_cast<std::uint32_t>(order.b);
      return 0;
    case Deed::storm:
    case Deed::flood:
    case Deed::flap:
      start_noise(order, loot, noise);
      return 0;
    case Deed::calm:
      noise.stop();
      return 0;
    default:
      break;
  }
  for (const int each : loot.descriptors()) {
    if (order.deed == Deed::clear_flags) fcntl(each, F_SETFL, 0);
    if (order.deed == Deed::drain) drain(each);
    if (order.deed == Deed::fill) fill(each);
    if (order.deed == Deed::resize) (void)!ftruncate(each, static_cast<off_t>(order.a));
    if (order.deed == Deed::punch) fallocate(each, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 1 << 20);
    if (order.deed == Deed::lock) lock(each);
    if (order.deed == Deed::seal) fcntl(each, F_ADD_SEALS, F_SEAL_FUTURE_WRITE | F_SEAL_SHRINK);
  }
  return 0;
}

void send(int socket, const void* bytes, std::size_t size, int descriptor) {
  Packet packet(1);
  std::memcpy(packet.bytes.data(), bytes, size);
  packet.text.iov_len = size;
  if (descriptor < 0) {
    packet.message.msg_control = nullptr;
    packet.message.msg_controllen = 0;
  } else {
    cmsghdr* rights = CMSG_FIRSTHDR(&packet.message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(rights), &descriptor, sizeof descriptor);
  }
  expect(sendmsg(socket, &packet.message, MSG_NOSIGNAL) == static_cast<ssize_t>(size), "sendmsg");
}

}  // namespace

Partner::Partner(void (*body)(int socket)) {
  std::array<int, 2> ends{};
  expect(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == 0, "socketpair");
  process_ = fork();
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(ends[0]);
    body(ends[1]);
  }
  close(ends[1]);
  socket_ = ends[0];
}

void Partner::end() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  close(socket_);
  process_ = -1;
}

void Peer::obey_orders(int socket) {
  Loot loot;
  Noise noise;
  for (;;) {
    Packet packet(1);
    const ssize_t got = recvmsg(socket, &packet.message, 0);
    if (got != static_cast<ssize_t>(sizeof(Order))) _exit(0);
    Order order{};
    std::memcpy(&order, packet.bytes.data(), sizeof order);
    const std::vector<int> with = packet.descriptors();
    const std::uint64_t answer = obey(order, with.empty() ? -1 : with.front(), loot, noise);
    if (write(socket, &answer, sizeof answer) != sizeof answer) _exit(0);
  }
}

std::uint64_t Peer::does(Deed deed, std::uint64_t a, std::uint64_t b, int descriptor) const {
  const Order order{deed, a, b};
  send(partner_.socket(), &order, sizeof order, descriptor);
  std::uint64_t answer = 0;
  expect(read(partner_.socket(), &answer, sizeof answer) == sizeof answer, "the peer");
  return answer;
}

void send_descriptor(int socket, int descriptor) {
  send(socket, "x", 1, descriptor);
}

int receive_descriptor(int socket) {
  Packet packet(1);
  expect(recvmsg(socket, &packet.message, 0) == 1, "recvmsg");
  const std::vector<int> with = packet.descriptors();
  expect(!with.empty(), "a descriptor");
  return with.front();
}

bool has_ended(Driver& driver, cl_event event, int milliseconds) {
  static const auto ask = function_of<decltype(&clGetEventInfo)>(driver, "clGetEventInfo");
  for (int i = 0; i <= milliseconds; ++i) {
    cl_int status = CL_QUEUED;
    expect(ask(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) == CL_SUCCESS, "the status");
    if (status <= CL_COMPLETE) return true;
    usleep(1000);
  }
  return false;
}

cl_int end_of(Driver& driver, cl_event event, const char* what) {
  static const auto ask = function_of<decltype(&clGetEventInfo)>(driver, "clGetEventInfo");
  expect(has_ended(driver, event, 30'000), what);
  cl_int status = 1;
  ask(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  driver.ReleaseEvent(event);
  return status;
}

}  // namespace lanewise::robustness

int main(int count, char** values) {
  using namespace lanewise::robustness;
  using Scenario = int (*)(const Arguments&);
  static const std::map<std::string, Scenario> scenarios = {
      {"scribbled_words", scribbled_words}, {"storm_of_words", storm_of_words},   {"other_deeds", other_deeds},
      {"flooded_waits", flooded_waits},     {"killed_partners", killed_partners}, {"orphaned_child", orphaned_child},
      {"shrunk_memory", shrunk_memory},     {"flapping_memory", flapping_memory}, {"own_faults", own_faults},
      {"odd_handles", odd_handles}};
  const auto found = scenarios.find(count < 2 ? "" : values[1]);
  if (found == scenarios.end()) return 2;
  return found->second({values + 2, values + count});
}
