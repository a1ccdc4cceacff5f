// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Semaphores whose handle a hostile process has. It can spoil those, which then have a signal too many or fail. It can
// neither block nor end this process, nor disturb what it has no handle of.
#include <CL/cl_ext.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <deque>
#include <random>
#include <thread>

#include "tests/robustness/hostile.h"

namespace lanewise::robustness {

namespace {

constexpr cl_semaphore_properties_khr kFd = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR;

/// The objects of this process.
class Victim {
 public:
  Victim() : session_(driver_) {
#define LANEWISE_FIND(member, name) member = function_of<decltype(member)>(driver_, #name)
    LANEWISE_FIND(create_, clCreateSemaphoreWithPropertiesKHR);
    LANEWISE_FIND(release_, clReleaseSemaphoreKHR);
    LANEWISE_FIND(signal_, clEnqueueSignalSemaphoresKHR);
    LANEWISE_FIND(wait_, clEnqueueWaitSemaphoresKHR);
    LANEWISE_FIND(handle_, clGetSemaphoreHandleForTypeKHR);
    LANEWISE_FIND(info_, clGetSemaphoreInfoKHR);
#undef LANEWISE_FIND
    cl_int code = 0;
    aside_ = driver_.CreateCommandQueue(session_.context, session_.device, 0, &code);
    expect(code == CL_SUCCESS, "clCreateCommandQueue", code);
  }

  cl_semaphore_khr exported(int& handle) {
    const std::array<cl_semaphore_properties_khr, 6> list{
        CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, kFd, 0, 0};
    cl_int code = 0;
    cl_semaphore_khr made = create_(session_.context, list.data(), &code);
    expect(code == CL_SUCCESS, "an exportable semaphore", code);
    code = handle_(made, session_.device, kFd, sizeof handle, &handle, nullptr);
    expect(code == CL_SUCCESS, "clGetSemaphoreHandleForTypeKHR", code);
    return made;
  }
  cl_semaphore_khr imported(int handle, cl_int& code) {
    const std::array<cl_semaphore_properties_khr, 5> list{CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, kFd,
                                                          static_cast<cl_semaphore_properties_khr>(handle), 0};
    cl_semaphore_khr made = create_(session_.context, list.data(), &code);
    if (made == nullptr) close(handle);
    return made;
  }
  cl_semaphore_khr imported(int handle) {
    cl_int code = 0;
    cl_semaphore_khr made = imported(handle, code);
    expect(code == CL_SUCCESS, "an import", code);
    return made;
  }
  void release(cl_semaphore_khr semaphore) { expect(release_(semaphore) == CL_SUCCESS, "clReleaseSemaphoreKHR"); }

  /// From a queue that waits for nothing. Returns when the command has ended.
  void signal(cl_semaphore_khr semaphore) {
    cl_event event = nullptr;
    const cl_int code = signal_(aside_, 1, &semaphore, nullptr, 0, nullptr, &event);
    expect(code == CL_SUCCESS, "clEnqueueSignalSemaphoresKHR", code);
    driver_.Flush(aside_);
    expect(end_of(driver_, event, "a signal") == CL_COMPLETE, "the status of a signal");
  }
  /// In a queue of its own, so that waits do not wait for each other.
  cl_event wait(cl_semaphore_khr semaphore) {
    cl_event event = nullptr;
    cl_int code = 0;
    cl_command_queue queue = driver_.CreateCommandQueue(session_.context, session_.device, 0, &code);
    expect(code == CL_SUCCESS, "clCreateCommandQueue", code);
    code = wait_(queue, 1, &semaphore, nullptr, 0, nullptr, &event);
    expect(code == CL_SUCCESS, "clEnqueueWaitSemaphoresKHR", code);
    driver_.ReleaseCommandQueue(queue);
    return event;
  }
  cl_int end_of_wait(cl_event event) { return end_of(driver_, event, "a wait"); }
  bool ended(cl_event event, int milliseconds) { return has_ended(driver_, event, milliseconds); }

