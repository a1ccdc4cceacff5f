// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs passes on textual IR or bitcode and prints the result: what tests/lit uses.
///
///   lanewise-opt [--passes=LIST] [--without=LIST] [--isa=NAME] [--kernel=NAME] [--emit=ir|object|code-object|none]
///                [-o FILE] [options] FILE
///   lanewise-opt --print-passes | --print-pipeline
///
/// LIST is that of LLVM's opt, with the passes of compiler/pipeline/passes.def in addition to LLVM's; "kernel" in it
/// means the whole pipeline. LLVM's own options show what passes do: -print-after-all, -verify-each, -time-passes,
/// -stats, -pass-remarks=lanewise (and -missed, -analysis, -output=FILE). --print-changes names the passes that have
/// changed the module, and --without leaves steps out of "kernel", so that the difference shows what they do
/// (scripts/ablate). With --plain-launches and --reqd-size it is code of the second tier. Kernels are the functions
/// with `!kernel_arg_addr_space` metadata. A canonical program (spir64) is prepared as the driver does it, for one
/// kernel: the first, or that of --kernel.
#include <llvm/ADT/Statistic.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LLVMRemarkStreamer.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Passes/StandardInstrumentations.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/InitLLVM.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/ToolOutputFile.h>
#include <llvm/Target/TargetMachine.h>

#include <deque>

#include "compiler/base/address_spaces.h"
#include "compiler/base/context.h"
#include "compiler/base/diagnostics.h"
#include "compiler/base/marks.h"
#include "compiler/base/phase.h"
#include "compiler/base/transformations.h"
#include "compiler/builtins/library.h"
#include "compiler/frontend/link.h"
#include "compiler/object/code_generator.h"
#include "compiler/object/code_object.h"
#include "compiler/pipeline/changes.h"
#include "compiler/pipeline/kernel_pipeline.h"
#include "compiler/pipeline/registry.h"
#include "compiler/program/kernel_info.h"
#include "compiler/program/variable_storage.h"
#include "compiler/request/run_request.h"
#include "compiler/target/machine.h"
#include "include/lanewise/image_abi.h"

