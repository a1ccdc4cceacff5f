// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Names that the SPIR-V translator gives to built-in functions, and those that the library has.
#include "compiler/frontend/spirv_names.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>

#include <memory>

#include "compiler/frontend/predicated_accesses.h"

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

/// One printf for formats in every memory, whose calls are of one type.
TEST_F(SpirvNames, FormatsMayBeInAnyMemory) {
  const auto module = adopted(R"(
    declare spir_func i32 @printf(ptr addrspace(2), ...)
    declare spir_func i32 @_Z18__spirv_ocl_printfPU3AS1cid(ptr addrspace(1), i32, double)
    define spir_kernel void @k(ptr addrspace(1) %p) {
      %r = call spir_func i32 @_Z18__spirv_ocl_printfPU3AS1cid(ptr addrspace(1) %p, i32 7, double 1.5)
      store i32 %r, ptr addrspace(1) %p
      ret void
    })");
  ASSERT_NE(module, nullptr);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  EXPECT_TRUE(module->getFunction("_Z18__spirv_ocl_printfPU3AS1cid")->use_empty());
  ASSERT_TRUE(module->getFunction("printf")->hasOneUse());
  const auto* call = llvm::dyn_cast<llvm::CallInst>(*module->getFunction("printf")->user_begin());
  ASSERT_NE(call, nullptr);
  EXPECT_EQ(call->arg_size(), 3U);
  EXPECT_TRUE(call->getFunctionType()->isVarArg());
}

/// Accesses with a predicate (SPV_INTEL_predicated_io): each behind a branch, aligned as the name says.
TEST_F(SpirvNames, PredicatedAccessesAreBranches) {
  const auto module = adopted(R"(
    declare spir_func <4 x i32> @__lw_predicated_load.4.1.2.3(ptr addrspace(1), i1, <4 x i32>)
    declare spir_func void @__lw_predicated_store.0.1.3.2(ptr addrspace(1), <4 x i32>, i1)
    define spir_kernel void @k(ptr addrspace(1) %p, i1 %b) {
      %v = call spir_func <4 x i32> @__lw_predicated_load.4.1.2.3(ptr addrspace(1) %p, i1 %b, <4 x i32> zeroinitializer)
      %q = getelementptr <4 x i32>, ptr addrspace(1) %p, i64 1
      call spir_func void @__lw_predicated_store.0.1.3.2(ptr addrspace(1) %q, <4 x i32> %v, i1 %b)
      ret void
    })");
  ASSERT_NE(module, nullptr);
  lower_predicated_accesses(*module);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  ASSERT_EQ(module->size(), 1U);
  const llvm::Function& kernel = *module->getFunction("k");
  EXPECT_EQ(kernel.size(), 5U);
  for (const llvm::Instruction& i : llvm::instructions(kernel)) {
    EXPECT_FALSE(llvm::isa<llvm::CallInst>(i));
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) EXPECT_EQ(load->getAlign().value(), 4U);
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i)) EXPECT_EQ(store->getAlign().value(), 16U);
  }
}

}  // namespace
}  // namespace lanewise::test
