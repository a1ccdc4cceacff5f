// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `lanewise-compiler DIRECTORY RIGHTS`: waits on its socket for requests and answers each on a thread of its own. Ends
/// when the socket closes, even in the middle of a job: without the driver nothing receives the answer. Everything that
/// it loads is in DIRECTORY, which the driver names; no environment variable changes that. It takes no more rights than
/// RIGHTS says (src/host/rights.h).
///
/// Does not link LLVM, so that it runs, and tells the driver so, before the compiler's libraries are loaded.
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "compiler/service/driver.h"
#include "compiler/service/suspension.h"
#include "include/lanewise/compiler_abi.h"
#include "include/lanewise/helper_protocol.h"
#include "include/lanewise/version.h"
#include "src/base/mutex.h"
#include "src/base/sanitizers.h"
#include "src/file/file.h"
#include "src/host/rights.h"
#include "src/host/topology.h"

namespace {

using namespace lanewise;

constexpr std::size_t kStackBytes = 64 << 20;  // Clang recurses deeply; pages are used only if it does
constexpr std::int32_t kCompilerNotAvailable = -3;

class Service;

struct WaitingJob {
  Service& service;
  std::uint64_t number;
  Bytes request;
  bool asked = false;  ///< nobody waits for it yet; guarded by the service's mutex
  Suspension suspension = {};
};

/// Tells the driver why this process ends, so that the build's log says it.
[[noreturn]] void end_exhausted() {
  helper::send_packet(helper::kSocketNumber, {.kind = helper::MessageKind::exhausted});
  _exit(1);
}

/// Makes a thread that nobody joins. False: there is none to be had.
bool make_thread(std::size_t stack, void* (*routine)(void*), void* argument) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread{};
  const bool made = pthread_create(&thread, &attributes, routine, argument) == 0;
  pthread_attr_destroy(&attributes);
  return made;
}

/// Tells the driver twice a second that this process runs, as long as it has something to do; an idle one has no timer.
class Heart {
 public:
  /// False if there is no thread for it.
  bool start() {
    const auto least = static_cast<std::size_t>(PTHREAD_STACK_MIN);
    return make_thread(std::max<std::size_t>(64 << 10, least), beat, this);
  }

  void begin() {
    const MutexLock lock(mutex_);
    if (++work_ == 1 && asleep_) wake_.notify_one();
  }
  void end() {
    const MutexLock lock(mutex_);
    --work_;  // the thread finds out by itself
  }

 private:
  static void* beat(void* context) {
    auto& self = *static_cast<Heart*>(context);
    MutexLock lock(self.mutex_);
    for (;;) {
      self.asleep_ = true;
      while (self.work_ == 0) self.wake_.wait(self.mutex_);
      self.asleep_ = false;
      lock.unlock();
      std::this_thread::sleep_for(helper::kBeat);
      lock.lock();
      // A driver that does not read does not wait for this either.
      if (self.work_ != 0)
        helper::send_packet(helper::kSocketNumber, {.kind = helper::MessageKind::alive}, {}, MSG_DONTWAIT);
    }
  }

  Mutex mutex_;
  ConditionVariable wake_;
  unsigned work_ GUARDED_BY(mutex_) = 0;
  bool asleep_ GUARDED_BY(mutex_) = false;
};

class Service {
 public:
  static constexpr std::uint64_t kAll = ~std::uint64_t{0};

  Service(const char* directory, Heart& heart) : host_{directory, 0, advanced, begins}, heart_(heart) {
    running_.reserve(limit_);
    load();
  }

  /// All jobs go on until `give`: what the calling thread does meanwhile needs memory, as every job does.
  void receive() {
    const MutexLock lock(mutex_);
    receiving_ = true;
    settle();
  }

  /// Starts the job on a thread of its own, or keeps it until a running one has ended: many more jobs at once than
  /// there are processors would only need more memory. A few more keep a build from waiting for the code of kernels.
  /// @param more  pieces of other requests have come already
  void give(std::unique_ptr<WaitingJob> job, bool more) {
    const MutexLock lock(mutex_);
    WaitingJob* const given = job.get();
    if (running_.size() < limit_ && start_thread(job)) {
      running_.push_back(given);
    } else if (!running_.empty()) {
      waiting_.push_back(std::move(job));
    } else {
      end_exhausted();  // without threads this process cannot serve any job
    }
    receiving_ = more;
    settle();
  }

