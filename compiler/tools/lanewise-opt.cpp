// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs the work-group lowering, or a part of it, on textual IR or bitcode and prints the result: what tests/lit uses.
///
///   lanewise-opt [--step=item|regions|values|lower|flatten|vectorise|operations] [--isa=N] [--vnni] [--width=N]
///   [--kernel=NAME]
///   [--reqd-size=X,Y,Z] [--debug-barriers]
///                [--copy-limit=N] [--sub-group-size=N] file.ll
///
/// Kernels are the functions with `!kernel_arg_addr_space` metadata. The module must be what `lower_kernel` expects.
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/InitLLVM.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/ToolOutputFile.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/codegen/optimise.h"
#include "compiler/spmd/machine_operations.h"
#include "compiler/spmd/spmd.h"
#include "compiler/workgroup/live_values.h"
#include "compiler/workgroup/local_atomics.h"
#include "compiler/workgroup/split_inductions.h"
#include "compiler/workgroup/workgroup.h"

namespace {

namespace cl = llvm::cl;
using namespace lanewise;

enum class Step { item, regions, values, lower, flatten, vectorise, operations };

cl::opt<std::string> input(cl::Positional, cl::desc("<IR file>"), cl::init("-"));
cl::opt<Step> step("step", cl::desc("Where to stop"), cl::init(Step::lower),
                   cl::values(clEnumValN(Step::flatten, "flatten", "print which functions need flattening"),
                              clEnumValN(Step::vectorise, "vectorise", "every loop marked `lanewise.items`"),
                              clEnumValN(Step::operations, "operations", "machine operations in instructions"),
                              clEnumValN(Step::item, "item", "the work-item function"),
                              clEnumValN(Step::regions, "regions", "barriers isolated; print the regions"),
                              clEnumValN(Step::values, "values", "print what lives across which barrier"),
                              clEnumValN(Step::lower, "lower", "the range function (default)")));
cl::opt<unsigned> isa("isa", cl::desc("x86-64-v<N>"), cl::init(3));
cl::opt<bool> vnni("vnni", cl::desc("The machine has AVX512_VNNI"));
cl::opt<unsigned> width("width", cl::desc("Work-items in a vector; 0: choose"), cl::init(0));
cl::opt<std::string> only("kernel", cl::desc("Only this kernel"));
cl::list<unsigned> required("reqd-size", cl::CommaSeparated, cl::desc("reqd_work_group_size"));
cl::opt<bool> debug_barriers("debug-barriers", cl::desc("Report divergent barriers"));
cl::opt<bool> plain_launches("plain-launches", cl::desc("Launches have whole groups and no offset"));
cl::opt<bool> merge_groups("merge-groups", cl::desc("Run groups of a row as one where that cannot be seen"));
cl::opt<unsigned> sub_group_size("sub-group-size", cl::desc("Work-items in a sub-group"), cl::init(1));
cl::opt<unsigned> copy_limit("copy-limit", cl::init(WorkgroupOptions().copied_instructions_limit),
                             cl::desc("Instructions in copied blocks before regions share them"));

abi::KernelInfo describe(const llvm::Function& kernel) {
  abi::KernelInfo info;
  info.name = kernel.getName().str();
  info.symbol = info.name;
  const llvm::DataLayout& layout = kernel.getDataLayout();
  for (const llvm::Argument& a : kernel.args()) {
    abi::ArgInfo arg;
    llvm::Type* type = a.hasByValAttr() ? a.getParamByValType() : a.getType();
    arg.size = static_cast<std::uint32_t>(layout.getTypeAllocSize(type).getFixedValue());
    arg.align = static_cast<std::uint32_t>(layout.getABITypeAlign(type).value());
    info.args_bytes = static_cast<std::uint32_t>(llvm::alignTo(info.args_bytes, arg.align));
    arg.offset = info.args_bytes;
    info.args_bytes += arg.size;
    const bool pointer = type->isPointerTy() && !a.hasByValAttr();
    if (pointer && type->getPointerAddressSpace() == 1) arg.kind = abi::ArgKind::global_pointer;
    if (pointer && type->getPointerAddressSpace() == 2) arg.kind = abi::ArgKind::constant_pointer;
    if (pointer && type->getPointerAddressSpace() == 3) arg.kind = abi::ArgKind::local_pointer;
    info.args.push_back(arg);
  }
  for (unsigned d = 0; d < 3 && d < required.size(); ++d) info.reqd_work_group_size[d] = required[d];
  return info;
}

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
  for (const PrivateVariable& v : memory.variables)
    out << "; variable %" << v.variable->getName() << ": " << kPlace[static_cast<unsigned>(v.place)] << '\n';
  out << "; item bytes " << live.item_bytes << '\n';
}

