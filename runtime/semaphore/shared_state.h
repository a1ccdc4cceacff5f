// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The state that processes share of a semaphore with a handle (cl_khr_external_semaphore_opaque_fd):
///
/// * an eventfd that counts the signals that no wait has taken. It is an object of the kernel, so it stays consistent
///   if a process is killed at any point, and a waiting thread can be woken by it;
/// * a page of memory with the level, and with places, one for each semaphore object of any process. A place is a
///   robust mutex, which one thread of that process holds while the object exists. If the process ends earlier, the
///   kernel marks the mutex, and the next process that checks it sees the mark. Process ids would not work, because
///   processes of different namespaces may share a semaphore.
///
/// The handle is one end of a pair of sockets whose other end is closed. Its queue holds one message with both
/// descriptors. An import reads the message without removing it, and gets descriptors of its own; so a handle can be
/// imported any number of times, and it keeps the state alive while no process has the state open.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "src/base/result.h"
#include "src/file/file.h"

namespace lanewise {

class SharedState {
 public:
  /// Errors: CL_OUT_OF_RESOURCES.
  static Result<SharedState> create();
  /// The state behind a handle, which the caller keeps. Errors: CL_INVALID_PROPERTY (not a handle of this driver),
  /// CL_OUT_OF_RESOURCES.
  static Result<SharedState> open(int handle);

  SharedState(SharedState&& other) noexcept;
  SharedState& operator=(SharedState&&) = delete;
  ~SharedState();

  /// A new handle, closed on exec. Only for a state made by `create`. Errors: CL_OUT_OF_RESOURCES.
  [[nodiscard]] Result<int> handle() const;

  // The signals that no wait has taken. These functions do not block.
  void keep_signal();
  [[nodiscard]] bool take_signal();
  /// A descriptor that is readable while there is a signal.
  [[nodiscard]] int signals() const { return signals_.get(); }
  /// The number of signals that have run, minus the waits that have run.
  [[nodiscard]] std::atomic<std::int64_t>& level() const;

  // The place of the semaphore object. All of these but `say_good_bye` are called by one thread, which lives as long as
  // the process.
  /// False: all places are taken.
  [[nodiscard]] bool take_place();
  /// If the process ends after this call, its place does not count as lost. Any thread may call it.
  void say_good_bye();
  void leave_place();
  /// Whether a process has ever ended while it had a place.
  [[nodiscard]] bool somebody_is_lost();

 private:
  struct Shared;
  SharedState(file::Descriptor signals, Shared* shared, file::Descriptor handle)
      : signals_(std::move(signals)), handle_(std::move(handle)), shared_(shared) {}
  static Result<Shared*> map(int memory, bool is_new);
  [[nodiscard]] bool claim(std::size_t place);

  file::Descriptor signals_;
  file::Descriptor handle_;  ///< none if it was imported
  Shared* shared_;
  std::size_t place_ = 0;
  bool has_place_ = false;
};

}  // namespace lanewise