namespace {

namespace cl = llvm::cl;
using namespace lanewise;

enum class Emit { ir, assembly, object, code_object, none };

/// What --help shows; LLVM's options, some hundred of which are linked in, are in --help-hidden.
cl::OptionCategory own("Options of lanewise-opt");
cl::opt<std::string> input(cl::Positional, cl::cat(own), cl::desc("<IR file>"), cl::init("-"));
cl::opt<std::string> output("o", cl::cat(own), cl::desc("Where the result goes"), cl::init("-"));
cl::opt<std::string> passes("passes", cl::cat(own), cl::desc("What to run"),
                            cl::init("lower-work-groups,make-local-atomics-plain"));
cl::list<std::string> without("without", cl::cat(own), cl::CommaSeparated,
                              cl::desc("Steps of \"kernel\" that are left out; wrong code if one is required"));
cl::opt<bool> print_changes("print-changes", cl::cat(own),
                            cl::desc("Name what has changed the module, on standard error: passes of --print-passes,\n"
                                     "and what is a part of one (compiler/base/transformations.def)"));
cl::opt<bool> list_passes("print-passes", cl::cat(own), cl::desc("List every pass of this compiler"));
cl::opt<bool> list_pipeline("print-pipeline", cl::cat(own),
                            cl::desc("Print the table of passes: steps, their gates, and why each stands there"));
cl::opt<Emit> form("emit", cl::cat(own), cl::desc("What to write"), cl::init(Emit::ir),
                   cl::values(clEnumValN(Emit::ir, "ir", "the module as text (default)"),
                              clEnumValN(Emit::assembly, "asm", "what the code generator makes of it, as text"),
                              clEnumValN(Emit::object, "object", "what the code generator makes of it"),
                              clEnumValN(Emit::code_object, "code-object", "that, linked as the driver loads it"),
                              clEnumValN(Emit::none, "none", "only what the passes print")));
cl::opt<bool> verify_each("verify-each", cl::cat(own), cl::desc("Verify the module after every pass"), cl::init(true));
cl::opt<std::string> isa_name("isa", cl::cat(own), cl::desc("Level and features of the machine"),
                              cl::init("x86-64-v3"));
cl::opt<unsigned> width("width", cl::cat(own), cl::desc("Work-items in a vector; 0: choose"), cl::init(0));
cl::opt<std::string> only("kernel", cl::cat(own), cl::desc("Only this kernel"));
cl::list<unsigned> required("reqd-size", cl::cat(own), cl::CommaSeparated, cl::desc("reqd_work_group_size"));
cl::opt<bool> usual_images("usual-images", cl::cat(own),
                           cl::desc("Images have four channels of 8 bits, normalised; with\n"
                                    "--plain-launches"));
cl::opt<bool> debug_barriers("debug-barriers", cl::cat(own), cl::desc("Report divergent barriers"));
cl::opt<bool> zero_private("zero-private", cl::cat(own), cl::desc("Private variables begin as zeros"));
cl::opt<unsigned> checks("checks", cl::cat(own),
                         cl::desc("What LANEWISE_CHECK asks for: bits of check::CheckKind (check_abi.h)"), cl::init(0));
cl::opt<bool> plain_launches("plain-launches", cl::cat(own), cl::desc("Launches have whole groups and no offset"));
cl::opt<bool> distinct_buffers("distinct-buffers", cl::cat(own),
                               cl::desc("With plain launches: no two buffers overlap"));
cl::opt<unsigned> team_groups("team-groups", cl::cat(own),
                              cl::desc("Groups that may run as a team, where that pays; with --plain-launches"),
                              cl::init(0));
cl::opt<bool> quick("quick", cl::cat(own),
                    cl::desc("Vectors as first code has them, for kernels that have been lowered already"));
cl::opt<bool> always_teams("always-teams", cl::cat(own), cl::desc("Form teams also where they do not pay"));
cl::opt<unsigned> iteration_lanes("iteration-lanes", cl::cat(own), cl::init(0),
                                  cl::desc("Iterations in a vector, where work-items fill none; 1: choose; with\n"
                                           "--plain-launches"));
cl::opt<bool> merge_groups("merge-groups", cl::cat(own),
                           cl::desc("Run groups of a row as one where that cannot be seen"));
cl::opt<unsigned> sub_group_size("sub-group-size", cl::cat(own), cl::desc("Work-items in a sub-group"), cl::init(1));
cl::opt<unsigned> copy_limit("copy-limit", cl::cat(own), cl::init(WorkgroupOptions().copied_instructions_limit),
                             cl::desc("Instructions in copied blocks before regions share them"));

cl::opt<std::string> remarks_output("pass-remarks-output", cl::cat(own), cl::value_desc("file"),
                                    cl::desc("Where optimisation remarks go, as YAML"));
cl::opt<std::string> remarks_filter("pass-remarks-filter", cl::cat(own), cl::value_desc("regular expression"),
                                    cl::desc("Passes whose remarks go there"));

/// LLVM's -stats, in effect also where LLVM is built without statistics of its own and would print only that.
class Statistics {
 public:
  Statistics() : wanted_(llvm::AreStatisticsEnabled()) {
    if (!wanted_) return;
    cl::getRegisteredOptions().lookup("stats")->reset();
    llvm::EnableStatistics(/*DoPrintOnExit=*/false);
  }
  ~Statistics() {
    if (wanted_) llvm::PrintStatistics(llvm::errs());
  }
  Statistics(const Statistics&) = delete;
  Statistics& operator=(const Statistics&) = delete;

  /// Counts the modules that each pass of ours has changed, where -stats or --print-changes asks for it.
  void count_changes(llvm::PassInstrumentationCallbacks& callbacks) const {
    if (wanted_ || print_changes) report_changes(callbacks, changed_);
  }

