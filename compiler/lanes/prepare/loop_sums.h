// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sums that a loop carries from iteration to iteration, and does nothing else with:
///
///     loop:  %sum = phi float [ %before, %front ], [ %next, %join ]
///            br i1 %near, label %then, label %join
///     then:  %more = fsub float %sum, %t
///            br label %join
///     join:  %next = phi float [ %more, %then ], [ %sum, %loop ]
///
/// Each iteration adds at most one number, here `near ? -t : -0.0`: adding -0.0 changes no number. So all of them can
/// be computed first and added afterwards, in the same order and with the same roundings.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>

namespace lanewise::spmd {

class LoopSum {
 public:
  /// @param phi  of the header of a loop with one latch
  LoopSum(const llvm::Loop& loop, llvm::PHINode& phi);

  /// The phi is a sum of float, double or integers that leaves the loop, if at all, with the last iteration.
  [[nodiscard]] bool is_valid() const { return valid_; }
  [[nodiscard]] llvm::PHINode& phi() const { return phi_; }
  [[nodiscard]] llvm::Value& next() const { return next_; }
  /// What an iteration adds; new instructions beside those that add it. To be called once.
  llvm::Value* addend();

 private:
  /// How a value of an iteration depends on the sum.
  enum class SumRole : std::uint8_t {
    none,     ///< not at all, or in a way that is none of these
    same,     ///< the sum so far
    updated,  ///< the sum so far and what the iteration adds
  };

  SumRole part_of(llvm::Value& value, unsigned depth = 0);
  SumRole part_of_instruction(llvm::Instruction& i, unsigned depth);
  [[nodiscard]] bool is_part(const llvm::Value& value) const { return parts_.lookup(&value) != SumRole::none; }
  [[nodiscard]] bool stays_inside() const;
  [[nodiscard]] llvm::Value* neutral() const;
  llvm::Value* addend_of(llvm::Value& value);
  llvm::Value* addend_of_phi(llvm::PHINode& phi);

  const llvm::Loop& loop_;
  llvm::PHINode& phi_;
  llvm::Value& next_;
  bool valid_ = false;
  llvm::DenseMap<const llvm::Value*, SumRole> parts_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> addends_;
};

}  // namespace lanewise::spmd
