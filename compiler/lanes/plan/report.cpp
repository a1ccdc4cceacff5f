// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/plan/report.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace lanewise::spmd {
namespace {

/// The line in the user's own source: inlined code counts where it was called.
unsigned line_of(const llvm::Instruction& i) {
  const llvm::DILocation* at = i.getDebugLoc().get();
  while (at != nullptr && at->getLine() == 0) at = at->getInlinedAt();
  return at == nullptr ? 0 : at->getLine();
}

/// Empty for an access that is as good as in scalar code.
std::string kind_of(const llvm::Instruction& access, const Shapes& shapes) {
  const llvm::Value& pointer = *llvm::getLoadStorePointerOperand(&access);
  const Shape shape = shapes.of(pointer);
  const bool load = llvm::isa<llvm::LoadInst>(access);
  if (shape.is_uniform()) return {};
  if (shape.kind != Kind::strided) {
    // Private variables are in the cache; the report is about memory at which each lane has an address of its own.
    if (shapes.interleaved(pointer) != nullptr)
      return load ? "gather from private memory" : "scatter to private memory";
    return load ? "gather" : "scatter";
  }
  const llvm::DataLayout& layout = access.getModule()->getDataLayout();
  const auto size = static_cast<std::int64_t>(layout.getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue());
  if (shape.stride == size)
    return shape.checked ? std::string(load ? "load" : "store") + ", consecutive unless its index wraps"
                         : std::string();
  return std::string(load ? "load" : "store") + " with a stride of " + std::to_string(shape.stride) + " bytes";
}

}  // namespace

unsigned first_line(const llvm::Loop& loop) {
  unsigned first = 0;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& i : *block)
      if (const unsigned line = line_of(i); line != 0 && (first == 0 || line < first)) first = line;
  return first;
}

std::vector<abi::AccessReport> describe_accesses(const Body& body, const Shapes& shapes) {
  std::vector<abi::AccessReport> found;
  for (const llvm::BasicBlock* block : body.top().loop->blocks())
    for (const llvm::Instruction& i : *block) {
      if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(i)) continue;
      if (std::string kind = kind_of(i, shapes); !kind.empty()) found.push_back({line_of(i), std::move(kind)});
    }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace lanewise::spmd
