// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Third step: where private variables (arrays that SROA left) live.
///
/// The range function runs one work-item after the other between two barriers, so a variable whose content is not
/// needed across a barrier has one place for all of them: an alloca, or group scratch when the private variables
/// are too large for a thread's stack. A variable that is needed across a barrier, or that may be reached after one
/// through a pointer in memory or an address computed before it, has a place per work-item in item scratch.
///
/// Arrays of the last kind lie there element by element, so that lanes are neighbours (interleaving.h):
///
///     %a = gep float, %array, i64 %i        =>        %a = gep i8, %array, i64 (%i * 4 * %full.group)
///
/// where `%array` is the address of the work-item's first element. Those whose address is used otherwise than by loads
/// and stores are one after the other.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include "compiler/groups/regions.h"

namespace llvm {
class AllocaInst;
}

namespace lanewise {

enum class PrivatePlace : unsigned char { stack, group_scratch, item_scratch };

struct PrivateVariable {
  llvm::AllocaInst* variable = nullptr;
  PrivatePlace place = PrivatePlace::stack;
  std::uint64_t bytes = 0;   ///< a multiple of the alignment
  std::uint64_t offset = 0;  ///< group scratch: from its start; item scratch: see LiveValues::variables
  /// Bytes of an element of an array that lies in item scratch element by element; 0: it does not.
  std::uint64_t element = 0;
};

struct PrivateMemory {
  llvm::SmallVector<PrivateVariable> variables;
  std::uint64_t group_bytes = 0;
};

/// Decides the places, and removes the lifetime markers that would be wrong or misplaced afterwards. In sub-groups of
/// more than one work-item every variable has a copy for each of them at once, so large ones get item scratch.
/// @param keep_described  variables that debug info knows keep their values across all barriers
[[nodiscard]] PrivateMemory place_private_variables(const WorkItemFunction& item,
                                                    const llvm::SmallVectorImpl<Barrier>& barriers,
                                                    bool keep_described);

/// Puts the elements of arrays in item scratch side by side where that is possible. Removes their debug info.
void interleave_arrays(const WorkItemFunction& item, PrivateMemory& memory);

}  // namespace lanewise