 private:
  bool wanted_;
  std::function<void(std::string_view)> changed_ = [](std::string_view pass) { count_change(pass); };
};

/// Describes a kernel that has been re-targeted already, as `describe_kernel` does for kernels of spir64.
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
    if (pointer && type->getPointerAddressSpace() == global_space) arg.kind = abi::ArgKind::global_pointer;
    if (pointer && type->getPointerAddressSpace() == constant_space) arg.kind = abi::ArgKind::constant_pointer;
    if (pointer && type->getPointerAddressSpace() == local_space) arg.kind = abi::ArgKind::local_pointer;
    info.args.push_back(arg);
  }
  const auto is_stored = [](const llvm::GlobalVariable& variable) { return variable.hasMetadata(marks::kStored); };
  if (llvm::any_of(kernel.getParent()->globals(), is_stored)) add_variables_address(info);
  return info;
}

/// What the command line says of launches of the kernel.
void describe_launches(abi::KernelInfo& info, abi::Specialisation& launches) {
  for (unsigned d = 0; d < 3 && d < required.size(); ++d) info.reqd_work_group_size[d] = required[d];
  launches.local_size = info.reqd_work_group_size;
  launches.team_groups = team_groups;
  launches.iteration_lanes = iteration_lanes;
  launches.distinct_buffers = distinct_buffers;
  if (!usual_images) return;
  lanewise_texel texel{};
  texel.bytes = 4;
  texel.kind = lanewise_texel_narrow;
  for (unsigned c = 0; c < 4; ++c) {
    texel.shift[c] = 8 * c;
    texel.read_mask[c] = texel.write_mask[c] = 255;
    texel.read_scale[c] = 1.0F / 255;
    texel.write_scale[c] = 255;
  }
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&texel);
  launches.known_arguments.clear();
  for (const abi::ArgInfo& arg : info.args)
    launches.known_arguments.push_back(arg.kind == abi::ArgKind::image ? Bytes{bytes, bytes + sizeof texel} : Bytes{});
}

std::deque<abi::KernelInfo> kernels_in(llvm::Module& module) {
  std::deque<abi::KernelInfo> kernels;
  const bool canonical = module.getTargetTriple().isSPIROrSPIRV();
  for (llvm::Function& f : module) {
    if (f.isDeclaration() || !f.hasMetadata("kernel_arg_addr_space") || !(only.empty() || f.getName() == only))
      continue;
    if (canonical && !kernels.empty()) break;
    kernels.push_back(canonical ? describe_kernel(f) : describe(f));
  }
  return kernels;
}

/// For modules that have been re-targeted: passes do what the command line says, for all kernels.
KernelContext lowered_context(const CodegenOptions& options, llvm::TargetMachine& machine,
                              std::deque<abi::KernelInfo>& kernels, std::vector<abi::LoopReport>& report) {
  KernelContext context{.options = options, .machine = machine, .report = &report};
  for (abi::KernelInfo& info : kernels) context.kernels.push_back(&info);
  context.workgroup = {.debug_barriers = debug_barriers,
                       .copied_instructions_limit = copy_limit,
                       .merge_groups = merge_groups,
                       .launches = options.launches,
                       .always_teams = always_teams,
                       .sub_group_size = sub_group_size};
  context.vectoriser = {.isa = options.isa, .forced_width = width, .quick = quick};
  return context;
}

llvm::Error write(llvm::Module& module, const KernelContext& context) {
  if (form == Emit::none) return llvm::Error::success();
  std::error_code failed;
  llvm::ToolOutputFile file(output, failed, llvm::sys::fs::OF_None);
  if (failed) return failure(output + ": " + failed.message());
  if (form == Emit::ir) {
    module.print(file.os(), nullptr);
  } else {
    const bool text = form == Emit::assembly;
    const Phase phase("code generator");
    auto object = emit(module, context, text ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile);
    if (!object) return object.takeError();
    if (text || form == Emit::object) {
      file.os() << llvm::StringRef(object->data(), object->size());
    } else {
      auto linked = link_code_object({llvm::StringRef(object->data(), object->size())}, context.options.isa);
      if (!linked) return linked.takeError();
      file.os().write(reinterpret_cast<const char*>(linked->data()), linked->size());
    }
  }
  file.keep();
  return llvm::Error::success();
}

