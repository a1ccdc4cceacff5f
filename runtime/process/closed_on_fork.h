// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A descriptor that forked children close at once. Other processes wait for its end, for example for the end of a
/// lock, and must not wait for children that never use it.
#pragma once

#include "src/file/file.h"

namespace lanewise {

/// An owned descriptor that is closed in forked children.
class ClosedOnFork {
 public:
  /// Takes over the descriptor. May throw std::bad_alloc.
  explicit ClosedOnFork(file::Descriptor descriptor);
  ClosedOnFork(ClosedOnFork&& other) noexcept
      : descriptor_(std::move(other.descriptor_)), slot_(std::exchange(other.slot_, nullptr)) {}
  ClosedOnFork& operator=(ClosedOnFork&&) = delete;
  /// Closes the descriptor, unless its number belongs to another file by now.
  ~ClosedOnFork();

  [[nodiscard]] int get() const { return descriptor_.get(); }
  /// Whether the number still refers to the same file. Applications may close descriptors that they do not know.
  [[nodiscard]] bool is_intact() const;

 private:
  struct Slot;
  friend struct ClosedOnForkSlots;

  file::Descriptor descriptor_;
  Slot* slot_ = nullptr;
};

}  // namespace lanewise
