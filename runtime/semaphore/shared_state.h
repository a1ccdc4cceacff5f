// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The state that processes share of a semaphore with a handle (cl_khr_external_semaphore_opaque_fd). The handle is a
/// file in memory of one page (memfd), whose size is sealed. Everybody who has a handle can write every byte of it, at
/// any time. So the page holds plain numbers only, which are never used as an address, a size or an index, and each of
/// which may be anything when it is read:
///
/// * how many signals no wait has taken, and the level;
/// * a counter that a thread sleeps on (futex(2)) until it changes, and never longer than a tenth of a second;
/// * places, one for each semaphore object of any process. The object has the byte of that number locked (fcntl(2),
///   F_OFD_SETLK) by a descriptor that only its process has: that process opens the file again, since all descriptors
///   that are sent or duplicated are one owner of locks. When the process ends, the system removes the lock; a place in
///   use without a lock is one whose owner is lost. Process ids would not work, because processes of different
///   namespaces may share a semaphore.
///
/// A process that is killed at any point leaves numbers that others can go on with. No function here blocks: the system
/// has nothing to wait for in a page and in a lock that is only tried, whatever others do with the file.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "runtime/process/closed_on_fork.h"
#include "src/base/result.h"
#include "src/file/file.h"

namespace lanewise {

class SharedState {
 public:
  /// Errors: CL_OUT_OF_RESOURCES. May throw std::bad_alloc.
  static Result<SharedState> create();
  /// The state behind a handle, which the caller keeps. Errors: CL_INVALID_PROPERTY (not a handle of this driver),
  /// CL_OUT_OF_RESOURCES (also: all places are taken). May throw std::bad_alloc.
  static Result<SharedState> open(int handle);

  SharedState(SharedState&& other) noexcept;
  SharedState& operator=(SharedState&&) = delete;
  ~SharedState();

  /// A new handle, closed on exec. Only for a state made by `create`. Errors: CL_OUT_OF_RESOURCES.
  [[nodiscard]] Result<int> handle() const;

  /// Adds a signal that no wait has taken.
  void keep_signal();
  /// Takes one. False also if others change the number all the time.
  [[nodiscard]] bool take_signal();
  /// The number of signals that have run, minus the waits that have run.
  void add_level(int change);
  [[nodiscard]] std::int64_t level() const;

  /// Changes with each signal that is kept.
  [[nodiscard]] std::uint32_t changes() const;
  /// Sleeps until `changes()` is no longer `seen`, for a tenth of a second at most. May return early.
  void sleep(std::uint32_t seen) const;
  static constexpr std::chrono::milliseconds kLongestSleep{100};

  /// Gives the place back. If the process ends after this call, it does not count as lost. Once.
  void leave();
  /// Whether a process has ever ended while it had a place. Not after `leave`.
  [[nodiscard]] bool somebody_is_lost();

 private:
  struct Page;
  struct Place {
    std::size_t number;
    std::uint32_t mark;  ///< what the page says of it while this object has it
  };
  SharedState(ClosedOnFork file, Page* page, Place place, file::Descriptor handle)
      : file_(std::move(file)), page_(page), place_(place), handle_(std::move(handle)) {}
  static Result<SharedState> join(int memory, bool is_new, file::Descriptor handle);

  ClosedOnFork file_;  ///< this object's own, which has its place locked
  Page* page_;
  Place place_;
  file::Descriptor handle_;  ///< none if it was imported
};

}  // namespace lanewise
