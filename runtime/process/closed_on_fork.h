// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A descriptor that forked children close at once. What others learn from its end, such as that a lock is free, must
/// not wait for children that never use it.
#pragma once

#include "src/file/file.h"

namespace lanewise {

class ClosedOnFork {
 public:
  /// May throw std::bad_alloc.
  explicit ClosedOnFork(file::Descriptor descriptor);
  ClosedOnFork(ClosedOnFork&& other) noexcept
      : descriptor_(std::move(other.descriptor_)), slot_(std::exchange(other.slot_, nullptr)) {}
  ClosedOnFork& operator=(ClosedOnFork&&) = delete;
  /// Leaves the number alone if it is another file's by now.
  ~ClosedOnFork();

  [[nodiscard]] int get() const { return descriptor_.get(); }
  /// Whether the number still refers to the same file: applications close descriptors that they do not know.
  [[nodiscard]] bool is_intact() const;

 private:
  struct Slot;
  friend struct ClosedOnForkSlots;

  file::Descriptor descriptor_;
  Slot* slot_ = nullptr;
};

}  // namespace lanewise
