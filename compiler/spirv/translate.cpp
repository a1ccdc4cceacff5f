// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `lanewise-spirv`: a SPIR-V module on standard input, canonical LLVM bitcode on standard output.
///
/// A program of its own, because the translator ends its process on most damaged input (asserts, exits); the caller
/// sees that as one more way to fail. Exit codes: 0 translated, 1 refused with a reason on standard error.
#include <LLVMSPIRVLib/LLVMSPIRVLib.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <unistd.h>

#include <memory>
#include <sstream>
#include <string>

namespace {

std::string read_all(int descriptor) {
  std::string bytes;
  char block[65536];
  for (ssize_t got = 0; (got = read(descriptor, block, sizeof block)) > 0;)
    bytes.append(block, static_cast<size_t>(got));
  return bytes;
}

int refuse(const std::string& reason) {
  llvm::errs() << "SPIR-V: " << reason << "\n";
  return 1;
}

}  // namespace

int main() {
  std::istringstream input(read_all(STDIN_FILENO));
  SPIRV::TranslatorOpts options;
  options.enableAllExtensions();
  // Built-ins come back under the names that Clang gives OpenCL C, so both languages share everything after this.
  options.setDesiredBIsRepresentation(SPIRV::BIsRepresentation::OpenCL20);
  llvm::LLVMContext context;
  llvm::Module* raw = nullptr;
  std::string reason;
  if (!llvm::readSpirv(context, options, input, raw, reason) || raw == nullptr) return refuse(reason);
  const std::unique_ptr<llvm::Module> module(raw);
  std::string broken;
  llvm::raw_string_ostream why(broken);
  if (llvm::verifyModule(*module, &why)) return refuse(broken);
  llvm::WriteBitcodeToFile(*module, llvm::outs());
  return 0;
}
