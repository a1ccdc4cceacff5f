// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Imported memory: mapped files that other processes can change. If a process truncates the file, or the file system
/// has no room for a page, an access raises SIGBUS, which would end the process. If a thread accesses such memory for a
/// command, the driver's handler replaces the missing pages by empty memory of this process, and the access continues.
/// The command then ends with kMemoryLost. All later commands that use the object do so too, because its content is
/// lost.
///
/// The first range installs the handler. It passes all other faults, and the application's own faults in memory that it
/// has mapped, to the previous handler. A handler that the application installs later replaces the driver's
/// (sigaction(2)).
#pragma once

#include <CL/cl.h>
#include <pthread.h>

#include <atomic>
#include <csignal>
#include <cstddef>

namespace lanewise {

/// The status of a command that has used lost memory.
constexpr cl_int kMemoryLost = CL_MEM_OBJECT_ALLOCATION_FAILURE;

/// Whether something is in imported memory, in ascending order of badness (`worse`).
enum class Imported : unsigned char {
  none,     ///< no imported memory
  unknown,  ///< may access imported memory through pointers that are not known
  present,  ///< imported memory of which nothing is known to be missing
  lost,     ///< imported memory of which pages have been replaced
};
/// The worse of two values.
inline Imported worse(Imported one, Imported other) {
  return one > other ? one : other;
}

namespace detail {
extern std::atomic<std::size_t> imported_ranges;
}

/// Whether the process has imported memory.
inline bool has_imported_memory() {
  return detail::imported_ranges.load(std::memory_order_relaxed) != 0;
}

/// Adds a mapping of `bytes` bytes in whole pages of `page_bytes` bytes. False: out of memory. The mapping must be
/// removed from here before it is unmapped.
[[nodiscard]] bool add_imported_memory(void* begin, std::size_t bytes, std::size_t page_bytes) noexcept;
/// Notes that all memory from this address on, which has been added, is not what it was.
void lose_imported_memory(const void* begin) noexcept;
void remove_imported_memory(const void* begin) noexcept;

/// The state of the range that an address is in. Cheap if the process has no imported memory.
Imported imported_at(const void* address) noexcept;

/// Mends faults of the calling thread in imported memory while the object exists.
class MendFaults {
 public:
  /// @param unblock  unblock SIGBUS meanwhile, by two system calls; if false and the thread blocks SIGBUS, a fault ends
  ///                 the process
  explicit MendFaults(bool unblock = true) noexcept;
  ~MendFaults();
  MendFaults(const MendFaults&) = delete;
  MendFaults& operator=(const MendFaults&) = delete;
  /// Whether a fault has been mended.
  [[nodiscard]] bool any() const { return any_ != 0; }

  /// Notes that the calling thread never blocks SIGBUS and so needs no system calls; called first on threads of the
  /// driver.
  static void never_blocked() noexcept;

 private:
  friend struct ImportedRanges;
  MendFaults* outer_;
  volatile std::sig_atomic_t any_ = 0;
  bool has_saved_ = false;
  sigset_t saved_;
};

}  // namespace lanewise
