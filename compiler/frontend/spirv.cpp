// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/spirv.h"

#include <CL/cl.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <utility>

#include "compiler/frontend/link.h"
#include "compiler/frontend/options.h"
#include "compiler/frontend/predicated_accesses.h"
#include "compiler/frontend/spirv_names.h"
#include "compiler/frontend/translator.h"
#include "include/lanewise/build_flags.h"

namespace lanewise {
namespace {

/// The flags that the options of a build allow for all arithmetic (API 5.8.6.3), as Clang would set them.
llvm::FastMathFlags allowed(const std::vector<std::string>& options) {
  llvm::FastMathFlags flags;
  const bool fast = has_flag(options, BuildFlag::fast_relaxed_math);
  if (fast || has_flag(options, BuildFlag::finite_math_only)) {
    flags.setNoNaNs();
    flags.setNoInfs();
  }
  const bool unsafe = sums_reassociate(options);
  if (unsafe) {
    flags.setAllowReassoc();
    flags.setAllowReciprocal();
    flags.setApproxFunc();
  }
  if (unsafe || has_flag(options, BuildFlag::no_signed_zeros)) flags.setNoSignedZeros();
  if (unsafe || has_flag(options, BuildFlag::mad_enable)) flags.setAllowContract();
  return flags;
}

void allow_in(llvm::Module& module, llvm::FastMathFlags flags) {
  if (flags.none()) return;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (llvm::isa<llvm::FPMathOperator>(instruction))
        instruction.setFastMathFlags(instruction.getFastMathFlags() | flags);
}

/// As Clang does for OpenCL C: a function of the module may wait for other work-items, at a barrier or in an operation
/// of the group, and LLVM does not look into what it calls before it duplicates a call, or moves it to one side of a
/// branch.
void make_convergent(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!function.isIntrinsic()) function.setConvergent();
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          call != nullptr && !llvm::isa<llvm::IntrinsicInst>(call))
        call->setConvergent();
  }
}

/// Scopes in which accesses do not alias (SPV_INTEL_memory_access_aliasing) are promises about one work-item. A loop
/// over work-items would make them promises about all of them.
void drop_alias_scopes(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      instruction.setMetadata(llvm::LLVMContext::MD_alias_scope, nullptr);
      instruction.setMetadata(llvm::LLVMContext::MD_noalias, nullptr);
    }
}

}  // namespace

Result<void> check_spirv(const Bytes& module, const std::string& directory) {
  const spirv::Job job{.wish = spirv::Wish::validate, .module = module, .constants = {}};
  const spirv::Answer answer = Translator::instance().run(directory, job);
  if (answer.good) return {};
  constexpr auto code_of = [](spirv::Fault fault) {
    if (fault == spirv::Fault::lack) return CL_OUT_OF_HOST_MEMORY;
    return fault == spirv::Fault::module ? CL_INVALID_VALUE : CL_OUT_OF_RESOURCES;
  };
  return Error{code_of(answer.fault), "SPIR-V: " + answer.reason};
}

SourceResult read_spirv(const SourceJob& job, const std::string& directory, llvm::LLVMContext& context) {
  SourceResult result;
  const spirv::Job translation{
      .wish = spirv::Wish::translate, .module = job.source.il, .constants = job.source.constants};
  const spirv::Answer answer = Translator::instance().run(directory, translation);
  std::string reason = answer.reason;
  if (answer.good) {
    if (auto module = read_program(answer.bytes, context)) {
      result.module = std::move(*module);
      adopt_library_names(*result.module);
      lower_predicated_accesses(*result.module);
      make_convergent(*result.module);
      drop_alias_scopes(*result.module);
      allow_in(*result.module, allowed(job.source.options));
    } else {
      reason = llvm::toString(module.takeError());
    }
  }
  if (result.module) return result;
  result.status = job.builds ? CL_BUILD_PROGRAM_FAILURE : CL_COMPILE_PROGRAM_FAILURE;
  if (!answer.good && answer.fault == spirv::Fault::lack) result.status = CL_OUT_OF_HOST_MEMORY;
  result.log = "error: SPIR-V: " + reason + "\n";
  return result;
}

}  // namespace lanewise
