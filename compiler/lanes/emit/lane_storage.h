// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Variables on the stack that the vector forms of a loop share, as these run one after the other.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>

namespace lanewise::spmd {

/// Alignment of the dummies: that of the largest OpenCL type, and of a cache line.
inline const llvm::Align kDummyAlign(64);

class LaneStorage {
 public:
  /// The copies of a private variable for all lanes, made at the first call: `bytes` bytes, at least `align`.
  llvm::Value* copies_of(const llvm::AllocaInst& variable, std::uint64_t bytes, llvm::Align align);
  /// The variable itself, for all lanes of a vector (Shapes::is_shared).
  static llvm::Value* shared(const llvm::AllocaInst& variable);
  /// The address of a variable that holds zeros, for accesses without an active lane: one per type and address
  /// space.
  llvm::Value* dummy(llvm::Function& function, llvm::Type& type, unsigned address_space);
  /// A place for a vector from which lanes are read whose numbers are known at run time only. It is read right after it
  /// has been written.
  /// @param number  tells several places of one type apart
  llvm::Value* slot(llvm::Function& function, llvm::Type& type, unsigned number);

 private:
  llvm::DenseMap<const llvm::AllocaInst*, llvm::Value*> private_copies_;
  llvm::DenseMap<std::pair<llvm::Type*, unsigned>, llvm::Value*> dummies_;
  llvm::DenseMap<std::pair<llvm::Type*, unsigned>, llvm::Value*> slots_;
};

}  // namespace lanewise::spmd
