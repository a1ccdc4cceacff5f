// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A small OpenCL C file that is compiled like user code (spir64, Clang's own declarations), linked with the built-in
/// library and made executable, for the tests of the library. The code sees no symbol of the process, so that a hidden
/// call of the C library fails the test. With LANEWISE_TIER=2 in the environment, functions that can be kernels become
/// code of hot kernels instead (hot_program.h).
#pragma once

#include <gtest/gtest.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <vector>

#include "compiler/builtins/library.h"
#include "tests/compiler/hot_program.h"

namespace llvm::orc {
class LLJIT;
}  // namespace llvm::orc

namespace lanewise::test {

/// The directory of the built library: LANEWISE_COMPILER_DIR, or beside this program.
std::string builtins_directory();

/// Highest x86-64 level that this machine executes (2 to 4).
unsigned host_level();

/// Runs Clang on the text; `arguments` are added to the driver's. Empty with a test failure if it does not compile.
std::string run_clang(const std::string& source, const std::vector<std::string>& arguments);

/// User code as bitcode in `context`.
std::unique_ptr<llvm::Module> compile(const std::string& source, llvm::LLVMContext& context,
                                      const std::string& standard = "CL3.0");

class BuiltinProgram {
 public:
  /// Compiles and links; a failure of any step is a failure of the running test. `features`: LLVM's, beyond the level.
  BuiltinProgram(const std::string& source, unsigned level, const std::string& features = "");
  ~BuiltinProgram();

  /// The code of a function that has a C name. Null after a failure.
  template <class Function>
  Function* get(const char* name) {
    if (hot_) {
      auto kernel = hot_->kernel(name);
      return kernel ? HotCall<Function>::of(std::move(kernel)) : nullptr;
    }
    return reinterpret_cast<Function*>(address(name));
  }

 private:
  void build(const std::string& source, unsigned level, const std::string& features);
  void* address(const char* name);
  std::unique_ptr<HotProgram> hot_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

/// Tests for the code of each x86-64 level, as far as this machine executes it.
class AtLevel : public ::testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override {
    if (GetParam() > host_level()) GTEST_SKIP() << "this machine cannot run x86-64-v" << GetParam();
  }
};

}  // namespace lanewise::test
