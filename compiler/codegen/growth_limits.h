// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which of LLVM's passes are left out on code that is too large for them. Their time grows with the square or the cube
/// of something that ordinary kernels have little of, and that a generated one may have thousands of:
///
///     loop vectoriser                 blocks of one loop      (a `switch` of 1,000 cases: half a minute)
///     loop load elimination           accesses of one loop    (500 strided loads: half a minute)
///     induction variables, idioms,    loops of one function   (1,200 loops one after the other: minutes)
///       deletion and unrolling of
///       loops, strength reduction,
///       machine code sinking
///     machine instruction scheduler   instructions of one block  (20,000 statements in a row: half a minute)
///
/// None of them is needed for correct code. The limits depend on the code alone and never on a clock, so that the same
/// source always gives the same code.
#pragma once

#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/OptBisect.h>

namespace llvm {
class LLVMContext;
class Module;
class PassInstrumentationCallbacks;
}  // namespace llvm

namespace lanewise {

/// Largest sizes at which these passes run.
inline constexpr unsigned kVectorisedBlocks = 128;
inline constexpr unsigned kComparedAccesses = 256;
inline constexpr unsigned kCountedLoops = 256;
inline constexpr unsigned kScheduledInstructions = 8'000;

/// For LLVM's pipelines of passes: those that run with `callbacks`.
void limit_growth(llvm::PassInstrumentationCallbacks& callbacks);

/// For LLVM's code generator, which asks the context of a module about each of its passes; while this object lives.
class GeneratorLimits final : public llvm::OptPassGate {
 public:
  explicit GeneratorLimits(const llvm::Module& module);
  ~GeneratorLimits() override;
  GeneratorLimits(const GeneratorLimits&) = delete;
  GeneratorLimits& operator=(const GeneratorLimits&) = delete;

  [[nodiscard]] bool shouldRunPass(llvm::StringRef pass, llvm::StringRef unit) const override;
  [[nodiscard]] bool isEnabled() const override { return large_blocks_; }

 private:
  llvm::LLVMContext& context_;
  llvm::OptPassGate& before_;
  bool large_blocks_ = false;
};

/// The code generator's passes, without those that have too many loops, or that are not wanted. Strength reduction has to
/// be left out here: a pass that is only asked not to run still gets its analyses, and most of its time is theirs. Some of
/// our own are among them (mask_extensions.h, masked_loads.h, unaligned_conversions.h).
class GeneratorPasses final : public llvm::legacy::PassManager {
 public:
  GeneratorPasses(const llvm::Module& module, bool reduce_strength);
  void add(llvm::Pass* pass) override;

 private:
  bool reduce_strength_;
  bool many_loops_ = false;
};

}  // namespace lanewise
