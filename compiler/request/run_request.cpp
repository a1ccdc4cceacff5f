// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/request/run_request.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

#include "compiler/base/diagnostics.h"
#include "compiler/base/effort.h"
#include "compiler/base/marks.h"
#include "compiler/base/phase.h"
#include "compiler/builtins/known_functions.h"
#include "compiler/builtins/library.h"
#include "compiler/frontend/clang.h"
#include "compiler/frontend/cxx_programs.h"
#include "compiler/frontend/link.h"
#include "compiler/frontend/options.h"
#include "compiler/frontend/size_limits.h"
#include "compiler/frontend/spirv.h"
#include "compiler/isolation/guard.h"
#include "compiler/object/code_object.h"
#include "compiler/program/blocks.h"
#include "compiler/program/foresight.h"
#include "compiler/program/function_pointers.h"
#include "compiler/program/kernel_info.h"
#include "compiler/program/split.h"
#include "compiler/program/variable_storage.h"
#include "compiler/request/kernel_job.h"
#include "include/lanewise/builtin_library.h"
#include "src/base/mutex.h"
#include "src/config/config.h"

namespace lanewise {
namespace {

int failure_status(const abi::Request& request) {
  if (std::holds_alternative<abi::Compile>(request)) return CL_COMPILE_PROGRAM_FAILURE;
  if (std::holds_alternative<abi::Link>(request)) return CL_LINK_PROGRAM_FAILURE;
  return std::holds_alternative<abi::Validate>(request) ? CL_INVALID_VALUE : CL_BUILD_PROGRAM_FAILURE;
}

/// Turns the reply into a failure. What was made until then is dropped; the log is kept and ends in the reason.
void refuse(abi::Reply& reply, int status, std::string reason) {
  reply.status = status;
  reply.ir.clear();
  reply.code_object.clear();
  reply.kernels.clear();
  reply.variables = {};
  reply.functions.clear();
  reply.lacks_code = false;
  if (!reply.log.empty() && reply.log.back() != '\n') reply.log += '\n';
  if (!reason.empty() && reason.back() != '\n') reason += '\n';
  const bool marked = reason.starts_with("error:") || reason.starts_with("internal compiler error");
  reply.log += (marked ? "" : "error: ") + reason;
}

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

bool has_library(const std::string& directory) {
  return access((directory + "/" + kBuiltinLibrary).c_str(), R_OK) == 0;
}

/// Each thread takes a kernel out of the program when it begins with it, so that none waits until all have been taken.
Bytes take_part(const KernelParts& parts, unsigned number, Mutex& mutex) {
  const Phase phase("split by kernel");
  Bytes part;
  std::string fatal;
  {
    const MutexLock lock(mutex);
    // Guarded here, so that a fatal error does not leave the mutex locked.
    run_guarded([&] { part = parts.part(number); }, fatal);
  }
  if (!fatal.empty()) llvm::report_fatal_error(llvm::StringRef(fatal));
  return part;
}

/// The state of one request from start to end.
class Session {
 public:
  Session(const abi::Request& request, const PipelineObserver* observer, const std::string& directory,
          const Progress& progress, abi::Reply& reply)
      : request_(request), observer_(observer), directory_(directory), progress_(progress), reply_(reply) {}

  void operator()(const abi::Ping& /*job*/) { reply_.log = "Lanewise compiler, LLVM " LLVM_VERSION_STRING; }

  void operator()(const abi::Validate& job) {
    if (const auto checked = check_spirv(job.il, own_directory()); !checked)
      refuse(reply_, checked.error().code, checked.error().message);
  }

  void operator()(const abi::Compile& job) {
    if (auto module = front_end({job.source, false, job.report_vectors})) reply_.ir = write_program(*module);
  }

  void operator()(const abi::Build& job) {
    const auto module = front_end({job.source, true, job.code.report_vectors});
    if (!module) return;
    replace_function_pointers(*module);
    reply_.ir = write_program(*module);
    make_executable(*module, {job.code, job.source.options});
  }

  void operator()(const abi::Link& job) {
    if (const auto checked = check_link_options(job.options); !checked)
      return refuse(reply_, checked.error().code, checked.error().message);
    bool damaged = false;
    auto module = link_programs(job.inputs, context_, damaged);
    if (!module)
      return refuse(reply_, damaged ? CL_INVALID_PROGRAM : CL_LINK_PROGRAM_FAILURE, llvm::toString(module.takeError()));
    number_blocks(**module);
    if (!job.create_library) replace_function_pointers(**module);
    reply_.ir = write_program(**module);
    show_canonical(**module);
    if (!job.create_library) make_executable(**module, {job.code, job.options});
  }

  /// Compiles the one kernel as if the given local size were its required work-group size.
  void operator()(const abi::Specialise& job) {
    const abi::Specialisation& launches = job.launches;
    if (launches.local_size[0] == 0 || launches.first_dimension > 2) return fail("there are no such launches");
    if (const auto module = module_of(job.program, launches.kernel))
      make_executable(*module, {job.code, no_options(), &launches});
  }

