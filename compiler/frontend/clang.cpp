// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/clang.h"

#include <CL/cl.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/Stack.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <utility>

#include "compiler/frontend/constant_divisions.h"
#include "compiler/frontend/cxx_programs.h"
#include "compiler/frontend/embedded.h"
#include "compiler/frontend/extension_pragmas.h"
#include "compiler/frontend/handle_comparisons.h"
#include "compiler/frontend/inline_definitions.h"
#include "compiler/frontend/null_queues.h"
#include "compiler/frontend/options.h"
#include "compiler/frontend/size_limits.h"
#include "compiler/frontend/source_files.h"

namespace lanewise {
namespace {

using llvm::MemoryBuffer;
using llvm::StringRef;
using llvm::vfs::InMemoryFileSystem;

constexpr const char* kVirtualRoot = "/lanewise/";

/// The program's files on top of those on disk. A file in memory hides one on disk.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> file_system(const std::vector<abi::NamedText>& headers,
                                                            const std::string& source,
                                                            llvm::IntrusiveRefCntPtr<SourceFiles> disk) {
  auto memory = llvm::makeIntrusiveRefCnt<InMemoryFileSystem>();
  const auto add = [&](const std::string& path, StringRef text) {
    memory->addFile(path, 0, MemoryBuffer::getMemBuffer(text, path, /*RequiresNullTerminator=*/true));
  };
  const std::string program = std::string(kProgramDirectory) + "/";
  add(program + kSourceName, source);
  add(kBaseHeader, embedded_base_header());
  for (const abi::NamedText& header : headers)
    add(header.name.starts_with('/') ? header.name : program + header.name, header.text);
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(std::move(disk));
  overlay->pushOverlay(std::move(memory));
  return overlay;
}

/// Cuts the source at its first NUL, where Clang and OpenCL programs end: text after it is not part of the program.
std::string terminated(const std::string& source) {
  return source.substr(0, source.find('\0'));
}

/// An explanation to add to "file not found".
std::string refused_files(const SourceFiles& files) {
  std::string text;
  for (const std::string& path : files.refused())
    text += "note: '" + path + "' is not a regular file; it is not included\n";
  return text;
}

/// Makes IR of each declaration after it has been mended.
class EmitMended final : public clang::EmitLLVMOnlyAction {
 public:
  /// @param extensions  of the device; outlives the action
  EmitMended(llvm::LLVMContext& context, const std::vector<std::string>& extensions)
      : EmitLLVMOnlyAction(&context), extensions_(extensions) {}

  /// What was emitted, in its final form as far as declarations decide about it.
  std::unique_ptr<llvm::Module> take_mended() {
    std::unique_ptr<llvm::Module> module = takeModule();
    if (module) finish_inline_definitions(*module, inline_definitions_);
    return module;
  }

 private:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, StringRef file) override {
    compiler.getPreprocessor().addPPCallbacks(accept_extension_pragmas(extensions_, compiler.getDiagnostics()));
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(mend_null_queues());
    consumers.push_back(mend_constant_divisions());
    consumers.push_back(keep_inline_definitions(inline_definitions_));
    consumers.push_back(EmitLLVMOnlyAction::CreateASTConsumer(compiler, file));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

  const std::vector<std::string>& extensions_;
  InlineDefinitions inline_definitions_;
};

/// Finishes what Clang leaves invalid; therefore it does not verify the module itself.
bool complete(llvm::Module& module, const clang::LangOptions& language, llvm::raw_ostream& log) {
  if (language.OpenCLCPlusPlus) complete_destructors(module);
  complete_handle_comparisons(module);
  if (const std::string faults = check_argument_sizes(module); !faults.empty()) {
    log << faults;
    return false;
  }
  if (!llvm::verifyModule(module)) return true;
  log << "internal compiler error: the program's IR is not valid\n";
  return false;
}

bool make_invocation(const std::vector<std::string>& arguments, clang::DiagnosticsEngine& diagnostics,
                     clang::CompilerInvocation& invocation) {
  std::vector<const char*> pointers;
  pointers.reserve(arguments.size());
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
  if (!clang::CompilerInvocation::CreateFromArgs(invocation, pointers, diagnostics)) return false;
  invocation.getDiagnosticOpts().ShowCarets = true;
  invocation.getDiagnosticOpts().ShowColors = false;
  return true;
}

}  // namespace

SourceResult compile_source(const SourceJob& job, llvm::LLVMContext& context) {
  SourceResult result;
  const int failure = job.builds ? CL_BUILD_PROGRAM_FAILURE : CL_COMPILE_PROGRAM_FAILURE;
  auto arguments = cc1_arguments(job);
  if (!arguments) {
    result.status = arguments.error().code;
    result.log = "error: " + arguments.error().message + "\n";
    return result;
  }
  clang::noteBottomOfStack();  // deep nesting continues on a new stack instead of running over this one
  llvm::raw_string_ostream log(result.log);
  const std::string source = terminated(job.source.text);

  auto invocation = std::make_shared<clang::CompilerInvocation>();
  clang::TextDiagnosticPrinter printer(log, invocation->getDiagnosticOpts());
  clang::DiagnosticsEngine early(clang::DiagnosticIDs::create(), invocation->getDiagnosticOpts(), &printer,
                                 /*ShouldOwnClient=*/false);
  if (!make_invocation(arguments.value(), early, *invocation)) {
    result.status = failure;
    return result;
  }
  clang::CompilerInstance compiler(std::move(invocation));
  const auto disk = llvm::makeIntrusiveRefCnt<SourceFiles>(kVirtualRoot);
  compiler.setVirtualFileSystem(file_system(job.source.headers, source, disk));
  clang::TextDiagnosticPrinter messages(log, compiler.getDiagnosticOpts());
  compiler.createDiagnostics(&messages, /*ShouldOwnClient=*/false);
  compiler.setVerboseOutputStream(log);  // "2 errors generated." belongs to the log as well
  compiler.createFileManager();
  EmitMended action(context, job.source.extensions);
  const bool good = compiler.ExecuteAction(action) && !compiler.getDiagnostics().hasErrorOccurred();
  result.dependencies = disk->dependencies();
  if (good) result.module = action.take_mended();
  if (result.module && !complete(*result.module, compiler.getLangOpts(), log)) result.module.reset();
  if (!result.module) {
    result.status = failure;
    log << refused_files(*disk);
  }
  return result;
}

}  // namespace lanewise
