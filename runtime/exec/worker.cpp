// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/worker.h"

#include <pthread.h>
#include <sys/mman.h>
#include <xmmintrin.h>

#include <cstdlib>

#include "runtime/exec/print.h"

namespace lanewise {

namespace {

/// All exceptions masked, round to nearest even, neither FTZ nor DAZ, no flags: the value after reset.
constexpr unsigned kKernelMxcsr = 0x1f80;

/// Areas of at least this size are mappings of their own, which go back to the system when they are freed.
constexpr std::uint64_t kLarge = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMostScratch = std::uint64_t{1} << 40U;
/// An area that was eight times too large for this many chunks in a row shrinks. That is a second or more of work, so
/// the pages are not mapped again and again for a kernel that runs from time to time.
constexpr unsigned kOversized = 1U << 16U;

/// Large areas in the process.
constinit std::atomic<int> g_large_areas{0};

/// A plain pointer with a pthread key that frees it, instead of a thread_local object: it stays usable in destructors
/// that run later when the process ends, and no destructor of ours runs at exit.
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
  for (Area* area : {&local_, &item_, &group_}) free(*area);
}

constinit std::atomic<unsigned> Worker::times_asked_{0};

Worker& Worker::current() {
  if (t_worker == nullptr) [[unlikely]] {
    t_worker = new Worker;
    pthread_setspecific(worker_key(), t_worker);
  }
  return *t_worker;
}

bool Worker::fit(Area& area, std::uint64_t bytes) {
  if (bytes <= area.size) [[likely]] {
    if (area.size < kLarge) [[likely]]
      return true;
    area.oversized = bytes < area.size / 8 ? area.oversized + 1 : 0;
    return area.oversized < kOversized || replace(area, bytes);
  }
  // A quarter more than asked for, so that slowly growing needs do not allocate each time.
  return bytes <= kMostScratch && replace(area, bytes + bytes / 4);
}

bool Worker::replace(Area& area, std::uint64_t bytes) {
  const std::uint64_t align = LANEWISE_SCRATCH_ALIGN;
  const std::uint64_t size = (bytes + align - 1) / align * align;
  // Freed first, so that the old and the new area never exist at the same time.
  free(area);
  if (size == 0) return true;
  void* data = nullptr;
  if (size >= kLarge) {
    data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) return false;
    g_large_areas.fetch_add(1, std::memory_order_relaxed);
  } else if (data = std::aligned_alloc(align, size); data == nullptr) {
    return false;
  }
  area = {static_cast<char*>(data), size, 0};
  return true;
}

void Worker::free(Area& area) noexcept {
  if (area.size >= kLarge) {
    munmap(area.data, area.size);
    g_large_areas.fetch_sub(1, std::memory_order_relaxed);
  } else {
    std::free(area.data);
  }
  area = {};
}

bool Worker::ask_for_scratch() noexcept {
  if (g_large_areas.load(std::memory_order_relaxed) == 0) return false;
  times_asked_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

void Worker::give_back() noexcept {
  asked_ = times_asked_.load(std::memory_order_relaxed);
  for (Area* area : {&local_, &item_, &group_})
    if (area->size >= kLarge) free(*area);
}

bool Worker::reserve(std::uint64_t local_bytes, std::uint64_t item_bytes, std::uint64_t group_bytes) {
  const bool fits = fit(local_, local_bytes) && fit(item_, item_bytes) && fit(group_, group_bytes);
  abi_.local_memory = local_.data;
  abi_.item_scratch = item_.data;
  abi_.group_scratch = group_.data;
  abi_.local_bytes = local_.size;
  abi_.item_bytes = item_.size;
  abi_.group_bytes = group_.size;
  return fits;
}

KernelFloatEnvironment::KernelFloatEnvironment() noexcept : saved_(_mm_getcsr()) {
  if (saved_ != kKernelMxcsr) _mm_setcsr(kKernelMxcsr);
}

KernelFloatEnvironment::~KernelFloatEnvironment() {
  if (_mm_getcsr() != saved_) _mm_setcsr(saved_);
}

}  // namespace lanewise
