// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tests of a whole vector of lanes by its first one, for values that count up by one from lane to lane.
///
///     %i = smin(smax(%x, 0), %last)       the clamps change nothing where   %x0 >= 0 and %x0 + W - 1 <= %last
///     %c = icmp ult i32 %x, %width        true in all lanes where           %x0 + W - 1 < %width
///
/// Two scalar comparisons, where the test of all lanes is half a dozen vector instructions: what kernels on pictures
/// ask at every texel is nearly always true.
#pragma once

#include "compiler/lanes/emit/vector_state.h"

namespace lanewise::spmd {

class Lines {
 public:
  explicit Lines(VectorState& state) : s_(state), b_(state.b) {}

  struct Straight {
    llvm::Value* first = nullptr;  ///< value of lane 0; null: the value is no such line
    llvm::Value* holds = nullptr;  ///< i1: lane n has first + n, without a wrap
  };
  /// A 32-bit number made by clamping another one. `signs` says how it is extended, and so what a wrap is. What it is
  /// made of must be visible where `user` is emitted.
  Straight unclamped(const llvm::Value& number, const llvm::Instruction& user, bool signs);
  /// An i1: `condition` is true in all lanes. For comparisons of lines with what is the same in all lanes, and for
  /// several of them at once; null for others. To be asked where the block of the condition ends.
  llvm::Value* always(const llvm::Value& condition);
  /// Whether what is emitted in `block` may use a value that the original only uses there by way of others. Values of
  /// blocks that may be skipped are seen after them only where the original uses them itself.
  [[nodiscard]] bool is_visible(const llvm::Value& v, const llvm::BasicBlock* block) const;

 private:
  [[nodiscard]] bool is_line(const llvm::Value& v) const;
  /// All lanes of a line are below a limit, or not above it.
  llvm::Value* below(llvm::Value* first, llvm::Value* limit, bool or_equal, bool signs);
  /// All are above a limit, and none wraps.
  llvm::Value* above(llvm::Value* first, llvm::Value* limit, bool or_equal, bool signs);
  Straight follow(const llvm::Value& v, const llvm::BasicBlock* block, unsigned depth);
  llvm::Value* compared(const llvm::ICmpInst& comparison);

  VectorState& s_;
  LaneBuilder& b_;
};

}  // namespace lanewise::spmd
