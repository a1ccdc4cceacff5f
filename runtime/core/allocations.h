// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory that an application holds by pointer: shared virtual memory (API 5.6) and unified shared memory
/// (cl_intel_unified_shared_memory). On a CPU device both are host memory; the driver only keeps a list of them.
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "src/base/mutex.h"
#include "src/base/result.h"

namespace lanewise {

enum class AllocationKind { svm, usm_host, usm_device, usm_shared };

struct Allocation {
  std::byte* begin = nullptr;
  std::size_t size = 0;
  AllocationKind kind = AllocationKind::svm;
  cl_bitfield flags = 0;          ///< SVM: memory flags; USM: CL_MEM_ALLOC_FLAGS_INTEL
  cl_device_id device = nullptr;  ///< USM: the device that the application named; null if none

  /// Bytes from `pointer`, which points into the allocation, to its end.
  [[nodiscard]] std::size_t left(const void* pointer) const {
    return static_cast<std::size_t>(begin + size - static_cast<const std::byte*>(pointer));
  }
};

/// The allocations of one context, by address. Thread-safe. The destructor frees those that are left.
class Allocations {
 public:
  /// Alignment that fits every OpenCL type (double16), bytes; larger ones are refused by the API.
  static constexpr std::size_t kLargestAlignment = 128;

  Allocations() = default;
  ~Allocations();
  Allocations(const Allocations&) = delete;
  Allocations& operator=(const Allocations&) = delete;

  /// `wanted.begin` is ignored. The memory is aligned to at least kLargestAlignment. Errors: CL_OUT_OF_HOST_MEMORY.
  Result<void*> allocate(Allocation wanted);
  /// The allocation that `pointer` points into.
  [[nodiscard]] std::optional<Allocation> find(const void* pointer) const;
  /// Frees the SVM allocation (USM allocation if `svm` is false) that begins at `pointer`. False: there is none.
  bool release(const void* pointer, bool svm);

 private:
  mutable Mutex mutex_;  ///< innermost: only the map is accessed under it
  std::map<std::uintptr_t, Allocation> by_address_ GUARDED_BY(mutex_);  ///< key: begin
};

}  // namespace lanewise