  /// A signal, and a wait that ends somehow.
  void use(cl_semaphore_khr semaphore) {
    signal(semaphore);
    cl_event event = wait(semaphore);
    if (!ended(event, 5)) signal(semaphore);  // the number of signals was changed
    (void)end_of_wait(event);
    cl_semaphore_payload_khr payload = 0;
    expect(info_(semaphore, CL_SEMAPHORE_PAYLOAD_KHR, sizeof payload, &payload, nullptr) == CL_SUCCESS, "the payload");
  }
  /// Two objects of a semaphore that nobody else has work as they should.
  void check_others() {
    int handle = -1;
    cl_semaphore_khr one = exported(handle);
    cl_semaphore_khr other = imported(handle);
    for (int i = 0; i < 20; ++i) {
      cl_event event = wait(other);
      if (i % 2 == 0) usleep(1000);
      signal(one);
      expect(end_of_wait(event) == CL_COMPLETE, "a wait for a semaphore of its own");
    }
    release(one);
    release(other);
  }
  /// All of it, with two objects.
  void use_both(cl_semaphore_khr one, cl_semaphore_khr other) {
    use(one);
    use(other);
    cl_event event = wait(other);
    signal(one);
    if (!ended(event, 5)) signal(other);
    (void)end_of_wait(event);
  }

 private:
  Driver driver_;
  Session session_;
  cl_command_queue aside_ = nullptr;
  clCreateSemaphoreWithPropertiesKHR_fn create_;
  clReleaseSemaphoreKHR_fn release_;
  clEnqueueSignalSemaphoresKHR_fn signal_;
  clEnqueueWaitSemaphoresKHR_fn wait_;
  clGetSemaphoreHandleForTypeKHR_fn handle_;
  clGetSemaphoreInfoKHR_fn info_;
};

/// A semaphore that the peer has the handle of, and what an importer in this process has.
struct Shared {
  Victim& victim;
  const Peer& peer;
  int handle = -1;
  cl_semaphore_khr one;
  cl_semaphore_khr other;
  std::uint64_t words;

  Shared(Victim& of, const Peer& with)
      : victim(of),
        peer(with),
        one(of.exported(handle)),
        other(of.imported(dup(handle))),
        words(with.does(Deed::hold, 0, 0, handle)) {}
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() {
    victim.release(other);
    victim.release(one);
    peer.does(Deed::let_go);
    close(handle);
  }
};

}  // namespace

/// Every word that the peer can reach gets values that a counter, an owner, or half of a pointer could have.
int scribbled_words(const Arguments&) {
  const Peer peer;
  Victim victim;
  for (std::uint64_t word = 0;; word += word < 128 ? 1 : 8) {
    for (const std::uint32_t value : {0x41414141U, 0U, 1U, 3U, 0x7fff'ffffU, 0x8000'0000U, ~0U}) {
      const Shared shared(victim, peer);
      if (word >= std::min<std::uint64_t>(shared.words, 1024)) {
        victim.check_others();
        return 0;
      }
      peer.does(Deed::scribble, word, value);
      victim.use_both(shared.one, shared.other);
      // Places are alike, and the rest is mostly unused.
      if (word >= 128 || (word >= 16 && value == 0)) break;
    }
  }
}

/// All words change all the time.
int storm_of_words(const Arguments&) {
  const Peer peer;
  Victim victim;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Shared shared(victim, peer);
    peer.does(Deed::storm, seed);
    for (int i = 0; i < 10; ++i) victim.use_both(shared.one, shared.other);
    peer.does(Deed::calm);
  }
  victim.check_others();
  return 0;
}