  void operator()(const abi::FirstCode& job) {
    if (const auto module = module_of(job.program, job.kernel))
      make_executable(*module, {.code = job.code, .options = no_options(), .large_program = job.large_program});
  }

 private:
  /// How an executable is made.
  struct Making {
    const abi::CodeSettings& code;
    const std::vector<std::string>& options;
    const abi::Specialisation* launches = nullptr;  ///< that it is for; null: all
    bool large_program = false;                     ///< the kernels are part of a large program

    /// Whether the reply says what became of loops.
    [[nodiscard]] bool reports() const { return code.report_vectors || reports_vectors(options); }
  };

  static const std::vector<std::string>& no_options() {
    static const std::vector<std::string> none;
    return none;
  }

  /// The module of one kernel of a program. Null: it has no such kernel, or others need it.
  std::unique_ptr<llvm::Module> module_of(const Bytes& program, const std::string& name) {
    auto module = read_kernel(program, name, context_);
    if (!module) {
      fail(llvm::toString(module.takeError()));
      return nullptr;
    }
    replace_block_addresses(**module);
    for (llvm::Function* kernel : kernels_of(**module))
      if (kernel->getName() != name && kernel->use_empty()) kernel->eraseFromParent();
    const auto kernels = kernels_of(**module);
    if (kernels.size() == 1 && kernels.front()->getName() == name) return std::move(*module);
    fail("the kernel cannot be taken out of the program");
    return nullptr;
  }

  std::unique_ptr<llvm::Module> front_end(const SourceJob& job) {
    const Phase phase("front end");
    SourceResult source =
        job.source.il.empty() ? compile_source(job, context_) : read_spirv(job, own_directory(), context_);
    reply_.log = std::move(source.log);
    reply_.dependencies = std::move(source.dependencies);
    reply_.status = source.status;
    if (source.module) {
      if (sums_reassociate(job.source.options))
        for (llvm::Function& function : *source.module) function.addFnAttr(marks::kReassociates);
      number_blocks(*source.module);
      show_canonical(*source.module);
    }
    return std::move(source.module);
  }

  void show_canonical(const llvm::Module& module) const {
    if (observer_ == nullptr || !observer_->wants("canonical")) return;
    std::string text;
    llvm::raw_string_ostream out(text);
    module.print(out, nullptr);
    observer_->show("canonical", "", text);
  }

  [[nodiscard]] CodegenOptions codegen_options(const Making& making) const {
    CodegenOptions options;
    options.isa = making.code.isa;
    options.optimise = !optimisation_disabled(making.options);
    options.debug_barriers = making.code.debug_barriers;
    options.zero_private = making.code.zero_private;
    options.checks = making.code.checks;
    options.vector_width = making.code.vector_width;
    options.launches = making.launches;
    options.large_program = making.large_program;
    options.observer = observer_;
    return options;
  }

  /// Checks the program, compiles its kernels, links the code object.
  void make_executable(llvm::Module& module, const Making& making) {
    if (std::string faults = check_variable_sizes(module); !faults.empty()) return fail(std::move(faults));
    CodegenOptions options = codegen_options(making);
    reply_.checks = making.code.checks;
    auto library = BuiltinLibrary::open(own_directory(), options.isa);
    if (!library) return fail("internal compiler error: " + llvm::toString(library.takeError()));
    options.builtins = std::move(*library);

    const auto unresolved = unresolved_symbols(module, [&](const llvm::Function& function) {
      return known_function(function) != Known::none || options.builtins->defines(function.getName());
    });
    if (!unresolved.empty()) {
      std::string reason;
      for (const std::string& name : unresolved) reason += "error: undefined reference to '" + name + "'\n";
      return fail(reason);
    }
    if (options.launches != nullptr)
      drop_variable_kernels(module);
    else
      make_variable_kernels(module);
    replace_block_addresses(module);
    name_variables(module);
    reply_.functions = function_pointers_of(module);
    internalize_all_but_kernels(module);
    const auto kernels = kernels_of(module);
    for (const llvm::Function* kernel : kernels) reply_.kernels.push_back(describe_kernel(*kernel));
    auto variables = place_variables(module);
    if (!variables) return fail(llvm::toString(variables.takeError()));
    reply_.variables = std::move(*variables);
    if (reply_.variables.bytes != 0)
      for (abi::KernelInfo& kernel : reply_.kernels) add_variables_address(kernel);
    if (options.launches != nullptr)
      for (abi::KernelInfo& kernel : reply_.kernels) kernel.reqd_work_group_size = options.launches->local_size;
    if (kernels.empty()) return;  // an executable without kernels is legal; it has no code object
    if (can_wait(module, kernels, making)) return;
    std::vector<llvm::SmallVector<char, 0>> objects(kernels.size());
    if (compile_kernels(module, kernels, making, options, objects)) link_objects(objects, options.isa);
  }

