// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Values from before a barrier in the region that continues after it (live_values.h says how each is kept): loaded
/// from the group's or the work-item's place, or computed again.
#pragma once

#include <llvm/Transforms/Utils/ValueMapper.h>

#include <utility>

#include "compiler/groups/region_shared.h"

namespace lanewise {

class ResumedValues {
 public:
  /// @param begin   block that runs once for each group, before the loops
  /// @param blocks  block before the copy of each start of the region
  /// @param map     the values of the region for those of the kernel
  /// @param linear  the work-item's linear local id
  ResumedValues(RegionShared& shared, const Region& region, llvm::BasicBlock& begin,
                llvm::ArrayRef<llvm::BasicBlock*> blocks, llvm::ValueToValueMapTy& map, llvm::Value* linear)
      : s_(shared), region_(region), begin_(begin), blocks_(blocks), map_(map), linear_(linear) {}

  /// `value` where start number `i` begins.
  llvm::Value* at(llvm::Instruction* value, unsigned i);

 private:
  using Place = std::pair<llvm::Instruction*, unsigned>;
  /// An operand of a value that is recomputed: kept, or recomputed as well.
  llvm::Value* ingredient(llvm::Instruction* value, unsigned i);
  llvm::Value* recomputed(llvm::Instruction* value, unsigned i);

  RegionShared& s_;
  const Region& region_;
  llvm::BasicBlock& begin_;
  llvm::ArrayRef<llvm::BasicBlock*> blocks_;
  llvm::ValueToValueMapTy& map_;
  llvm::Value* linear_;
  llvm::DenseMap<Place, llvm::Value*> known_;
  llvm::DenseMap<Place, llvm::Value*> ingredients_;
};

}  // namespace lanewise
