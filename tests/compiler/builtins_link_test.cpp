// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The properties that link_into promises for the module, for programs with SPIR types and for re-targeted ones.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <chrono>

#include "tests/compiler/builtins_program.h"

namespace lanewise::test {
namespace {

std::vector<std::string> link(llvm::Module& module, IsaLevel level = IsaLevel::x86_64_v3) {
  auto library = BuiltinLibrary::open(builtins_directory(), level);
  EXPECT_TRUE(static_cast<bool>(library));
  if (!library) return {llvm::toString(library.takeError())};
  auto missing = (*library)->link_into(module);
  EXPECT_TRUE(static_cast<bool>(missing));
  return missing ? *missing : std::vector<std::string>{llvm::toString(missing.takeError())};
}

constexpr const char* kCopy = R"(
  kernel void copy(global float* g, local float* l) {
    event_t e = async_work_group_copy(l, g, 64, 0);
    wait_group_events(1, &e);
    g[get_global_id(0)] = exp(l[get_local_id(0)]);
  })";

TEST(BuiltinLink, NamesWhatNobodyDefines) {
  llvm::LLVMContext context;
  auto module = compile(kCopy, context);
  ASSERT_TRUE(module);
  const std::vector<std::string> want = {"_Z12get_local_idj", "_Z13get_global_idj", "_Z14get_local_sizej",
                                         "_Z7barrierj"};
  EXPECT_EQ(link(*module), want);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  for (const auto& f : *module) {
    if (f.isDeclaration() || f.getName() == "copy" || f.getName().contains("_kern_imp_")) continue;
    EXPECT_TRUE(f.hasInternalLinkage()) << f.getName().str();
    EXPECT_TRUE(f.doesNotThrow()) << f.getName().str();
    EXPECT_EQ(f.getCallingConv(), llvm::CallingConv::C) << f.getName().str();
  }
}

TEST(BuiltinLink, ABarrierStaysConvergentThroughTheLibrary) {
  llvm::LLVMContext context;
  auto module = compile(kCopy, context);
  ASSERT_TRUE(module);
  link(*module);
  int barriers = 0;
  for (const auto& f : *module)
    for (const auto& i : llvm::instructions(f))
      if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
          call && call->getCalledFunction() && call->getCalledFunction()->getName() == "_Z7barrierj") {
        ++barriers;
        EXPECT_TRUE(call->isConvergent());
        EXPECT_TRUE(f.isConvergent());
      }
  EXPECT_EQ(barriers, 1);
}

TEST(BuiltinLink, FollowsAProgramWhoseEventsArePointersAlready) {
  // Changes the signatures as re-targeting does, in the program's text form.
  llvm::LLVMContext context;
  llvm::Module module("retargeted", context);
  module.setTargetTriple(llvm::Triple("x86_64-unknown-linux-gnu"));
  auto* pointer = llvm::PointerType::get(context, 0);
  auto* type = llvm::FunctionType::get(pointer,
                                       {llvm::PointerType::get(context, 3), llvm::PointerType::get(context, 1),
                                        llvm::Type::getInt64Ty(context), pointer},
                                       false);
  auto* copy = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                      "_Z21async_work_group_copyPU3AS3fPU3AS1Kfm9ocl_event", module);
  auto* user = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "user", module);
  user->addFnAttr("target-cpu", "x86-64-v3");
  auto* block = llvm::BasicBlock::Create(context, "", user);
  auto* call = llvm::CallInst::Create(type, copy, {user->getArg(0), user->getArg(1), user->getArg(2), user->getArg(3)},
                                      "", block);
  llvm::ReturnInst::Create(context, call, block);
  EXPECT_EQ(link(module), (std::vector<std::string>{"_Z12get_local_idj", "_Z14get_local_sizej"}));
  EXPECT_FALSE(llvm::verifyModule(module, &llvm::errs()));
  const auto* linked = call->getCalledFunction();
  ASSERT_TRUE(linked) << "the call does not match the function's type";
  EXPECT_FALSE(linked->isDeclaration());
  EXPECT_EQ(linked->getFunctionType(), type);
  EXPECT_EQ(linked->getFnAttribute("target-cpu").getValueAsString(), "x86-64-v3");
}

TEST(BuiltinLink, LevelTwoHasNoFusedInstruction) {
  llvm::LLVMContext context;
  auto module = compile("kernel void k(global float4* x) { x[0] = fma(x[0], x[1], x[2]) + sin(x[0]); }", context);
  ASSERT_TRUE(module);
  EXPECT_TRUE(link(*module, IsaLevel::x86_64_v2).empty());
  for (const auto& f : *module) EXPECT_FALSE(f.getName().starts_with("llvm.fma.")) << f.getName().str();
}

TEST(BuiltinLink, TakesWellBelowTenMilliseconds) {
  llvm::LLVMContext context;
  auto original = compile(R"(kernel void k(global float4* x, global int* y) {
      size_t i = get_global_id(0);
      x[i] = mix(exp(x[i]), sin(x[i]), clamp(x[i], 0.0f, 1.0f)) + pow(x[i], x[i + 1]) * rsqrt(dot(x[i], x[i]));
      y[i] = convert_int_sat_rte(length(x[i])) + (int)atomic_add(y, 1) + max(y[i], 3);
    })",
                          context);
  ASSERT_TRUE(original);
  double best = 1e9;
  for (int i = 0; i < 20; ++i) {
    auto module = llvm::CloneModule(*original);
    const auto start = std::chrono::steady_clock::now();
    link(*module);
    best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  RecordProperty("milliseconds", std::to_string(best));
  EXPECT_LT(best, 10);
}

}  // namespace
}  // namespace lanewise::test
