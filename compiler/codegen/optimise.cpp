// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/optimise.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <mutex>
#include <optional>

#include "compiler/analyses.h"
#include "compiler/builtins/known_functions.h"
#include "compiler/frontend/diagnostics.h"
#include "compiler/spmd/normalise.h"
#include "include/lanewise/compiler_abi.h"

namespace lanewise {
namespace {

constexpr const char* kTriple = "x86_64-unknown-linux-gnu";

void initialise_backend() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  });
}

/// A kernel image has no C library: of its functions only those exist that the support object defines. A user's
/// function that happens to be called `sin` has the user's meaning.
llvm::TargetLibraryInfoImpl library_functions(const llvm::Triple& triple) {
  llvm::TargetLibraryInfoImpl info(triple);
  info.disableAllFunctions();
  for (const llvm::LibFunc function : {llvm::LibFunc_memcpy, llvm::LibFunc_memmove, llvm::LibFunc_memset})
    info.setAvailable(function);
  return info;
}

llvm::PipelineTuningOptions tuning() {
  llvm::PipelineTuningOptions options;
  options.LoopVectorization = true;
  options.LoopInterleaving = true;
  options.SLPVectorization = true;
  return options;
}

struct DistributeExtensions : llvm::PassInfoMixin<DistributeExtensions> {
  // NOLINTNEXTLINE(readability-convert-member-functions-to-static): the pass manager calls it on an object
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& /*analyses*/) {
    spmd::distribute_extensions(function);
    auto preserved = llvm::PreservedAnalyses::none();
    preserved.preserveSet<llvm::CFGAnalyses>();
    return preserved;
  }
};

bool has_private_array(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& i) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&i);
    return variable != nullptr && variable->getAllocatedType()->isArrayTy();
  });
}

bool has_barrier(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& i) { return is_barrier(i); });
}

/// Barriers are not multiplied: each is a pass over all work-items.
struct KeepBarrierLoops : llvm::PassInfoMixin<KeepBarrierLoops> {
  // NOLINTNEXTLINE(readability-convert-member-functions-to-static): the pass manager calls it on an object
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
    for (const llvm::Instruction& i : llvm::instructions(function)) {
      if (!is_barrier(i)) continue;
      for (llvm::Loop* loop = loops.getLoopFor(i.getParent()); loop != nullptr; loop = loop->getParentLoop())
        if (!llvm::hasDisableAllTransformsHint(loop) && !llvm::getBooleanLoopAttribute(loop, kNotUnrolled))
          llvm::addStringMetadataToLoop(loop, kNotUnrolled, 1);
    }
    return llvm::PreservedAnalyses::all();
  }

 private:
  static constexpr const char* kNotUnrolled = "llvm.loop.unroll.disable";
};

}  // namespace

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> make_target_machine(unsigned isa_level, std::uint32_t isa_features,
                                                                         bool optimise) {
  if (isa_level < 2 || isa_level > 4) return failure("no such ISA level: x86-64-v" + llvm::Twine(isa_level));
  if (isa_features != 0 && (isa_level < 4 || isa_features != abi::kIsaVnni))
    return failure("no such ISA features at x86-64-v" + llvm::Twine(isa_level) + ": " + llvm::Twine(isa_features));
  initialise_backend();
  std::string reason;
  const llvm::Triple triple(kTriple);
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, reason);
  if (target == nullptr) return failure(reason);
  llvm::TargetOptions options;
  options.FunctionSections = true;
  options.DataSections = true;
  const std::string cpu = "x86-64-v" + std::to_string(isa_level);
  const char* features = isa_features == 0 ? "" : "+avx512vnni";
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, cpu, features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small,
                                  optimise ? llvm::CodeGenOptLevel::Default : llvm::CodeGenOptLevel::Less));
  if (!machine) return failure("cannot create a code generator for " + cpu);
  return machine;
}

struct Optimiser::State : Analyses {
  explicit State(llvm::TargetMachine& machine)
      : Analyses(&machine, tuning(), library_functions(machine.getTargetTriple())) {}
};

Optimiser::Optimiser(llvm::TargetMachine& machine) : state_(std::make_unique<State>(machine)) {}
Optimiser::~Optimiser() = default;

void Optimiser::simplify_functions(llvm::Module& module) {
  llvm::FunctionPassManager functions;
  functions.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  functions.addPass(llvm::EarlyCSEPass());
  functions.addPass(llvm::SimplifyCFGPass());
  llvm::ModulePassManager passes;
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
  passes.run(module, state_->modules);
}

void Optimiser::inline_marked(llvm::Module& module) {
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/true));
  passes.addPass(llvm::GlobalDCEPass());
  llvm::FunctionPassManager functions;
  functions.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  functions.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  functions.addPass(llvm::SimplifyCFGPass());
  functions.addPass(DistributeExtensions());
  functions.addPass(llvm::InstCombinePass());
  functions.addPass(llvm::ADCEPass());
  functions.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
  passes.run(module, state_->modules);
}

void Optimiser::promote_private_arrays(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.getInstructionCount() > kBriefInstructions) continue;
    if (!has_private_array(function) || !has_barrier(function)) continue;
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::LoopSimplifyPass());
    passes.addPass(llvm::LCSSAPass());
    passes.addPass(KeepBarrierLoops());
    llvm::LoopPassManager loops;
    loops.addPass(llvm::LoopRotatePass(/*EnableHeaderDuplication=*/true, /*PrepareForLTO=*/false));
    loops.addPass(llvm::IndVarSimplifyPass());
    loops.addPass(llvm::LoopFullUnrollPass(/*OptLevel=*/3));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops)));
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::EarlyCSEPass());
    passes.addPass(DistributeExtensions());
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    state_->functions.invalidate(function, passes.run(function, state_->functions));
  }
}

void Optimiser::optimise(llvm::Module& module, Effort effort, bool scalar_code) {
  // The lowering worked on the module behind the analyses' back.
  state_->modules.clear();
  state_->graph.clear();
  state_->functions.clear();
  state_->loops.clear();
  llvm::ModulePassManager passes;
  add_passes(passes, state_->builder, effort, scalar_code);
  passes.run(module, state_->modules);
}

llvm::Expected<llvm::SmallVector<char, 0>> emit(llvm::Module& module, llvm::TargetMachine& machine,
                                                llvm::CodeGenFileType type) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::legacy::PassManager passes;
  passes.add(new llvm::TargetLibraryInfoWrapperPass(library_functions(machine.getTargetTriple())));
  if (machine.addPassesToEmitFile(passes, out, nullptr, type, /*DisableVerify=*/true))
    return failure("the code generator cannot write this kind of file");
  passes.run(module);
  return bytes;
}

}  // namespace lanewise
