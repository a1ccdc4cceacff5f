// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory that an application holds by pointer: shared virtual memory (API 5.6) and unified shared memory
/// (cl_intel_unified_shared_memory). On a CPU device both are host memory; the driver only keeps a list of allocations.
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

/// One allocation.
struct Allocation {
  std::byte* begin = nullptr;
  std::size_t size = 0;  ///< bytes
  AllocationKind kind = AllocationKind::svm;
  cl_bitfield flags = 0;          ///< SVM: memory flags; USM: CL_MEM_ALLOC_FLAGS_INTEL
  cl_device_id device = nullptr;  ///< USM: the device that the application named; null: none
  bool pages = false;             ///< the memory is of pages.h

  /// Bytes from `pointer`, which points into the allocation, to the end of the allocation.
  [[nodiscard]] std::size_t left(const void* pointer) const {
    return static_cast<std::size_t>(begin + size - static_cast<const std::byte*>(pointer));
  }
};

/// The allocations of one context, by address. Thread-safe. The destructor frees the remaining ones.
class Allocations {
 public:
  /// The alignment of all allocations, in bytes: it fits every OpenCL type (double16).
  static constexpr std::size_t kAlignment = 128;
  /// The largest alignment that an allocation may ask for, in bytes: that of a huge page.
  static constexpr std::size_t kLargestAlignment = std::size_t{2} << 20;

  Allocations() = default;
  ~Allocations();
  Allocations(const Allocations&) = delete;
  Allocations& operator=(const Allocations&) = delete;

  /// Allocates memory. `wanted.begin` is ignored. Errors: CL_OUT_OF_HOST_MEMORY.
  /// @param alignment  bytes, a power of two, at most kLargestAlignment
  Result<void*> allocate(Allocation wanted, std::size_t alignment = kAlignment);
  /// The allocation that `pointer` points into; nothing: there is none.
  [[nodiscard]] std::optional<Allocation> find(const void* pointer) const;
  /// Frees the allocation that begins at `pointer`: SVM if `svm` is true, else USM. False: there is none.
  bool release(const void* pointer, bool svm);

 private:
  mutable Mutex mutex_;  ///< innermost; only the map is accessed under it
  std::map<std::uintptr_t, Allocation> by_address_ GUARDED_BY(mutex_);  ///< key: Allocation::begin
};

}  // namespace lanewise