/// Prints what the tests compare: lines of comments before the module.
void print_findings(const KernelContext& context) {
  for (const abi::LoopReport& loop : *context.report)
    for (const std::string& line : abi::lines(loop)) llvm::outs() << "; vectorise: " << line << '\n';
  if (llvm::StringRef(passes).contains("lower-work-groups") && form == Emit::ir)
    for (const abi::KernelInfo* info : context.kernels)
      llvm::outs() << "; kernel " << info->name << ": local " << info->local_bytes << ", item " << info->item_bytes
                   << ", group " << info->group_bytes << ", private " << info->private_bytes
                   << (info->has_barrier ? ", barrier" : "") << (info->uses_print ? ", print" : "") << '\n';
}

void print_changed() {
  for (const llvm::StringRef pass : changed_passes()) llvm::errs() << "changed: " << pass << '\n';
  for (std::size_t i = 0; i < std::size(transformation_counts); ++i)
    if (transformation_counts[i] != 0) llvm::errs() << "changed: " << kTransformations[i] << '\n';
}

llvm::Error run(llvm::Module& module, const Statistics& statistics) {
  const auto isa = Isa::named(isa_name);
  if (!isa) return failure("no such machine: " + isa_name);
  auto machine = make_target_machine(*isa, true);
  if (!machine) return machine.takeError();
  CodegenOptions options;
  options.isa = *isa;
  options.debug_barriers = debug_barriers;
  options.zero_private = zero_private;
  options.checks = checks;
  options.vector_width = width;
  abi::Specialisation launches;
  if (plain_launches) options.launches = &launches;
  if (auto library = BuiltinLibrary::open(compiler_directory(), *isa))
    options.builtins = std::move(*library);
  else
    llvm::consumeError(library.takeError());  // few passes need it, and those report that it is missing
  std::deque<abi::KernelInfo> kernels = kernels_in(module);
  const bool canonical = module.getTargetTriple().isSPIROrSPIRV();
  if (canonical && kernels.empty()) return failure("no such kernel");
  for (abi::KernelInfo& info : kernels) describe_launches(info, launches);
  std::vector<abi::LoopReport> report;
  KernelContext context = canonical ? driver_context(options, **machine, kernels.front(), &report)
                                    : lowered_context(options, **machine, kernels, report);
  if (canonical) {
    internalize_all_but_kernels(module);
    auto variables = place_variables(module);
    if (!variables) return variables.takeError();
    if (variables->bytes != 0) add_variables_address(kernels.front());
  } else {
    module.setTargetTriple((*machine)->getTargetTriple());
    module.setDataLayout((*machine)->createDataLayout());
  }
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::StandardInstrumentations instrumentation(module.getContext(), /*DebugLogging=*/false, verify_each);
  instrumentation.registerCallbacks(callbacks);
  statistics.count_changes(callbacks);
  if (llvm::Error error = run_passes(passes, module, context, &callbacks, llvm::outs(), without)) return error;
  print_findings(context);
  if (llvm::Error error = write(module, context)) return error;
  if (print_changes) print_changed();
  return llvm::Error::success();
}

}  // namespace

int main(int argc, char** argv) {
  const llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(own);
  cl::ParseCommandLineOptions(argc, argv, "Lanewise passes; --help-hidden shows LLVM's options too\n");
  if (list_passes) print_passes(llvm::outs());
  if (list_pipeline) print_pipeline(llvm::outs());
  if (list_passes || list_pipeline) return 0;
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseIRFile(input, diagnostic, context);
  if (!module) {
    diagnostic.print(argv[0], llvm::errs());
    return 1;
  }
  const Statistics statistics;
  auto remarks = llvm::setupLLVMOptimizationRemarks(context, remarks_output, remarks_filter, "yaml", false);
  llvm::Error error = remarks ? run(*module, statistics) : remarks.takeError();
  if (remarks && *remarks) (*remarks)->keep();
  if (error) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  return 0;
}