/// What one can do with descriptors, before a wait, while one is pending, and before another import.
int other_deeds(const Arguments&) {
  const Peer peer;
  Victim victim;
  for (const Deed deed : {Deed::clear_flags, Deed::drain, Deed::fill, Deed::punch, Deed::lock, Deed::seal}) {
    for (const std::uint64_t size : {0, 1, 4096, 1 << 20}) {
      const Shared shared(victim, peer);
      cl_event pending = victim.wait(shared.other);
      if (size == 0) peer.does(Deed::clear_flags);
      peer.does(deed);
      if (size != 1) peer.does(Deed::resize, size);
      usleep(20'000);
      victim.check_others();
      victim.signal(shared.one);
      if (!victim.ended(pending, 300)) victim.signal(shared.other);
      (void)victim.end_of_wait(pending);
      victim.use_both(shared.one, shared.other);
      cl_int code = CL_SUCCESS;
      cl_semaphore_khr late = victim.imported(dup(shared.handle), code);
      // There may be no place left, and no page with the right numbers.
      const bool spoiled = deed == Deed::lock || deed == Deed::punch;
      expect(code == CL_SUCCESS || (spoiled && (code == CL_OUT_OF_RESOURCES || code == CL_INVALID_PROPERTY)),
             "an import later", code);
      if (late != nullptr) {
        victim.use(late);
        victim.release(late);
      }
    }
  }
  return 0;
}

/// A peer that wakes this process without end costs little time of a processor.
int flooded_waits(const Arguments&) {
  const Peer peer;
  Victim victim;
  const Shared shared(victim, peer);
  const auto used = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto of = [](const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * double(time.tv_usec); };
    return of(usage.ru_utime) + of(usage.ru_stime);
  };
  cl_event pending = victim.wait(shared.other);
  peer.does(Deed::flood);
  const auto start = std::chrono::steady_clock::now();
  const double before = used();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const double cost = used() - before;
  const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  expect(cost < 0.3 * passed, "thousandths of a second that waiting took", static_cast<long>(cost * 1000));
  victim.check_others();
  peer.does(Deed::calm);
  victim.signal(shared.one);
  if (!victim.ended(pending, 300)) victim.signal(shared.other);
  (void)victim.end_of_wait(pending);
  return 0;
}

/// Partners that use the semaphore as they should are killed at any point: every wait ends, and signals of this process
/// arrive afterwards.
int killed_partners(const Arguments&) {
  std::deque<Partner> partners;
  for (int i = 0; i < 12; ++i) {
    partners.emplace_back([](int socket) {
      Victim own;
      cl_semaphore_khr semaphore = own.imported(receive_descriptor(socket));
      expect(write(socket, "x", 1) == 1, "write");
      for (;;) {
        own.signal(semaphore);
        cl_event event = own.wait(semaphore);
        (void)own.ended(event, 1);
        own.signal(semaphore);
        (void)own.end_of_wait(event);
      }
    });
  }
  Victim victim;
  std::mt19937 random(1);
  for (Partner& partner : partners) {
    int handle = -1;
    cl_semaphore_khr semaphore = victim.exported(handle);
    send_descriptor(partner.socket(), handle);
    char ready = 0;
    expect(read(partner.socket(), &ready, 1) == 1, "the partner");
    usleep(random() % 20'000);
    cl_event event = victim.wait(semaphore);
    usleep(random() % 3000);
    partner.end();
    (void)victim.end_of_wait(event);
    // Without signals that the partner has left, a wait fails, and not later than a moment after the end.
    for (int i = 0;; ++i) {
      expect(i < 10'000, "waits that fail after the partner's end");
      if (victim.end_of_wait(victim.wait(semaphore)) < 0) break;
    }
    victim.signal(semaphore);
    expect(victim.end_of_wait(victim.wait(semaphore)) == CL_COMPLETE, "a signal of its own");
    close(handle);
    victim.release(semaphore);
  }
  victim.check_others();
  return 0;
}

/// The end of a partner is noticed although a child that it has forked lives on.
int orphaned_child(const Arguments&) {
  Partner partner([](int socket) {
    Victim own;
    own.imported(receive_descriptor(socket));
    const pid_t child = fork();
    if (child == 0) alarm(300);  // in case nobody ends it
    if (child != 0) expect(write(socket, &child, sizeof child) == sizeof child, "write");
    for (;;) pause();
  });
  Victim victim;
  int handle = -1;
  cl_semaphore_khr semaphore = victim.exported(handle);
  send_descriptor(partner.socket(), handle);
  pid_t child = -1;
  expect(read(partner.socket(), &child, sizeof child) == sizeof child, "the partner");
  cl_event event = victim.wait(semaphore);
  expect(!victim.ended(event, 250), "no signal before the partner's end");
  partner.end();
  const cl_int status = victim.end_of_wait(event);
  kill(child, SIGKILL);
  expect(status < 0, "a wait after the partner's end", status);
  return 0;
}

}  // namespace lanewise::robustness
