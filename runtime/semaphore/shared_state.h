// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The state of a semaphore that processes share by a handle (cl_khr_external_semaphore_opaque_fd).
///
/// The handle is a file in memory of one page (memfd) with a sealed size. Every owner of a handle can write every byte
/// at any time. The page therefore holds plain numbers only. None is used as an address, a size or an index, and each
/// may have any value when it is read:
///
/// * The number of signals that no wait has taken, and the level.
/// * A counter that a thread sleeps on (futex(2)) until it changes, for at most a tenth of a second.
/// * Places, one for each semaphore object of any process. The object holds a lock of the byte with the place's number
///   (fcntl(2), F_OFD_SETLK), by a descriptor that only its process has. The process opens the file again for this
///   descriptor, because all sent or duplicated descriptors are one owner of locks. The system removes the lock when
///   the process ends: the owner of a used place without a lock is lost. Process ids cannot replace the locks, because
///   processes of different namespaces may share a semaphore.
///
/// A process that is killed at any point leaves numbers that others can continue with. No function here blocks, except
/// `sleep` for its limited time: neither accesses to a page nor attempts to lock can wait, whatever others do.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "runtime/process/closed_on_fork.h"
#include "src/base/result.h"
#include "src/file/file.h"

namespace lanewise {

/// The shared state, with this object's place in it.
class SharedState {
 public:
  /// Creates a state. Errors: CL_OUT_OF_RESOURCES. May throw std::bad_alloc.
  static Result<SharedState> create();
  /// Opens the state of a handle, which the caller keeps. Errors: CL_INVALID_PROPERTY (not a handle of this driver),
  /// CL_OUT_OF_RESOURCES (also: all places are taken). May throw std::bad_alloc.
  static Result<SharedState> open(int handle);

  SharedState(SharedState&& other) noexcept;
  SharedState& operator=(SharedState&&) = delete;
  ~SharedState();

  /// A new handle, closed on exec. Only states made by `create` have handles. Errors: CL_OUT_OF_RESOURCES.
  [[nodiscard]] Result<int> handle() const;

  /// Adds a signal that no wait has taken.
  void keep_signal();
  /// Takes a kept signal. False: there is none, or others change the number all the time.
  [[nodiscard]] bool take_signal();
  /// Changes the level: the number of signals that have run minus the number of waits that have run.
  void add_level(int change);
  [[nodiscard]] std::int64_t level() const;

  /// A counter that changes with each kept signal.
  [[nodiscard]] std::uint32_t changes() const;
  /// Sleeps until `changes()` is no longer `seen`, for at most kLongestSleep. May return early.
  void sleep(std::uint32_t seen) const;
  static constexpr std::chrono::milliseconds kLongestSleep{100};

  /// Gives the place back; called once. The process does not count as lost if it ends afterwards.
  void leave();
  /// Whether a process has ever ended while it had a place. Must not be called after `leave`.
  [[nodiscard]] bool somebody_is_lost();

 private:
  struct Page;
  struct Membership {
    std::size_t number;
    std::uint32_t mark;  ///< value in the page while this object has the place
  };
  SharedState(ClosedOnFork file, Page* page, Membership place, file::Descriptor handle)
      : file_(std::move(file)), page_(page), place_(place), handle_(std::move(handle)) {}
  static Result<SharedState> join(int memory, bool is_new, file::Descriptor handle);

  ClosedOnFork file_;  ///< the object's own descriptor, which holds the lock of its place
  Page* page_;
  Membership place_;
  file::Descriptor handle_;  ///< empty: the state was imported
};

}  // namespace lanewise
