// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/compiler_client.h"

#include <CL/cl.h>
#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <utility>

#include "runtime/code/helper_connection.h"
#include "runtime/code/location.h"
#include "runtime/process/fork_guard.h"
#include "runtime/process/thread.h"
#include "src/base/survives_fork.h"
#include "src/config/config.h"
#include "src/file/scarce.h"
#include "src/log/log.h"

namespace lanewise {

namespace {

using Outcome = HelperConnection::Outcome;

constexpr unsigned kTimeoutMs = 300'000;
/// How many helpers may end or hang before a request has begun; then it gets a helper of its own.
constexpr int kSharedTurns = 4;
/// How often a request goes to another helper because one was stopped.
constexpr int kStoppedTurns = 4;
/// Clang recurses deeply on nested expressions; the pages are only touched if it does.
constexpr std::size_t kCompilerStack = 64 << 20;

/// The error of a job that could not be done.
cl_int failure_of(const abi::Request& request) {
  if (std::holds_alternative<abi::Compile>(request)) return CL_COMPILE_PROGRAM_FAILURE;
  if (std::holds_alternative<abi::Validate>(request)) return CL_OUT_OF_RESOURCES;
  return std::holds_alternative<abi::Link>(request) ? CL_LINK_PROGRAM_FAILURE : CL_BUILD_PROGRAM_FAILURE;
}

abi::Reply failure(cl_int status, std::string log) {
  abi::Reply reply;
  reply.status = status;
  reply.log = std::move(log);
  log_line(Channel::build, "%s", reply.log.c_str());
  return reply;
}

/// Calls in progress. LLVM's locks are not the driver's, so a child of a process in which there was one may not use it.
LANEWISE_SURVIVES_FORK constinit std::atomic<unsigned> g_calls_in_process{0};

bool compiler_is_intact() {
  static const bool intact = !began_anew() || g_calls_in_process.load() == 0;
  return intact;
}

}  // namespace

CompilerClient& CompilerClient::instance() {
  // Leaked: a build may still run on another thread while the process exits.
  static CompilerClient& client =
      *new CompilerClient(private_directory(), config().compiler == Placement::inprocess, kTimeoutMs);
  return client;
}

CompilerClient::CompilerClient(std::string directory, bool in_process, unsigned timeout_ms,
                               std::chrono::milliseconds patience)
    : directory_(std::move(directory)),
      in_process_(in_process),
      timeout_ms_(timeout_ms),
      most_patience_(patience * 8),
      patience_(patience) {}

CompilerClient::~CompilerClient() = default;

/// What has happened to a request so far.
struct CompilerClient::Turns {
  int count = 0;
  int stopped = 0;
  bool alone = false;  ///< it gets a helper of its own
  Outcome last = Outcome::replied;
  std::chrono::milliseconds patience{};
};

namespace {

/// A policy that forbids processes, or a program that cannot be executed, stays; a lack does not.
bool is_lack(int error) {
  return error == EAGAIN || error == ENOMEM || file::descriptors_are_scarce();
}

}  // namespace

std::shared_ptr<HelperConnection> CompilerClient::connection(const host::Rights& rights) {
  const MutexLock lock(mutex_);
  if (rights != rights_) {
    // The helper ends when the last request that it works on has its reply.
    connection_ = nullptr;
    spawn_refused_ = false;
    rights_ = rights;
  }
  if (connection_ && connection_->dead()) connection_ = nullptr;
  if (!connection_ && !spawn_refused_) {
    int error = 0;
    connection_ = HelperConnection::start(directory_, error);
    spawn_refused_ = connection_ == nullptr && !is_lack(error);
  }
  return connection_;
}

void CompilerClient::drop(const std::shared_ptr<HelperConnection>& broken) {
  const MutexLock lock(mutex_);
  if (connection_ == broken) connection_ = nullptr;
}

std::chrono::milliseconds CompilerClient::patience() {
  const MutexLock lock(mutex_);
  return patience_;
}

void CompilerClient::lose_patience(std::chrono::milliseconds had) {
  const MutexLock lock(mutex_);
  patience_ = std::max(patience_, std::min(2 * had, most_patience_));
}

void CompilerClient::want(AskedJob& job) {
  job.set_wanted();
  std::shared_ptr<HelperConnection> helper;
  {
    // An enqueue does not wait for the start of a helper; the thread of the job looks some milliseconds later.
    if (!mutex_.try_lock()) return;
    const MutexLock lock(mutex_, std::adopt_lock);
    helper = connection_;
  }
  if (helper != nullptr) helper->tell_helper();
}

abi::Reply CompilerClient::run(const abi::Request& request, const AskedJob* asked) {
  const Bytes encoded = abi::encode(request);
  if (in_process_) return run_in_process(request, encoded);
  Bytes answer;
  for (Turns turns;;) {
    ++turns.count;
    turns.patience = patience();
    int error = 0;
    const auto helper =
        turns.alone ? HelperConnection::start(directory_, error) : connection(host::rights_of_this_thread());
    if (helper == nullptr) return run_in_process(request, encoded);
    turns.last = helper->run(encoded, std::chrono::milliseconds(timeout_ms_), turns.patience, answer, asked);
    if (turns.last == Outcome::replied) {
      if (auto reply = abi::decode<abi::Reply>(answer)) return std::move(*reply);
      return failure(failure_of(request), "internal compiler error: the reply can't be read");
    }
    if (turns.last == Outcome::no_memory) return failure(CL_OUT_OF_HOST_MEMORY, "no memory for the compiler's reply");
    drop(helper);
    if (turns.last == Outcome::timed_out || turns.last == Outcome::stopped) helper->end();
    if (auto reply = end_of_turn(request, encoded, turns)) return std::move(*reply);
  }
}

/// What to answer; nothing if the request is to be tried again.
std::optional<abi::Reply> CompilerClient::end_of_turn(const abi::Request& request, const Bytes& encoded, Turns& turns) {
  const cl_int status = failure_of(request);
  switch (turns.last) {
    case Outcome::timed_out:
      return failure(
          status, "the compiler did not finish in " + std::to_string(timeout_ms_ / 1000) + " seconds and was stopped");
    case Outcome::stopped:
      lose_patience(turns.patience);
      if (++turns.stopped < kStoppedTurns) return std::nullopt;
      return failure(CL_OUT_OF_HOST_MEMORY,
                     "the compiler process did not run: it was stopped from outside, or the "
                     "machine is overloaded");
    case Outcome::never_ran:
      return run_in_process(request, encoded);
    case Outcome::not_begun:
      if (turns.alone) return run_in_process(request, encoded);  // something ends every helper, or it gets no thread
      break;
    case Outcome::exhausted:
      if (!turns.alone) break;
      return failure(status, "the compiler needed more memory than it may take and was stopped");
    default:
      if (!turns.alone) break;
      return failure(status, "internal compiler error: the compiler process ended while it compiled this program");
  }
  // Another program, or another process, may have ended the helper, so a program that it worked on is tried once more
  // in a helper of its own: then the reason is certain. One that had not begun shares a helper again, but only
  // kSharedTurns times, in case something ends every helper.
  turns.alone = turns.last != Outcome::not_begun || turns.count - turns.stopped >= kSharedTurns;
  return std::nullopt;
}

abi::Reply CompilerClient::run_in_process(const abi::Request& request, const Bytes& encoded) {
  // Opened once and never closed: LLVM cannot be unloaded.
  const std::string path = directory_ + "/liblanewise-compiler.so";
  if (!compiler_is_intact())
    return failure(CL_COMPILER_NOT_AVAILABLE, "the process was forked while the compiler ran in it");
  void* library = file::retry_when_scarce([&] {
    const ForkHeld no_fork;
    return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  });
  if (library == nullptr) {
    const char* why = dlerror();
    return failure(file::descriptors_are_scarce() ? CL_OUT_OF_RESOURCES : CL_COMPILER_NOT_AVAILABLE,
                   "no compiler: " + std::string(why != nullptr ? why : path));
  }
  const auto run = reinterpret_cast<abi::RunFunction>(dlsym(library, abi::kRunSymbol));
  if (run == nullptr) return failure(CL_COMPILER_NOT_AVAILABLE, path + " is not a compiler of this driver");
  const abi::Host host{directory_.c_str(), 1};
  Bytes answer;
  const auto sink = [](void* target, const std::uint8_t* bytes, std::uint64_t size) {
    static_cast<Bytes*>(target)->assign(bytes, bytes + size);
  };
  g_calls_in_process.fetch_add(1);
  const bool called =
      run_with_stack(kCompilerStack, [&] { run(&host, encoded.data(), encoded.size(), sink, &answer); });
  g_calls_in_process.fetch_sub(1);
  if (!called) return failure(CL_OUT_OF_HOST_MEMORY, "no thread for the compiler");
  if (auto reply = abi::decode<abi::Reply>(answer)) return std::move(*reply);
  return failure(failure_of(request), "internal compiler error: the reply can't be read");
}

}  // namespace lanewise
