// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a load or store of a work-item becomes in a vector: one decision, which the plan prices and emit/ writes.
///
///     a[0]              uniform        one scalar access
///     a[id]             wide           one vector; of components, taken apart by shuffles
///     a[id & 255]       tested         the same, if a test finds that the index does not wrap
///     a[n - id]         reversed       one vector, in the opposite order
///     a[n - (int)id]    the same, if a test finds that the index does not wrap (flips in OpenCV and Regards, which
///                       take a half and a third of the time)
///     a[3 * id]         lane by lane   later passes put neighbours together, so it is no gather
///     a[b[id]]          gathered       where the processor is good at it (Isa::has_fast_gathers); else lane by lane
#pragma once

#include <cstdint>

#include "compiler/lanes/analysis/shapes.h"
#include "src/base/isa.h"

namespace lanewise::spmd {

enum class AccessForm : std::uint8_t {
  uniform,
  wide,
  tested,
  reversed,
  tested_reversed,
  gathered,  ///< a load; for a store, a scatter
  lane_by_lane,
};

class AccessRecipe {
 public:
  /// @param access  a load or a store
  /// @param masked  lanes may be inactive
  AccessRecipe(const llvm::Instruction& access, const Shapes& shapes, Isa isa, bool masked);

  [[nodiscard]] AccessForm form() const { return form_; }
  /// The type in which a lane is gathered: its own, or for a small vector an integer of 32 or 64 bits. Null: no gather.
  [[nodiscard]] llvm::Type* gather_unit() const { return unit_; }

  /// The price for `width` lanes, which fill so many registers.
  /// @param waits  the value decides what the next iteration loads: then a gather is no faster than its loads
  [[nodiscard]] double price(unsigned width, double registers, bool waits) const;

 private:
  const llvm::Instruction& access_;
  Isa isa_;
  AccessForm form_ = AccessForm::lane_by_lane;
  llvm::Type* unit_ = nullptr;
  bool masked_;
  bool strided_ = false;
  bool private_ = false;  ///< each lane's element of an array of its own
};

}  // namespace lanewise::spmd
