// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory of files that other processes can change while it is mapped. If one of them makes the file smaller, or the
/// file system has no room for a page, an access raises SIGBUS, which would end the process. Where a thread touches such
/// memory for a command, the handler puts empty memory of this process in the place of what is missing, and the access
/// goes on. The command then ends with kMemoryLost, and so does every later one that uses the object: what it held is
/// gone.
///
/// The handler is installed with the first range. All other faults, and those of the application itself in memory that
/// it has mapped, go on to the handler that was there before. If the application installs its own later, that one
/// decides, as sigaction(2) says.
#pragma once

#include <CL/cl.h>
#include <pthread.h>

#include <atomic>
#include <csignal>
#include <cstddef>

namespace lanewise {

/// How a command ends that has used memory that is lost.
constexpr cl_int kMemoryLost = CL_MEM_OBJECT_ALLOCATION_FAILURE;

enum class Imported : unsigned char {
  none,     ///< not in such memory
  unknown,  ///< nothing that is known is in it
  present,  ///< in it, and nothing is known to be missing
  lost,     ///< something has been replaced
};
/// The worse of two.
inline Imported worse(Imported one, Imported other) {
  return one > other ? one : other;
}

namespace detail {
extern std::atomic<std::size_t> imported_ranges;
}

/// Whether there is such memory in the process at all.
inline bool has_imported_memory() {
  return detail::imported_ranges.load(std::memory_order_relaxed) != 0;
}

/// Adds a mapping of whole pages of so many bytes; false: no memory. `remove` comes before it is unmapped.
[[nodiscard]] bool add_imported_memory(void* begin, std::size_t bytes, std::size_t page_bytes) noexcept;
void remove_imported_memory(const void* begin) noexcept;

/// Of the range that an address is in. Cheap where the process has none.
Imported imported_at(const void* address) noexcept;

/// As long as this object exists, faults of the calling thread in imported memory are mended.
class MendFaults {
 public:
  /// @param unblock  also if the thread blocks SIGBUS, for two system calls; otherwise such a fault ends the process
  explicit MendFaults(bool unblock = true) noexcept;
  ~MendFaults();
  MendFaults(const MendFaults&) = delete;
  MendFaults& operator=(const MendFaults&) = delete;
  /// Whether there has been one.
  [[nodiscard]] bool any() const { return any_ != 0; }

  /// To be called first on a thread of the driver, which never blocks SIGBUS and so needs no system calls.
  static void never_blocked() noexcept;

 private:
  friend struct ImportedRanges;
  MendFaults* outer_;
  volatile std::sig_atomic_t any_ = 0;
  bool has_saved_ = false;
  sigset_t saved_;
};

}  // namespace lanewise