/// The steps of `lower_kernel` up to the one that was asked for.
llvm::Error partial(llvm::Function& kernel) {
  auto item = make_work_item_function(kernel);
  if (!item) return item.takeError();
  if (step == Step::item) {
    item->function->print(llvm::outs());
    return llvm::Error::success();
  }
  split_inductions(*item);
  auto barriers = isolate_barriers(*item);
  const PrivateMemory memory = place_private_variables(*item, barriers);
  Uniformity uniformity(*item);
  const RegionGraph graph = form_regions(*item, barriers, uniformity, copy_limit);
  if (step == Step::regions)
    print_regions(llvm::outs(), graph);
  else
    print_values(llvm::outs(), find_live_values(*item, graph, memory, uniformity), memory);
  item->function->print(llvm::outs());
  return llvm::Error::success();
}

void vectorise(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::SmallVector<llvm::Function*> functions;
  for (llvm::Function& f : module)
    if (!f.isDeclaration()) functions.push_back(&f);
  for (llvm::Function* f : functions) {
    const auto decisions = spmd::vectorise(*f, machine, {.isa_level = isa, .forced_width = width});
    llvm::outs() << "; " << spmd::describe(f->getName().str(), decisions);
  }
}

/// The steps on modules that are the machine's already, not on kernels.
llvm::Error on_machine(llvm::Module& module) {
  auto machine = make_target_machine(isa, vnni ? abi::kIsaVnni : 0, true);
  if (!machine) return machine.takeError();
  module.setTargetTriple((*machine)->getTargetTriple());
  module.setDataLayout((*machine)->createDataLayout());
  if (step == Step::operations)
    spmd::lower_machine_operations(module, **machine);
  else
    vectorise(module, **machine);
  module.print(llvm::outs(), nullptr);
  return llvm::Error::success();
}

llvm::Error full(llvm::Function& kernel) {
  WorkgroupOptions options;
  options.debug_barriers = debug_barriers;
  options.copied_instructions_limit = copy_limit;
  options.merge_groups = merge_groups;
  options.plain_launches = plain_launches;
  options.sub_group_size = sub_group_size;
  abi::KernelInfo info = describe(kernel);
  auto range = lower_kernel(kernel, options, info);
  if (!range) return range.takeError();
  make_local_atomics_plain(**range);
  llvm::outs() << "; kernel " << info.name << ": local " << info.local_bytes << ", item " << info.item_bytes
               << ", group " << info.group_bytes << ", private " << info.private_bytes
               << (info.has_barrier ? ", barrier" : "") << (info.uses_print ? ", print" : "") << '\n';
  return llvm::Error::success();
}

}  // namespace

int main(int argc, char** argv) {
  const llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "Lanewise work-group lowering\n");
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseIRFile(input, diagnostic, context);
  if (!module) {
    diagnostic.print(argv[0], llvm::errs());
    return 1;
  }
  if (step == Step::vectorise || step == Step::operations) {
    if (llvm::Error error = on_machine(*module)) {
      llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
      return 1;
    }
    return 0;
  }
  llvm::SmallVector<llvm::Function*> kernels;
  for (llvm::Function& f : *module) {
    if (step == Step::flatten && !f.isDeclaration())
      llvm::outs() << f.getName() << (needs_flattening(f) ? ": yes\n" : ": no\n");
    if (!f.isDeclaration() && f.hasMetadata("kernel_arg_addr_space") && (only.empty() || f.getName() == only))
      kernels.push_back(&f);
  }
  if (step == Step::flatten) return 0;
  for (llvm::Function* kernel : kernels) {
    if (llvm::Error error = step == Step::lower ? full(*kernel) : partial(*kernel)) {
      llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
      return 1;
    }
  }
  if (step == Step::lower) module->print(llvm::outs(), nullptr);
  return 0;
}