  /// Somebody waits for the request with this number, if it is still there.
  void want(std::uint64_t number) {
    const MutexLock lock(mutex_);
    for (WaitingJob* job : running_)
      if (job->number == number) job->asked = false;
    for (const auto& job : waiting_)
      if (job->number == number) job->asked = false;
    settle();
  }

  /// So many jobs that are only asked for go on.
  void let_go_on(std::uint64_t spared = kAll) {
    const MutexLock lock(mutex_);
    spared_ = spared;
    settle();
  }

 private:
  void load() {
    const std::string path = std::string(host_.directory) + "/liblanewise-compiler.so";
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) run_ = reinterpret_cast<abi::RunFunction>(dlsym(library, abi::kRunSymbol));
    if (run_ != nullptr) return;
    const char* why = dlerror();
    why_not_ = "no compiler: " + std::string(why != nullptr ? why : path);
  }

  /// False: there is none, and the job stays with the caller.
  static bool start_thread(std::unique_ptr<WaitingJob>& job) {
    if (!make_thread(kStackBytes, thread_main, job.get())) return false;
    static_cast<void>(job.release());
    return true;
  }

  static void* thread_main(void* context) {
    std::unique_ptr<WaitingJob> job(static_cast<WaitingJob*>(context));
    Service& self = job->service;
    do {
      self.heart_.begin();
      self.serve(*job);
      self.heart_.end();
    } while (!self.hand_over(job));
    return nullptr;
  }

  /// Suspends the jobs that give way to kernels, and resumes the others. They give way only where no job that somebody
  /// waits for can need a lock that they hold, which is also why no memory is allocated here. A spared job, or the
  /// thread of one that has just ended, may need it; nobody waits for those.
  void settle() REQUIRES(mutex_) {
    const bool alone = !receiving_ && waiting_.empty() &&
                       std::all_of(running_.begin(), running_.end(), [](const WaitingJob* job) { return job->asked; });
    std::uint64_t going = 0;
    for (WaitingJob* job : running_) {
      if (alone && job->asked && going++ >= spared_) {
        job->suspension.suspend();
      } else {
        job->suspension.resume();
      }
    }
  }

  /// After a job: true if the thread may end, because no job waits, or a new thread takes the next one: a job may lower
  /// the priority of its thread permanently. If no thread can be made, the next job is `job` and runs on this one.
  bool hand_over(std::unique_ptr<WaitingJob>& job) {
    const MutexLock lock(mutex_);
    const auto ended = std::find(running_.begin(), running_.end(), job.get());
    if (waiting_.empty()) {
      running_.erase(ended);
      settle();
      return true;
    }
    job = std::move(waiting_.front());
    waiting_.pop_front();
    *ended = job.get();
    const bool started = start_thread(job);
    settle();
    return started;
  }

  /// The driver counts a request's time from here.
  static void advanced(void* job) {
    helper::send_packet(helper::kSocketNumber,
                        {.kind = helper::MessageKind::begun, .number = static_cast<const WaitingJob*>(job)->number});
  }

  static void begins(void* job) { static_cast<WaitingJob*>(job)->suspension.enter(); }

  void serve(WaitingJob& job) const {
    advanced(&job);
    if (run_ == nullptr) {
      abi::Reply refused;
      refused.status = kCompilerNotAvailable;
      refused.log = why_not_;
      const Bytes reply = abi::encode(refused);
      return send_reply(&job, reply.data(), reply.size());
    }
    run_(&host_, job.request.data(), job.request.size(), send_reply, &job);
  }

  static void send_reply(void* job, const std::uint8_t* bytes, std::uint64_t size) {
    // If this fails, the driver is gone, and this process is about to end.
    helper::send_message(helper::MessageKind::reply, static_cast<WaitingJob*>(job)->number, {bytes, size},
                         [](const helper::PacketHead& head, std::span<const std::uint8_t> piece) {
                           return helper::send_packet(helper::kSocketNumber, head, piece);
                         });
  }

  const abi::Host host_;
  Heart& heart_;
  abi::RunFunction run_ = nullptr;
  std::string why_not_;  ///< reason if `run_` is null
  const unsigned limit_ = 2 + std::max(1U, host::usable_threads(std::thread::hardware_concurrency(), 0));
  Mutex mutex_;
  std::deque<std::unique_ptr<WaitingJob>> waiting_ GUARDED_BY(mutex_);
  std::vector<WaitingJob*> running_ GUARDED_BY(mutex_);  ///< jobs that have a thread, in their order
  bool receiving_ GUARDED_BY(mutex_) = false;            ///< a request is being received
  std::uint64_t spared_ GUARDED_BY(mutex_) = kAll;       ///< so many `asked` jobs go on
};

