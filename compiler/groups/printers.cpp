// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/printers.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/base/context.h"
#include "compiler/groups/live_values.h"
#include "compiler/groups/split_inductions.h"
#include "compiler/groups/uniformity.h"
#include "compiler/groups/work_item_function.h"

namespace lanewise {
namespace {

using llvm::Module;
using llvm::ModuleAnalysisManager;
using llvm::PreservedAnalyses;

void print_regions(llvm::raw_ostream& out, const RegionGraph& graph) {
  for (unsigned i = 0; i < graph.regions.size(); ++i) {
    const Region& r = graph.regions[i];
    out << "; region " << i << ": starts";
    for (unsigned s : r.starts) out << ' ' << s;
    out << ", stops";
    for (unsigned e : r.exits) out << ' ' << e;
    out << (r.returns ? ", returns" : "") << (r.splits ? ", splits" : "") << (r.may_have_dead ? ", may have dead" : "");
    out << ", blocks";
    for (const llvm::BasicBlock* b : r.blocks) out << ' ' << b->getName();
    out << '\n';
  }
}

void print_values(llvm::raw_ostream& out, const LiveValues& live, const PrivateMemory& memory) {
  static constexpr const char* kKeep[] = {"recompute", "group", "item"};
  static constexpr const char* kPlace[] = {"stack", "group scratch", "item scratch"};
  for (unsigned c = 1; c < live.at.size(); ++c) {
    out << "; across " << c << ':';
    for (const llvm::Instruction* v : live.at[c]) {
      const LiveValue& info = live.values.find(const_cast<llvm::Instruction*>(v))->second;
      out << " %" << v->getName() << " (" << kKeep[static_cast<unsigned>(info.keep)];
      if (info.keep == Keep::item) out << ' ' << info.slot.offset << '+' << info.slot.bytes;
      out << ')';
    }
    out << '\n';
  }
  for (const PrivateVariable& v : memory.variables) {
    out << "; variable %" << v.variable->getName() << ": " << kPlace[static_cast<unsigned>(v.place)];
    if (v.element != 0) out << ", elements of " << v.element << " bytes";
    out << '\n';
  }
  out << "; item bytes " << live.item_bytes << '\n';
}

enum class Stop : unsigned char { item, regions, values };

llvm::Error print_kernel(llvm::Function& kernel, const WorkgroupOptions& options, Stop stop, llvm::raw_ostream& out) {
  auto item = make_work_item_function(kernel);
  if (!item) return item.takeError();
  if (stop != Stop::item) {
    split_inductions(*item);
    auto barriers = isolate_barriers(*item);
    PrivateMemory memory = place_private_variables(*item, barriers, /*keep_described=*/false);
    interleave_arrays(*item, memory);
    Uniformity uniformity(*item);
    const RegionGraph graph = form_regions(*item, barriers, uniformity, options.copied_instructions_limit);
    if (stop == Stop::regions)
      print_regions(out, graph);
    else
      print_values(out, find_live_values(*item, graph, memory, uniformity), memory);
  }
  item->function->print(out);
  return llvm::Error::success();
}

PreservedAnalyses print_kernels(Module& module, ModuleAnalysisManager& analyses, Stop stop, llvm::raw_ostream& out) {
  KernelContext& context = context_of(module, analyses);
  for (const abi::KernelInfo* info : context.kernels)
    if (llvm::Error error = print_kernel(*module.getFunction(info->name), context.workgroup, stop, out)) {
      context.fail(std::move(error));
      break;
    }
  return PreservedAnalyses::none();
}

}  // namespace

PreservedAnalyses PrintWorkItemsPass::run(Module& module, ModuleAnalysisManager& analyses) {
  return print_kernels(module, analyses, Stop::item, out_);
}

PreservedAnalyses PrintRegionsPass::run(Module& module, ModuleAnalysisManager& analyses) {
  return print_kernels(module, analyses, Stop::regions, out_);
}

PreservedAnalyses PrintLiveValuesPass::run(Module& module, ModuleAnalysisManager& analyses) {
  return print_kernels(module, analyses, Stop::values, out_);
}

}  // namespace lanewise
