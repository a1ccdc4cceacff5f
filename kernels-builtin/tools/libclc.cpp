// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels-builtin/tools/libclc.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Internalize.h>

#include <vector>

#include "compiler/analyses.h"

namespace lanewise::shards {

namespace {

/// What our sources call and leave to libclc. `__lw_clc_x` asks for x under that name, because x is ours.
llvm::StringSet<> wanted(const llvm::Module& ours, llvm::Module& libclc) {
  llvm::StringSet<> names;
  for (const auto& f : ours) {
    if (!f.isDeclaration() || f.isIntrinsic()) continue;
    auto name = f.getName();
    const bool renamed = name.consume_front("__lw_clc_");
    auto* there = libclc.getFunction(name);
    if (!there || there->isDeclaration()) continue;
    if (renamed) there->setName(f.getName());
    names.insert(f.getName());
  }
  return names;
}

void keep_only(llvm::Module& module, const llvm::StringSet<>& names) {
  Analyses analyses;
  llvm::ModulePassManager passes;
  passes.addPass(llvm::InternalizePass([&](const llvm::GlobalValue& v) { return names.contains(v.getName()); }));
  passes.addPass(llvm::GlobalDCEPass());
  passes.run(module, analyses.modules);
}

/// libclc indexes its tables before it asks whether the argument is in range at all. On a host that is a fault, so
/// indices are kept inside: a select for values that are thrown away later anyway.
void bound_table_indices(llvm::Module& module) {
  const auto& layout = module.getDataLayout();
  std::vector<llvm::GetElementPtrInst*> accesses;
  for (auto& f : module)
    for (auto& i : llvm::instructions(f))
      if (auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&i);
          gep && llvm::isa<llvm::GlobalVariable>(gep->getPointerOperand()) && gep->getNumIndices() == 1 &&
          !gep->getSourceElementType()->isIntegerTy(8) && !llvm::isa<llvm::Constant>(gep->getOperand(1)))
        accesses.push_back(gep);  // byte tables hold the bits of 2/pi, indexed by a masked exponent
  for (auto* gep : accesses) {
    const auto* table = llvm::cast<llvm::GlobalVariable>(gep->getPointerOperand());
    const auto count = layout.getTypeAllocSize(table->getValueType()).getFixedValue() /
                       layout.getTypeAllocSize(gep->getSourceElementType()).getFixedValue();
    llvm::IRBuilder<> builder(gep);
    auto* index = builder.CreateFreeze(gep->getOperand(1));
    gep->setOperand(1, builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, index,
                                                     llvm::ConstantInt::get(index->getType(), count - 1)));
  }
}

}  // namespace

llvm::Expected<std::unique_ptr<llvm::Module>> libclc_math(std::unique_ptr<llvm::Module> libclc,
                                                          const llvm::Module& ours) {
  keep_only(*libclc, wanted(ours, *libclc));
  libclc->setTargetTriple(ours.getTargetTriple());
  libclc->setDataLayout(ours.getDataLayout());
  // Types of pointers cannot be changed in place; the textual form can.
  std::string text;
  llvm::raw_string_ostream out(text);
  libclc->print(out, nullptr);
  const llvm::StringRef from = "addrspace(4)", to = "addrspace(2)";
  for (auto at = text.find(from.str()); at != std::string::npos; at = text.find(from.str(), at))
    text.replace(at, from.size(), to.str());
  llvm::SMDiagnostic diagnostic;
  auto& context = libclc->getContext();
  const bool discard = context.shouldDiscardValueNames();
  context.setDiscardValueNames(false);  // the parser insists
  auto module = llvm::parseAssemblyString(text, diagnostic, context);
  context.setDiscardValueNames(discard);
  if (!module) return llvm::createStringError(llvm::inconvertibleErrorCode(), diagnostic.getMessage());
  bound_table_indices(*module);
  return module;
}

}  // namespace lanewise::shards
