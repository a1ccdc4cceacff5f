// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/worker.h"

#include <pthread.h>
#include <xmmintrin.h>

#include "runtime/exec/print.h"
#include "runtime/process/fork_guard.h"

namespace lanewise {

namespace {

/// All exceptions masked, round to nearest even, neither FTZ nor DAZ, no flags: the value after reset.
constexpr unsigned kKernelMxcsr = 0x1f80;

/// A plain pointer with a pthread key that frees it, instead of a thread_local object: it stays usable in destructors
/// that run later when the process ends, and no destructor of ours runs at exit.
constinit thread_local Worker* t_worker = nullptr;

pthread_key_t worker_key() {
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    pthread_key_create(&made, [](void* worker) {
      t_worker = nullptr;
      if (!in_forked_child()) delete static_cast<Worker*>(worker);
    });
    return made;
  }();
  return key;
}

}  // namespace

Worker::Worker() {
  abi_.services = &kernel_services();
  abi_.runtime = this;
}

Worker& Worker::current() {
  if (t_worker == nullptr) [[unlikely]] {
    t_worker = new Worker;
    pthread_setspecific(worker_key(), t_worker);
  }
  return *t_worker;
}

KernelFloatEnvironment::KernelFloatEnvironment() noexcept : saved_(_mm_getcsr()) {
  if (saved_ != kKernelMxcsr) _mm_setcsr(kKernelMxcsr);
}

KernelFloatEnvironment::~KernelFloatEnvironment() {
  if (_mm_getcsr() != saved_) _mm_setcsr(saved_);
}

}  // namespace lanewise
