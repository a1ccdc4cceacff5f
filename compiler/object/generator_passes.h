// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LLVM's code generator, without the passes that the code is too large for (compiler/base/extent.h), and with passes
/// of ours between its own.
#pragma once

#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/OptBisect.h>

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace lanewise {

/// While this object lives, LLVM's code generator leaves passes out: it asks the context of the module about each of
/// them.
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

/// The code generator's passes, without those for which there are too many loops, and with some of our own
/// (compiler/target/faults). Strength reduction is left out here and not by GeneratorLimits: a pass that is only told
/// not to run still gets its analyses, and most of its time is theirs.
class GeneratorPasses final : public llvm::legacy::PassManager {
 public:
  /// @param split_ranges  LLVM's allocation of registers; else that of quick_registers.h
  GeneratorPasses(const llvm::Module& module, bool reduce_strength, bool split_ranges);
  void add(llvm::Pass* pass) override;

 private:
  bool reduce_strength_;
  bool split_ranges_;
  bool many_loops_ = false;
};

}  // namespace lanewise
