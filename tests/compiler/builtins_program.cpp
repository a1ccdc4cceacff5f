// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/compiler/builtins_program.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>

#include <cstdlib>

#include "compiler/base/analyses.h"
#include "compiler/builtins/other_forms.h"
#include "compiler/target/half.h"
#include "compiler/target/machine_operations.h"

namespace lanewise::test {

namespace {

std::string clang_program() {
  if (const char* given = std::getenv("LANEWISE_CLANG")) return given;
  for (const char* name : {"clang-22", "clang"})
    if (auto path = llvm::sys::findProgramByName(name)) return *path;
  if (auto path = llvm::sys::findProgramByName("clang", {"/usr/lib/llvm-22/bin"})) return *path;
  return {};
}

class TemporaryFile {
 public:
  explicit TemporaryFile(const char* suffix) { (void)llvm::sys::fs::createTemporaryFile("lanewise", suffix, path_); }
  ~TemporaryFile() { (void)llvm::sys::fs::remove(path_); }
  [[nodiscard]] std::string path() const { return path_.str().str(); }
  [[nodiscard]] std::string text() const {
    auto file = llvm::MemoryBuffer::getFile(path_);
    return file ? (*file)->getBuffer().str() : std::string();
  }

 private:
  llvm::SmallString<128> path_;
};

void retarget(llvm::Module& module, const llvm::DataLayout& layout, const llvm::Triple& triple, unsigned level,
              const std::string& features) {
  module.setTargetTriple(triple);
  module.setDataLayout(layout);
  for (auto& f : module) {
    f.setCallingConv(llvm::CallingConv::C);
    if (!f.isDeclaration()) f.addFnAttr("target-cpu", "x86-64-v" + std::to_string(level));
    if (!f.isDeclaration() && !features.empty()) f.addFnAttr("target-features", features);
    for (auto& i : llvm::instructions(f))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&i)) call->setCallingConv(llvm::CallingConv::C);
  }
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine) {
  Analyses analyses(&machine);
  analyses.builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, analyses.modules);
}

}  // namespace

std::string builtins_directory() {
  if (const char* given = std::getenv("LANEWISE_COMPILER_DIR")) return given;
  llvm::SmallString<256> path(llvm::sys::fs::getMainExecutable(nullptr, nullptr));
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "..", "lib", "lanewise");
  return path.str().str();
}

unsigned host_level() {
  const auto features = llvm::sys::getHostCPUFeatures();
  if (features.lookup("avx512f") && features.lookup("avx512vl") && features.lookup("avx512bw")) return 4;
  return features.lookup("avx2") && features.lookup("fma") ? 3 : 2;
}

std::string run_clang(const std::string& source, const std::vector<std::string>& arguments) {
  const TemporaryFile input("cl"), output("out"), log("log");
  {
    std::error_code error;
    llvm::raw_fd_ostream out(input.path(), error);
    out << source;
  }
  const auto program = clang_program();
  std::vector<std::string> all = {program, "-x", "cl", "-target", "spir64", "-o", output.path(), input.path()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const std::vector<llvm::StringRef> references(all.begin(), all.end());
  const std::string log_path = log.path();
  const std::optional<llvm::StringRef> redirects[] = {std::nullopt, llvm::StringRef(log_path),
                                                      llvm::StringRef(log_path)};
  const int status = llvm::sys::ExecuteAndWait(program, references, std::nullopt, redirects);
  EXPECT_EQ(status, 0) << program << ": " << log.text().substr(0, 4000);
  return status == 0 ? output.text() : std::string();
}

std::unique_ptr<llvm::Module> compile(const std::string& source, llvm::LLVMContext& context,
                                      const std::string& standard) {
  const auto bitcode = run_clang(
      source, {"-cl-std=" + standard, "-O1", "-Xclang", "-disable-llvm-passes", "-c", "-emit-llvm", "-Wno-everything"});
  if (bitcode.empty()) return nullptr;
  auto module = llvm::parseBitcodeFile({bitcode, "program"}, context);
  EXPECT_TRUE(static_cast<bool>(module));
  if (!module) {
    llvm::consumeError(module.takeError());
    return nullptr;
  }
  return std::move(*module);
}

BuiltinProgram::BuiltinProgram(const std::string& source, unsigned level, const std::string& features) {
  const char* tier = std::getenv("LANEWISE_TIER");
  if (tier != nullptr && std::string_view(tier) == "2" && features.empty())
    hot_ = std::make_unique<HotProgram>(source, Isa::from_numbers(level, 0).value());
  else
    build(source, level, features);
}

BuiltinProgram::~BuiltinProgram() = default;

void BuiltinProgram::build(const std::string& source, unsigned level, const std::string& features) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = compile(source, *context);
  if (!module) return;
  const Isa isa = Isa::from_numbers(level, 0).value();
  auto library = BuiltinLibrary::open(builtins_directory(), isa);
  ASSERT_TRUE(static_cast<bool>(library)) << llvm::toString(library.takeError());
  builtins::call_relaxed_forms(*module, [&](llvm::StringRef name) { return (*library)->defines(name); });
  auto missing = (*library)->link_into(*module);
  ASSERT_TRUE(static_cast<bool>(missing)) << llvm::toString(missing.takeError());
  EXPECT_TRUE(missing->empty()) << missing->front();

  auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
  ASSERT_TRUE(static_cast<bool>(host));
  host->setCPU("x86-64-v" + std::to_string(level));
  host->getFeatures() = llvm::SubtargetFeatures(features);
  auto machine = host->createTargetMachine();
  ASSERT_TRUE(static_cast<bool>(machine));
  retarget(*module, (*machine)->createDataLayout(), (*machine)->getTargetTriple(), level, features);
  lower_machine_operations(*module, isa.architecture(), **machine);
  std::string text;
  llvm::raw_string_ostream out(text);
  ASSERT_FALSE(llvm::verifyModule(*module, &out)) << text;
  optimise(*module, **machine);
  lower_half(*module, isa);

  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*host))
                 .setLinkProcessSymbolsByDefault(false)
                 .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                 .create();
  ASSERT_TRUE(static_cast<bool>(jit)) << llvm::toString(jit.takeError());
  jit_ = std::move(*jit);
  auto error = jit_->addIRModule({std::move(module), std::move(context)});
  ASSERT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
}

void* BuiltinProgram::address(const char* name) {
  if (!jit_) return nullptr;
  auto symbol = jit_->lookup(name);
  if (!symbol) {
    ADD_FAILURE() << name << ": " << llvm::toString(symbol.takeError());
    return nullptr;
  }
  return symbol->toPtr<void*>();
}

}  // namespace lanewise::test