  /// Whether the code of the kernels is made later, each for itself. Their descriptions then have upper bounds.
  bool can_wait(llvm::Module& module, const std::vector<llvm::Function*>& kernels, const Making& making) {
    // The log says what became of loops, and code without optimisation is for a debugger.
    if (making.code.time != abi::CodeTime::wanted || making.reports() || optimisation_disabled(making.options))
      return false;
    const Foresight foresight(module, kernels);
    if (!foresight.can_wait(reply_.kernels)) return false;
    for (std::size_t i = 0; i < kernels.size(); ++i) foresight.bound(i, reply_.kernels[i]);
    reply_.lacks_code = true;
    reply_.large_program = foresight.large_program();
    return true;
  }

  bool compile_kernels(llvm::Module& module, const std::vector<llvm::Function*>& kernels, const Making& making,
                       CodegenOptions& options, std::vector<llvm::SmallVector<char, 0>>& objects) {
    std::vector<std::string> errors(kernels.size());
    std::vector<std::vector<abi::LoopReport>> reports(kernels.size());
    const auto store = [&](std::size_t i, llvm::Expected<llvm::SmallVector<char, 0>> object) {
      if (object) {
        objects[i] = std::move(*object);
        errors[i] = check_memory_sizes(reply_.kernels[i]);
      } else {
        errors[i] = llvm::toString(object.takeError());
      }
    };
    if (kernels.size() == 1) {
      store(0, compile_kernel(module, reply_.kernels[0], options, making.reports() ? reports.data() : nullptr));
    } else {
      const KernelParts parts(module, kernels);
      options.large_program = is_large_program(parts.instructions(), kernels.size());
      Mutex mutex;  // guards the module
      run_parallel(static_cast<unsigned>(kernels.size()), [&](unsigned i) {
        const auto compile = [&] {
          llvm::LLVMContext context;
          if (auto part = read_program(take_part(parts, i, mutex), context)) {
            store(i, compile_kernel(**part, reply_.kernels[i], options, making.reports() ? &reports[i] : nullptr));
          } else {
            errors[i] = "internal compiler error: " + llvm::toString(part.takeError());
          }
        };
        std::string fatal;
        if (!run_guarded(compile, fatal)) errors[i] = "internal compiler error: " + fatal;
        if (progress_.advanced) progress_.advanced();
      });
    }
    for (auto& loops : reports) std::move(loops.begin(), loops.end(), std::back_inserter(reply_.loops));
    if (reports_vectors(making.options)) reply_.log += abi::log_text(reply_.loops);
    return report(errors);
  }

  [[nodiscard]] std::string own_directory() const { return directory_.empty() ? compiler_directory() : directory_; }

  /// Adds one line per kernel that failed. The same error in a shared function is reported once.
  bool report(const std::vector<std::string>& errors) {
    std::vector<std::string> told;
    for (const std::string& error : errors) {
      if (error.empty() || std::find(told.begin(), told.end(), error) != told.end()) continue;
      told.push_back(error);
    }
    for (const std::string& error : told) fail(error);
    return told.empty();
  }

  void link_objects(const std::vector<llvm::SmallVector<char, 0>>& objects, Isa isa) {
    const Phase phase("link of the code object");
    std::vector<llvm::StringRef> views;
    views.reserve(objects.size());
    for (const auto& object : objects) views.emplace_back(object.data(), object.size());
    auto code_object = link_code_object(views, isa);
    if (!code_object) return fail("internal compiler error: " + llvm::toString(code_object.takeError()));
    reply_.code_object = std::move(*code_object);
  }

  void fail(std::string reason) { refuse(reply_, failure_status(request_), std::move(reason)); }

  const abi::Request& request_;
  const PipelineObserver* observer_;
  const std::string& directory_;
  const Progress& progress_;
  abi::Reply& reply_;
  llvm::LLVMContext context_;
};

}  // namespace

abi::Reply run_request(const abi::Request& request, const PipelineObserver* observer, const std::string& directory,
                       const Progress& progress) {
  abi::Reply reply;
  const Phase phase("request");
  std::string fatal;
  bool survived = true;
  const auto run = [&] { std::visit(Session(request, observer, directory, progress, reply), request); };
  run_on_large_stack([&] {
    if (progress.begins) progress.begins();
    survived = run_guarded(run, fatal);
  });
  if (!survived) {
    // The run that was abandoned may have left the reply half written, so begin a new one.
    reply = abi::Reply();
    refuse(reply, failure_status(request), "internal compiler error: " + fatal);
  }
  return reply;
}

std::string compiler_directory() {
  if (!config().compiler_dir.empty()) return config().compiler_dir;
  Dl_info self{};
  char resolved[PATH_MAX];
  const bool known =
      dladdr(reinterpret_cast<const void*>(&compiler_directory), &self) != 0 && self.dli_fname != nullptr;
  // The name of a program that was found through PATH has no directory.
  const bool found = known && realpath(self.dli_fname, resolved) != nullptr;
  if (!found && realpath("/proc/self/exe", resolved) == nullptr) return {};
  const std::string own = directory_of(resolved);
  for (const std::string& candidate : {own, own + "/../lib/lanewise"})
    if (has_library(candidate)) return candidate;
  return {};
}

}  // namespace lanewise
