// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which of LLVM's passes are left out on code that is too large for them. Their time grows with the square or the cube
/// of something that ordinary kernels have little of, and that a generated one may have thousands of:
///
///     loop vectoriser                 blocks of one loop      (a `switch` of 1,000 cases: half a minute)
///     loop load elimination           accesses of one loop    (500 strided loads: half a minute)
///     induction variables, loop       loops of one function   (1,000 loops one after the other: half a minute)
///       strength reduction
///     machine instruction scheduler   instructions of one block  (20,000 statements in a row: a quarter of a minute)
///
/// None of them is needed for right code. By what the code is, never by a clock: the same source gives the same code.
#pragma once

#include <llvm/IR/OptBisect.h>

namespace llvm {
class Function;
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
  [[nodiscard]] bool isEnabled() const override { return many_loops_ || large_blocks_; }

 private:
  llvm::LLVMContext& context_;
  llvm::OptPassGate& before_;
  bool many_loops_ = false;
  bool large_blocks_ = false;
};

}  // namespace lanewise
