// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `lanewise-compiler`: waits on its socket for requests and answers each on a thread of its own. Ends when the socket
/// closes, whatever it is doing then: without the driver nobody wants the answer.
///
/// Links no LLVM, so that it runs, and says so, before the compiler's libraries are loaded.
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "include/lanewise/compiler_abi.h"
#include "include/lanewise/helper_protocol.h"
#include "src/file/file.h"

namespace {

using namespace lanewise;

constexpr std::size_t kStackBytes = 64 << 20;  // Clang recurses deeply; pages are used only if it does
constexpr std::int32_t kCompilerNotAvailable = -3;

std::string directory_of_this_program() {
  char path[PATH_MAX] = {};
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  const std::string name(path, length > 0 ? static_cast<std::size_t>(length) : 0);
  return name.substr(0, name.rfind('/'));
}

/// At most so many compiles at once as there are processors; more would only need more memory.
class Slots {
 public:
  void take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return free_ > 0; });
    --free_;
  }
  void give() {
    const std::lock_guard lock(mutex_);
    ++free_;
    changed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned free_ = std::max(2U, std::thread::hardware_concurrency());
};

struct Service {
  abi::RunFunction run = nullptr;
  std::string why_not;  ///< reason if `run` is null
  Slots slots;
};

struct Job {
  Service* service;
  std::uint64_t number;
  file::Descriptor request;
};

void send_reply(std::uint64_t number, std::span<const std::uint8_t> bytes) {
  const file::Descriptor file = file::in_memory("lanewise-reply", bytes);
  // Without memory for the reply there is nothing left to say; the driver sees the end of this process.
  if (!file) _exit(1);
  helper::send_packet(helper::kSocketNumber, {.kind = helper::Kind::reply, .number = number}, file.get());
}

void serve(Job& job) {
  if (job.service->run == nullptr) {
    abi::Reply refused;
    refused.status = kCompilerNotAvailable;
    refused.log = job.service->why_not;
    return send_reply(job.number, abi::encode(refused));
  }
  const auto mapping = file::Mapping::of(job.request.get());
  const auto bytes = mapping ? mapping->bytes() : std::span<const std::uint8_t>();
  const auto sink = [](void* context, const std::uint8_t* data, std::uint64_t size) {
    send_reply(static_cast<Job*>(context)->number, {data, size});
  };
  job.service->run(bytes.data(), bytes.size(), sink, &job);
}

void* job_main(void* context) {
  auto* job = static_cast<Job*>(context);
  Service* service = job->service;
  service->slots.take();
  serve(*job);
  delete job;
  service->slots.give();
  return nullptr;
}

/// False if no thread can be made: then this process is of no use any more.
bool start(Job* job) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread{};
  const bool started = pthread_create(&thread, &attributes, job_main, job) == 0;
  pthread_attr_destroy(&attributes);
  return started;
}

/// No core files, and the first to go when memory runs out: the application's data are worth more than a compile.
void be_expendable() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  const file::Descriptor score(open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  if (score) (void)!write(score.get(), "1000", 4);
}

void load(Service& service) {
  const std::string path = directory_of_this_program() + "/liblanewise-compiler.so";
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) service.run = reinterpret_cast<abi::RunFunction>(dlsym(library, abi::kRunSymbol));
  if (service.run != nullptr) return;
  const char* why = dlerror();
  service.why_not = "no compiler: " + std::string(why != nullptr ? why : path);
}

/// A descriptor that becomes readable when the driver's process ends, or -1. The socket alone does not tell: a child
/// that the application forked holds a copy of it.
int watch_driver() {
  ucred driver{};
  socklen_t size = sizeof driver;
  if (getsockopt(helper::kSocketNumber, SOL_SOCKET, SO_PEERCRED, &driver, &size) != 0 || driver.pid <= 0) return -1;
  return static_cast<int>(syscall(SYS_pidfd_open, driver.pid, 0));
}

/// Waits for a packet; ends this process with the driver's.
void wait_for_packet(int driver) {
  pollfd watched[2] = {{helper::kSocketNumber, POLLIN, 0}, {driver, POLLIN, 0}};  // a negative number is not watched
  while (poll(watched, 2, -1) < 0 && errno == EINTR) {
  }
  if ((watched[1].revents & POLLIN) != 0) _exit(0);
}

}  // namespace

int main() {
  be_expendable();
  if (!helper::send_packet(helper::kSocketNumber, {.kind = helper::Kind::hello}, -1)) return 1;
  fcntl(helper::kSocketNumber, F_SETFD, FD_CLOEXEC);
  static Service service;
  load(service);
  const int driver = watch_driver();
  for (;;) {
    wait_for_packet(driver);
    helper::Head head;
    int number = -1;
    if (!helper::receive_packet(helper::kSocketNumber, head, number)) _exit(0);
    if (head.kind != helper::Kind::request) _exit(1);
    if (!start(new Job{&service, head.number, file::Descriptor(number)})) _exit(1);
  }
}
