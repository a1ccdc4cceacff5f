// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds groups of accesses of a block to fields of one structure per lane. They have the same distance from lane to
/// lane and constant distances from each other (interleave groups: Nuzman, Rosen & Zaks, "Auto-vectorization of
/// interleaved data for SIMD", PLDI 2006).
///
///     %p = getelementptr {float, float, float, float}, ptr %a, i64 %id     strided 16
///     %x = load float, ptr %p                                              group: stride 16, offsets 0 and 8
///     %z = load float, ptr (%p + 8)
///
/// A group may also be loads of neighbours at an address of any kind in each lane, if they fill a window of each lane
/// (`apart`):
///
///     %p = getelementptr float, ptr %a, i64 %row.times.n                   varying
///     %0 = load float, ptr %p                                              group: apart, offsets 0, 4, 8 and 12
///     %1 = load float, ptr (%p + 4)                                        and so on
///
/// Of loads whose lanes are guessed to be neighbouring structures (bent_lines.h), a test decides when they run:
///
///     %p = getelementptr i8, ptr %a, i64 %clamped.times.3                  varying, guessed 3 apart
///     %r = load i8, ptr %p                                                 group: guessed, stride 3, offsets 0, 1, 2
///     %g = load i8, ptr (%p + 1)                                           and so on
///
/// All lanes of a group are accessed at the place of one of its members, the first of the loads or the last of the
/// stores. Nothing between that one and the others may depend on the difference.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "compiler/lanes/analysis/body.h"
#include "compiler/lanes/analysis/shapes.h"

namespace lanewise::spmd {

struct Field {
  const llvm::Instruction* access = nullptr;
  std::int64_t offset = 0;  ///< bytes from the first field
};

/// Structures of at most four elements are loaded and stored as a whole. Of larger ones a group is what lies within 16
/// bytes of each lane.
struct FieldGroup {
  static constexpr unsigned kMostInterleaved = 4;
  static constexpr unsigned kWindowBytes = 16;  ///< the part of a vector within which processors shuffle best
  llvm::SmallVector<Field, 8> fields;           ///< fields in the order of their offsets
  const llvm::Instruction* place = nullptr;
  unsigned element_bytes = 0;  ///< bytes of the scalars that all fields consist of
  std::uint64_t stride = 0;    ///< elements from lane to lane
  std::uint64_t span = 0;      ///< elements from the first byte of the first field to the last of the last one
  std::uint64_t used = 0;      ///< bit n: element n belongs to a field
  unsigned window = 0;         ///< elements of a window; for lanes that are apart at most the number of lanes
  bool guessed = false;        ///< lanes may be anywhere, and a test decides whether they have the stride
  bool apart = false;          ///< each lane has an address of its own, and the group is one full window; no stride

  [[nodiscard]] bool is_by_windows() const { return apart || stride > kMostInterleaved; }
};

class FieldGroups {
 public:
  /// @param width   number of lanes
  /// @param masked  not all lanes are active: without groups by windows
  FieldGroups(const llvm::BasicBlock& block, const Body& body, const Shapes& shapes, unsigned width, bool masked);

  /// The group of an access; null if it has none.
  [[nodiscard]] const FieldGroup* of(const llvm::Instruction& access) const { return groups_.lookup(&access); }

 private:
  friend class FieldGroupFinder;
  struct Access;

  std::vector<std::unique_ptr<FieldGroup>> all_;
  llvm::DenseMap<const llvm::Instruction*, const FieldGroup*> groups_;
};

}  // namespace lanewise::spmd
