// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The passes of LLVM's code generator: without those that code is too large for (compiler/base/extent.h), and with ours
/// between them.
#pragma once

#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/OptBisect.h>

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace lanewise {

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
/// our own are among them (compiler/target/faults).
class GeneratorPasses final : public llvm::legacy::PassManager {
 public:
  GeneratorPasses(const llvm::Module& module, bool reduce_strength);
  void add(llvm::Pass* pass) override;

 private:
  bool reduce_strength_;
  bool many_loops_ = false;
};

}  // namespace lanewise
