// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory of which many have a copy, as private arrays of work-items: their first elements next to each other, then
/// their second ones, and so on. A vector of work-items that access the same element then loads or stores neighbours.
///
///     copy after copy                        elements of 4 bytes interleaved, `copies` of them
///     %a = gep float, %array, i64 %i         %a = gep i8, %array, i64 (%i * 4 * copies)
///     %b = gep i8, %array, i64 12            %b = gep i8, %array, i64 (12 * copies)
///
/// Every distance from the begin of a copy becomes `copies` times as long. Where a copy begins is not decided here: the
/// copies of neighbours begin an element apart.
///
/// Private arrays that live across barriers gain in OpenCV's boxFilter and filter2D (1.7 to 2.3 times as fast), in
/// SHOC's FFT (3.2) and radix sort (its bottom_scan 1.25, its reduce 0.9). clSPARSE's merges of sparse products have
/// them too.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <utility>

namespace llvm {
class DataLayout;
class GetElementPtrInst;
class Instruction;
class MemSetInst;
class Value;
}  // namespace llvm

namespace lanewise {

class Interleaving {
 public:
  /// @param memory  address of a copy
  Interleaving(llvm::Value& memory, const llvm::DataLayout& layout) : memory_(memory), layout_(layout) {}

  /// Bytes of an element, a power of two: all accesses are of one whole element, which is no vector. 0: they are not,
  /// or nobody knows, because the address is used otherwise than by loads and stores.
  std::uint64_t find_element();
  /// The same, but accesses may be of vectors or of a part of an element, and memory may be filled.
  std::uint64_t find_element_of_parts();

  /// Every distance from `memory` becomes `copies` (i64) times as long. Only the first copy's elements are aligned as
  /// before. Expects that an element has been found. Erases instructions.
  void spread(llvm::Value& copies);

 private:
  /// Finds all accesses through `pointer`, and the size of the largest.
  bool find_accesses(llvm::Value& pointer, bool parts);
  bool note_access(llvm::Instruction& access, bool parts);
  /// Every access through `pointer`, which is `begin` bytes behind the begin of an element, is within one element.
  bool are_within_elements(llvm::Value& pointer, std::uint64_t begin);
  bool moves_by_elements(llvm::GetElementPtrInst& address, std::uint64_t begin);

  llvm::Value& memory_;
  const llvm::DataLayout& layout_;
  std::uint64_t element_ = 0;
  llvm::SmallVector<llvm::Instruction*> accesses_;
  llvm::SmallVector<llvm::MemSetInst*, 1> fills_;
  /// Addresses in other elements than those that they begin at, and how far behind an element's begin they are. Each
  /// before those that begin at it.
  llvm::SmallVector<std::pair<llvm::GetElementPtrInst*, std::uint64_t>> addresses_;
};

}  // namespace lanewise
