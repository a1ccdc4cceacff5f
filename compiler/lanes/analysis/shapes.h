// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a value differs between the lanes, and from that which branches and loops diverge (Karrenberg & Hack,
/// "Whole-Function Vectorization", CGO 2011).
///
///     %x = trunc i64 %global.id.x to i32        strided 1, bounded (checked once before the loop)
///     %f = uitofp i64 %global.id.x to float     the same for the id; converted from 32 bits
///     %r = mul i32 %row, %width                 uniform
///     %i = add i32 %r, %x                       strided 1
///     %e = zext i32 %i to i64                   strided 1 where %i does not wrap: checked
///     %p = getelementptr float, ptr %a, i64 %e  strided 4, checked
///     %v = load float, ptr %p                   varying
///
/// Strides are in units of the value (bytes for pointers) and hold for neighbouring lanes modulo the value's width.
/// A uniform value is the same in all active lanes; where no lane is active it may be anything.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <optional>

#include "compiler/lanes/analysis/body.h"
#include "compiler/lanes/analysis/divergence.h"

namespace lanewise::spmd {

/// The lattice: bottom is below all others, uniform below strided (of stride 0), varying is the top.
enum class Kind : std::uint8_t {
  bottom,  ///< not analysed yet; after the analysis: no work-item computes the value, so any shape is correct
  uniform,
  strided,
  varying,
};

/// Constants below this may be added to a local id as 32-bit numbers without a test, because a range of local ids ends
/// at least this much below 2^31 (emit/item_loop.cpp tests it).
inline constexpr std::int64_t kRoom = std::int64_t{1} << 20U;

struct Shape {
  Kind kind = Kind::bottom;
  bool checked = false;  ///< strided only if a run-time test says so
  bool bounded = false;  ///< strided: every lane is in [0, 2^31), given the assumption of the loop
  bool roomy = false;    ///< bounded, and more than kRoom below 2^31
  std::int64_t stride = 0;

  /// The same in all lanes. That includes bottom, because no lane is active where it would be computed.
  [[nodiscard]] bool is_uniform() const { return kind == Kind::uniform || kind == Kind::bottom; }
  /// Lane 0 and the stride say what the value is in every lane.
  [[nodiscard]] bool has_base() const { return kind != Kind::varying; }
  [[nodiscard]] Shape without_bound() const {
    Shape result = *this;
    result.bounded = result.roomy = false;
    return result;
  }
  bool operator==(const Shape&) const = default;
};

/// A branch that all lanes take to successor `in`, whatever its condition is (guards.h), or that lane 0 decides.
struct Guard {
  const llvm::BasicBlock* block = nullptr;
  unsigned in = 0;
};

/// The assumptions under which shapes hold: the same body has other shapes under others.
struct Assumptions {
  /// Vectors begin at local ids that are multiples of this, which is at least their width: `id & 63` is strided and
  /// `id >> 6` uniform within a vector then (not from one vector to the next). 0: vectors begin anywhere.
  unsigned width = 0;
  llvm::SmallVector<Guard, 2> passed{};
  /// Those guards are asked all the same, of lane 0: either all active lanes pass them, or it is the only active one.
  bool first_lane_decides = false;
  /// Only ids whose base the caller has checked (`!lanewise.base`) are bounded.
  bool known_bases_only = false;
};

/// The shapes of a body's values and the divergence that follows from them: a result, which does not change.
class Shapes {
 public:
  [[nodiscard]] Shape of(const llvm::Value& value) const;
  [[nodiscard]] const Divergence& divergence() const { return divergence_; }
  [[nodiscard]] const Assumptions& assumptions() const { return assumptions_; }

  /// The successor through which all lanes leave `block` by assumption.
  [[nodiscard]] std::optional<unsigned> passed(const llvm::BasicBlock& block) const;
  /// The body uses bits of ids to which `Assumptions::width` gives a shape, or could give one.
  [[nodiscard]] bool takes_bits_of_ids() const { return takes_bits_of_ids_; }
  /// Bases whose sum with the local id must stay below 2^31 - kRoom, which `Shape::bounded` assumes.
  [[nodiscard]] llvm::ArrayRef<llvm::Value*> bounded_bases() const { return bounded_bases_.getArrayRef(); }

  /// `value` as a work-item's own variable (`!lanewise.private`), with one copy per lane; null if it is not one.
  [[nodiscard]] static const llvm::AllocaInst* private_variable(const llvm::Value& value);
  /// The lanes share this private variable, because they all store the same to it: each store is uniform, and run by
  /// all active lanes of the vector. Lanes that read at places of their own read one variable.
  [[nodiscard]] bool is_shared(const llvm::AllocaInst& variable) const { return shared_.contains(&variable); }
  /// The interleaved private variable (private_layout.h) that a pointer points into; null for all others.
  [[nodiscard]] const llvm::AllocaInst* interleaved(const llvm::Value& pointer) const;

 private:
  friend class ShapeAnalysis;
  Shapes(const Body& body, const llvm::PHINode& local_id, Assumptions assumptions);
  [[nodiscard]] std::uint64_t element_bytes(const llvm::AllocaInst& variable) const;

  const Body* body_;
  const llvm::PHINode* local_id_;
  Assumptions assumptions_;
  Divergence divergence_;
  bool takes_bits_of_ids_ = false;
  llvm::DenseMap<const llvm::Value*, Shape> shapes_;
  llvm::SmallSetVector<llvm::Value*, 2> bounded_bases_;
  /// Variables that the lanes share, each with the stores to it.
  llvm::SmallDenseMap<const llvm::AllocaInst*, llvm::SmallVector<const llvm::StoreInst*>, 2> shared_;
  mutable llvm::DenseMap<const llvm::AllocaInst*, std::uint64_t> element_bytes_;  ///< computed once each
};

/// Computes the fixed point of shapes and divergence. `body` and `local_id` must outlive the result.
[[nodiscard]] Shapes find_shapes(const Body& body, const llvm::PHINode& local_id, Assumptions assumptions = {});

}  // namespace lanewise::spmd
