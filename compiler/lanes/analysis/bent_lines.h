// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds accesses whose lanes are neither known nor unlikely to be consecutive, so that a test at run time pays:
///
///     a[clamp(x, 0, last)]                      clamps, quotients, remainders, selects, packets of a pipe
///     a[x - (x > 0 ? 1 : 0)]                    the neighbour, but at an edge: a condition as a number
///     texel[(int)floor((x + 0.5f) * scale)]     coordinates of images, which often step by one texel
///     a[i / 18 * pitch + i % 18]                a tile; vectors that come to the end of a row have two runs of lanes
///
/// The same for structures whose fields are loaded one by one (pixels of three bytes), with the distance of the lanes:
///
///     a[3 * clamp(x, 0, last)], and the two after it                       3 bytes from lane to lane
///
/// OpenCV's erosion and transposition of colours take a quarter and less than half of the time with these.
///
/// A guess only: the test decides.
#pragma once

#include <optional>

#include "compiler/lanes/analysis/shapes.h"

namespace llvm {
class GEPOperator;
}

namespace lanewise::spmd {

class BentLines {
 public:
  BentLines(const Body& body, const Shapes& shapes) : body_(body), shapes_(shapes) {}

  enum class Guess : unsigned char {
    scattered,
    often,   ///< consecutive but for a few vectors, at edges
    scaled,  ///< consecutive at every vector or at none, as a floating-point scale decides that is not known
  };
  [[nodiscard]] Guess guess(const llvm::Value& pointer);
  /// Whether the pointer guessed last goes through a division, so that a vector may come to the end of a row.
  [[nodiscard]] bool has_rows() const { return divides_; }
  /// The bytes from lane to lane of a pointer that is guessed `often`, where nothing bends; null if that is not known.
  [[nodiscard]] std::optional<std::int64_t> step(const llvm::Value& pointer) const;

 private:
  using Step = std::optional<std::int64_t>;
  [[nodiscard]] Step step_of(const llvm::Value& v, unsigned depth) const;
  [[nodiscard]] Step step_of_address(const llvm::GEPOperator& address, unsigned depth) const;
  [[nodiscard]] Step step_of_call(const llvm::CallBase& call, unsigned depth) const;
  [[nodiscard]] static Step either(Step a, Step b);
  bool follow(const llvm::Value& v, unsigned depth);
  bool follow_operands(const llvm::Instruction& i, unsigned first, unsigned count, unsigned depth);
  bool follow_call(const llvm::CallBase& call, unsigned depth);
  bool follow_condition(const llvm::Value& v, unsigned depth);
  bool follow_conversion(const llvm::Instruction& i, unsigned depth);
  bool follow_instruction(const llvm::Instruction& i, unsigned depth);

  const Body& body_;
  const Shapes& shapes_;
  bool bends_ = false;
  bool rounds_ = false;     ///< goes through floating point
  bool divides_ = false;    ///< goes through a quotient or a remainder
  bool leaps_ = false;      ///< divides a number that does not count up by one
  unsigned dividends_ = 0;  ///< how many divisions have what is followed as a dividend
  llvm::DenseMap<const llvm::Value*, bool> known_;
};

}  // namespace lanewise::spmd
