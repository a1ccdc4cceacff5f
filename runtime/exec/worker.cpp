// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/worker.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <string>

#include "runtime/check/launch_checks.h"
#include "runtime/printf/format.h"
#include "runtime/printf/sink.h"
#include "runtime/process/fork_guard.h"
#include "runtime/process/interrupt.h"
#include "src/base/rounding.h"
#include "src/base/survives_fork.h"
#include "src/log/log.h"

namespace lanewise {

namespace {

/// A plain pointer with a pthread key that frees it, instead of a thread_local object: it stays usable in destructors
/// that run later when the process ends, and no destructor of ours runs at exit.
constinit thread_local Worker* t_worker = nullptr;

LANEWISE_SURVIVES_FORK constinit std::atomic<pthread_key_t> g_key{0};
LANEWISE_SURVIVES_FORK constinit std::atomic<bool> g_has_key{false};

pthread_key_t worker_key() {
  static const pthread_key_t key = [] {
    if (g_has_key.load()) return g_key.load();  // the parent's
    pthread_key_t made{};
    pthread_key_create(&made, [](void* worker) {
      t_worker = nullptr;
      if (!in_forked_child()) delete static_cast<Worker*>(worker);
    });
    forget_after_fork(made);
    g_key.store(made);
    g_has_key.store(true);
    return made;
  }();
  return key;
}

std::int32_t print(lanewise_worker* worker, std::uint64_t group, const char* format, const void* args,
                   std::uint32_t bytes, std::uint32_t count) {
  PrintSink* sink = Worker::from(worker).sink();
  if (sink == nullptr || format == nullptr) return -1;
  try {
    std::string text;
    const bool fine = format_print(text, format, {static_cast<const std::uint8_t*>(args), bytes}, count);
    return sink->add(group, text) && fine ? 0 : -1;
  } catch (const std::exception&) {
    return -1;
  }
}

void divergent_barrier(lanewise_worker* worker, std::uint64_t group, const char* site) {
  if (check::LaunchChecks* checks = Worker::from(worker).checks()) checks->divergent_barrier(group, site);
  log_line(Channel::barriers, "work-group %llu: not all work-items reach the barrier at %s",
           static_cast<unsigned long long>(group), site);
}

/// Services hold locks and allocate, so a thread must not be stopped inside of one.
__attribute__((disable_sanitizer_instrumentation)) std::int32_t print_service(lanewise_worker* worker,
                                                                              std::uint64_t group, const char* format,
                                                                              const void* args, std::uint32_t bytes,
                                                                              std::uint32_t count) {
  Uninterruptible service;
  const std::int32_t result = print(worker, group, format, args, bytes, count);
  service.end();
  return result;
}

__attribute__((disable_sanitizer_instrumentation)) void barrier_service(lanewise_worker* worker, std::uint64_t group,
                                                                        const char* site) {
  Uninterruptible service;
  divergent_barrier(worker, group, site);
  service.end();
}

__attribute__((disable_sanitizer_instrumentation)) std::uint64_t check_service(lanewise_worker* worker,
                                                                               std::uint64_t what, const char* place,
                                                                               std::uint64_t address,
                                                                               std::uint64_t value, std::uint64_t item,
                                                                               std::uint64_t local) {
  Uninterruptible service;
  check::LaunchChecks* checks = Worker::from(worker).checks();
  check::WorkerRecords& records = Worker::from(worker).records();
  const std::uint64_t result =
      checks == nullptr ? 1 : checks->call(*worker, records, what, place, address, value, item, local);
  service.end();
  return result;
}

constexpr lanewise_services kServices{&print_service, &barrier_service, nullptr, nullptr, &check_service};

}  // namespace

const lanewise_services& kernel_services() {
  return kServices;
}

Worker::Worker() {
  abi_.services = &kServices;
  abi_.runtime = this;
}

bool Worker::begin_checks(std::uint64_t local_bytes) noexcept try {
  bounds_ = checks_->bounds();
  // As aligned as what it is the shadow of, because code accesses it with the same alignment.
  local_shadow_.resize(local_bytes + LANEWISE_SCRATCH_ALIGN);
  const std::uintptr_t shadow =
      round_up(reinterpret_cast<std::uintptr_t>(local_shadow_.data()), std::uintptr_t{LANEWISE_SCRATCH_ALIGN});
  bounds_.push_back({shadow - reinterpret_cast<std::uintptr_t>(abi_.local_memory), 0, 0});
  abi_.bounds = bounds_.data();
  abi_.races = records_.begin(abi_.local_memory, local_bytes);
  return true;
} catch (const std::exception&) {
  return false;
}

void Worker::forget_local_memory() {
  std::fill(local_shadow_.begin(), local_shadow_.end(), std::uint8_t{0xff});
}

Worker& Worker::current() {
  if (t_worker == nullptr) [[unlikely]] {
    t_worker = new Worker;
    pthread_setspecific(worker_key(), t_worker);
  }
  return *t_worker;
}

KernelFloatEnvironment::KernelFloatEnvironment() noexcept : saved_(host::float_control()) {
  if (saved_ != host::kUsualFloatControl) host::set_float_control(host::kUsualFloatControl);
}

KernelFloatEnvironment::~KernelFloatEnvironment() {
  if (host::float_control() != saved_) host::set_float_control(saved_);
}

}  // namespace lanewise
