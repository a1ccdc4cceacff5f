// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a value differs between the lanes, and from that which branches and loops diverge (Karrenberg & Hack,
/// "Whole-Function Vectorization", CGO 2011).
///
///     %x = trunc i64 %global.id.x to i32        strided 1, bounded (checked once in front of the loop)
///     %r = mul i32 %row, %width                 uniform
///     %i = add i32 %r, %x                       strided 1
///     %e = zext i32 %i to i64                   strided 1 where %i does not wrap: checked
///     %p = getelementptr float, ptr %a, i64 %e  strided 4, checked
///     %v = load float, ptr %p                   varying
///
/// Strides are in units of the value (bytes for pointers) and hold for neighbouring lanes modulo the value's width.
/// A uniform value is the same in all active lanes; where no lane is active it is anything.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>

#include <cstdint>
#include <optional>

#include "compiler/spmd/body.h"

namespace lanewise::spmd {

enum class Kind : std::uint8_t { unknown, uniform, strided, varying };

/// What may be added to an id that is assumed to be small, as 32-bit numbers, without a thought.
inline constexpr std::int64_t kRoom = std::int64_t{1} << 20U;

struct Shape {
  Kind kind = Kind::unknown;
  bool checked = false;  ///< strided only if a run-time test says so
  bool bounded = false;  ///< strided: every lane is in [0, 2^31), given the assumption of the loop
  bool roomy = false;    ///< bounded: and more than kRoom below 2^31
  std::int64_t stride = 0;

  [[nodiscard]] bool is_uniform() const { return kind == Kind::uniform || kind == Kind::unknown; }
  [[nodiscard]] bool has_base() const { return kind != Kind::varying; }
  [[nodiscard]] Shape without_bound() const {
    Shape result = *this;
    result.bounded = result.roomy = false;
    return result;
  }
  bool operator==(const Shape&) const = default;
};

class Shapes {
 public:
  /// @param known_bases_only  take only ids as bounded whose base (`!lanewise.base`) the caller has checked
  Shapes(Body& body, llvm::PHINode& local_id, bool known_bases_only = false);

  /// All lanes leave `block` through successor `in`, whatever its condition is (guards.h). Call before `run`.
  void set_passed(const llvm::BasicBlock& block, unsigned in) { passed_[&block] = in; }
  [[nodiscard]] std::optional<unsigned> passed(const llvm::BasicBlock& block) const {
    const auto found = passed_.find(&block);
    return found == passed_.end() ? std::nullopt : std::optional(found->second);
  }

  /// Vectors begin at local ids that are multiples of `width`, which is at least their width: `id & 63` is strided and
  /// `id >> 6` uniform within a vector then (not from one vector to the next). Call before `run`.
  void set_vectors(unsigned width) { width_ = width; }
  /// There are bits of ids to which `set_vectors` could have given a shape.
  [[nodiscard]] bool takes_bits_of_ids() const { return takes_bits_of_ids_; }

  /// To the fixed point of shapes and divergence.
  void run();

  [[nodiscard]] Shape of(const llvm::Value& value) const;
  /// A work-item's own variable (`!lanewise.private`), one copy per lane.
  [[nodiscard]] static const llvm::AllocaInst* private_variable(const llvm::Value& value);

  /// The interleaved private variable (private_layout.h) that a pointer points into; null for all others.
  [[nodiscard]] const llvm::AllocaInst* interleaved(const llvm::Value& pointer) const;

  /// Bases whose sum with the local id must stay below 2^31: what `bounded` rests on.
  [[nodiscard]] const llvm::SmallPtrSetImpl<llvm::Value*>& bounded_bases() const { return bounded_bases_; }

 private:
  Shape transfer(const llvm::Instruction& i);
  Shape of_phi(const llvm::PHINode& phi) const;
  Shape of_binary(const llvm::BinaryOperator& i);
  Shape of_bits(const llvm::BinaryOperator& i, const Shape& number);
  [[nodiscard]] unsigned trailing_zeros(const llvm::Value& v, llvm::SmallVectorImpl<const llvm::Value*>& path) const;
  Shape of_cast(const llvm::CastInst& i) const;
  Shape of_address(const llvm::GetElementPtrInst& i) const;
  Shape by_operands(const llvm::Instruction& i) const;

  [[nodiscard]] std::uint64_t element_bytes(const llvm::AllocaInst& variable) const;

  Body& body_;
  llvm::PHINode& local_id_;
  bool known_bases_only_;
  unsigned width_ = 0;  ///< 0: vectors begin anywhere
  bool takes_bits_of_ids_ = false;
  mutable llvm::DenseMap<const llvm::AllocaInst*, std::uint64_t> element_bytes_;
  llvm::DenseMap<const llvm::Value*, Shape> shapes_;
  llvm::SmallPtrSet<llvm::Value*, 2> bounded_bases_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> passed_;
};

}  // namespace lanewise::spmd
