// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Names that the SPIR-V translator gives to built-in functions, and those that the library has.
#include "compiler/frontend/spirv_names.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <memory>

namespace lanewise::test {
namespace {

class SpirvNames : public ::testing::Test {
 protected:
  std::unique_ptr<llvm::Module> adopted(const char* assembly) {
    llvm::SMDiagnostic fault;
    auto module = llvm::parseAssemblyString(assembly, fault, context_);
    if (module == nullptr) {
      ADD_FAILURE() << fault.getMessage().str();
      return nullptr;
    }
    adopt_library_names(*module);
    return module;
  }

  llvm::LLVMContext context_;
};

TEST_F(SpirvNames, FencesAreAskedForByAPointerToNoType) {
  const auto module = adopted(R"(
    declare spir_func i32 @_Z9get_fencePU3AS4i(ptr addrspace(4))
    define spir_kernel void @k(ptr addrspace(4) %p) {
      %f = call spir_func i32 @_Z9get_fencePU3AS4i(ptr addrspace(4) %p)
      ret void
    })");
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(module->getFunction("_Z9get_fencePU3AS4i"), nullptr);
  ASSERT_NE(module->getFunction("_Z9get_fencePU3AS4Kv"), nullptr);
  EXPECT_TRUE(module->getFunction("_Z9get_fencePU3AS4Kv")->hasNUses(1));
}

/// A module that is written from OpenCL C already has the name of the library.
TEST_F(SpirvNames, FunctionsThatHaveTheirNameKeepIt) {
  const auto module = adopted(R"(
    declare spir_func i32 @_Z9get_fencePU3AS4Kv(ptr addrspace(4))
    declare spir_func i32 @_Z9get_fencePU3AS4i(ptr addrspace(4))
    define spir_kernel void @k(ptr addrspace(4) %p) {
      %f = call spir_func i32 @_Z9get_fencePU3AS4Kv(ptr addrspace(4) %p)
      %g = call spir_func i32 @_Z9get_fencePU3AS4i(ptr addrspace(4) %p)
      ret void
    })");
  ASSERT_NE(module, nullptr);
  ASSERT_NE(module->getFunction("_Z9get_fencePU3AS4Kv"), nullptr);
  EXPECT_TRUE(module->getFunction("_Z9get_fencePU3AS4Kv")->hasNUses(2));
}

TEST_F(SpirvNames, StoresOfHalfHaveTheNameThatClangGivesThem) {
  const auto module = adopted(R"(
    declare spir_func void @_Z21atomic_store_explicitPU3AS4VU7_AtomicDhDh12memory_order12memory_scope(
        ptr addrspace(4), half, i32, i32)
    declare spir_func void @_Z21atomic_store_explicitPU3AS4VU7_Atomicff12memory_order12memory_scope(
        ptr addrspace(4), float, i32, i32))");
  ASSERT_NE(module, nullptr);
  EXPECT_NE(module->getFunction("_Z21atomic_store_explicitPU3AS4VU7_AtomicDhS_12memory_order12memory_scope"), nullptr);
  EXPECT_NE(module->getFunction("_Z21atomic_store_explicitPU3AS4VU7_Atomicff12memory_order12memory_scope"), nullptr);
}

}  // namespace
}  // namespace lanewise::test