/// Writes no core files and is the first process to be killed when memory runs out, because the application's data are
/// worth more than a compile. Soft limits of open files and file sizes are raised where the hard ones permit.
void be_expendable() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  for (const auto resource : {RLIMIT_NOFILE, RLIMIT_FSIZE}) {
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0) continue;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(resource, &limit);
  }
  signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit fails, which is enough
  const file::Descriptor score(open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  if (score) (void)!write(score.get(), "1000", 4);
}

/// Keeps some memory between jobs: a build of ten lines otherwise gets 270 pages back from the system that the one
/// before has just returned, which takes 2% of its time.
void keep_memory() {
  mallopt(M_TRIM_THRESHOLD, 32 << 20);
  mallopt(M_TOP_PAD, 4 << 20);
}

/// LLVM asks for the working directory, and takes an error for a lack of memory. Where a sandbox denies the answer, it
/// takes the one of the environment if that is right.
void have_working_directory() {
  char buffer[PATH_MAX];
  if (getcwd(buffer, sizeof buffer) != nullptr || (errno != EPERM && errno != ENOSYS)) return;
  if (chdir("/") == 0) setenv("PWD", "/", 1);
}

/// Limits this process to half of the memory that it could use, but not to less than 2 GiB: a compile that needs more
/// is more likely an endless one, and without a limit the machine would swap, or kill others, before it ends.
void limit_memory() {
  // A sanitizer reserves more address space than any limit would allow.
  if (kAddressSanitizer || kThreadSanitizer) return;
  constexpr rlim_t kLeast = rlim_t{2} << 30;
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min(limit.rlim_cur, std::max(kLeast, host::usable_memory(host::physical_memory()) / 2));
  setrlimit(RLIMIT_DATA, &limit);
  std::set_new_handler(end_exhausted);
}

/// Gives the driver's requests to the service until the driver ends.
[[noreturn]] void receive(const Driver& driver, Service& service) {
  using helper::MessageKind;
  std::vector<std::uint8_t> buffer(helper::kPieceBytes);
  std::map<std::uint64_t, Bytes> partial;  // requests of which pieces are still to come
  for (;;) {
    driver.wait_for_packet();
    helper::PacketHead head;
    std::span<const std::uint8_t> piece;
    if (!helper::receive_packet(helper::kSocketNumber, head, buffer, piece)) _exit(0);
    if (head.kind == MessageKind::wanted) {
      service.want(head.number);
    } else if (head.kind == MessageKind::busy) {
      service.let_go_on(head.size);
    } else if (head.kind == MessageKind::quiet) {
      service.let_go_on();
    } else if (head.kind != MessageKind::request && head.kind != MessageKind::asked) {
      _exit(1);
    } else {
      service.receive();
      if (!partial.contains(head.number) && !driver.keeps_its_rights()) _exit(0);
      Bytes& request = partial[head.number];
      request.insert(request.end(), piece.begin(), piece.end());
      if (request.size() < head.size) continue;
      const bool asked = head.kind == MessageKind::asked;
      auto job = std::make_unique<WaitingJob>(service, head.number, std::move(request), asked);
      partial.erase(head.number);
      service.give(std::move(job), !partial.empty());
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 2 && std::string_view(arguments[1]) == "--version")
    return std::puts("lanewise-compiler " LANEWISE_VERSION) < 0 ? 1 : 0;
  if (count != 3) return 2;
  be_expendable();
  if (arguments[1][0] == '/') have_working_directory();
  host::take_rights(arguments[2]);
  limit_memory();
  keep_memory();
  const Driver driver(helper::kSocketNumber);
  static Heart heart;
  heart.begin();
  const bool beats = heart.start();
  if (!helper::send_packet(helper::kSocketNumber, {.kind = helper::MessageKind::hello, .size = beats ? 1U : 0U}))
    return 1;
  fcntl(helper::kSocketNumber, F_SETFD, FD_CLOEXEC);
  Suspension::prepare();
  static Service service(arguments[1], heart);
  heart.end();
  receive(driver, service);
}
