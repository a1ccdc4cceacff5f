// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/worker.h"

#include <pthread.h>
#include <xmmintrin.h>

#include <cstdlib>

#include "runtime/exec/print.h"

namespace lanewise {

namespace {

/// All exceptions masked, round to nearest even, neither FTZ nor DAZ, no flags: the value after reset.
constexpr unsigned kKernelMxcsr = 0x1f80;

/// A plain pointer with a key that frees it, and not a thread_local object: it stays usable in the destructors that
/// run after it when the process ends, and nothing of it runs at exit.
constinit thread_local Worker* t_worker = nullptr;

pthread_key_t worker_key() {
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    pthread_key_create(&made, [](void* worker) {
      t_worker = nullptr;
      delete static_cast<Worker*>(worker);
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

Worker::~Worker() {
  for (const Area* area : {&local_, &item_, &group_}) std::free(area->data);
}

Worker& Worker::current() {
  if (t_worker == nullptr) [[unlikely]] {
    t_worker = new Worker;
    pthread_setspecific(worker_key(), t_worker);
  }
  return *t_worker;
}

bool Worker::grow(Area& area, std::uint64_t bytes) {
  if (bytes <= area.size) [[likely]]
    return true;
  if (bytes > (std::uint64_t{1} << 40)) return false;
  // A quarter more than asked for, so that slowly growing needs do not allocate each time.
  const std::uint64_t align = LANEWISE_SCRATCH_ALIGN;
  const std::uint64_t size = (bytes + bytes / 4 + align - 1) / align * align;
  auto* data = static_cast<char*>(std::aligned_alloc(align, size));
  if (data == nullptr) return false;
  std::free(area.data);
  area = {data, size};
  return true;
}

bool Worker::reserve(std::uint64_t local_bytes, std::uint64_t item_bytes, std::uint64_t group_bytes) {
  const bool grown = grow(local_, local_bytes) && grow(item_, item_bytes) && grow(group_, group_bytes);
  abi_.local_memory = local_.data;
  abi_.item_scratch = item_.data;
  abi_.group_scratch = group_.data;
  return grown;
}

KernelFloatEnvironment::KernelFloatEnvironment() noexcept : saved_(_mm_getcsr()) {
  if (saved_ != kKernelMxcsr) _mm_setcsr(kKernelMxcsr);
}

KernelFloatEnvironment::~KernelFloatEnvironment() {
  if (_mm_getcsr() != saved_) _mm_setcsr(saved_);
}

}  // namespace lanewise
