// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/size_limits.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <string>

#include "compiler/base/address_spaces.h"

namespace lanewise {
namespace {

/// The lines of the build log.
class Faults {
 public:
  void check(const std::string& what, std::uint64_t bytes, std::uint64_t limit) {
    if (bytes <= limit) return;
    const std::string line =
        "error: " + what + " takes " + std::to_string(bytes) + " bytes; the limit is " + std::to_string(limit) + "\n";
    // Clang makes two functions of a kernel, which would both be reported.
    if (text_.find(line) == std::string::npos) text_ += line;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string named(const char* what, const llvm::Value& value) {
  return value.hasName() ? std::string(what) + " '" + value.getName().str() + "'" : std::string("a ") + what;
}

void check_arguments(const llvm::Function& function, Faults& faults) {
  if (function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL) return;
  for (const llvm::Argument& argument : function.args()) {
    llvm::Type* type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
    if (!type->isSized()) continue;
    const auto bytes = function.getDataLayout().getTypeAllocSize(type);
    faults.check(named("kernel argument", argument), bytes.getKnownMinValue(), abi::kLargestArguments);
  }
}

void check_function(const llvm::Function& function, Faults& faults) {
  check_arguments(function, faults);
  const llvm::DataLayout& layout = function.getDataLayout();
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable == nullptr) continue;
    const auto bytes = variable->getAllocationSize(layout);
    if (bytes && bytes->isFixed())
      faults.check(named("private variable", *variable), bytes->getFixedValue(), abi::kLargestKernelMemory);
  }
}

}  // namespace

std::string check_argument_sizes(const llvm::Module& module) {
  Faults faults;
  for (const llvm::Function& function : module) check_arguments(function, faults);
  return faults.text();
}

std::string check_variable_sizes(const llvm::Module& module) {
  Faults faults;
  for (const llvm::Function& function : module) check_function(function, faults);
  std::uint64_t constants = 0;
  std::uint64_t globals = 0;
  for (const llvm::GlobalVariable& variable : module.globals()) {
    const std::uint64_t bytes = module.getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue();
    if (variable.getAddressSpace() == local_space)
      faults.check(named("local variable", variable), bytes, abi::kLargestKernelMemory);
    if (variable.getAddressSpace() == global_space) {
      faults.check(named("program variable", variable), bytes, abi::kLargestKernelMemory);
      globals = llvm::SaturatingAdd(globals, bytes);
    }
    if (variable.getAddressSpace() == constant_space) constants = llvm::SaturatingAdd(constants, bytes);
  }
  faults.check("the constant memory of the program", constants, kLargestConstants);
  faults.check("the global memory of the program", globals, abi::kLargestKernelMemory);
  return faults.text();
}

std::string check_memory_sizes(const abi::KernelInfo& kernel) {
  Faults faults;
  faults.check("the private memory of kernel '" + kernel.name + "'",
               std::max({kernel.private_bytes, kernel.item_bytes, kernel.group_bytes}), abi::kLargestKernelMemory);
  faults.check("the local memory of kernel '" + kernel.name + "'", kernel.local_bytes, abi::kLargestKernelMemory);
  faults.check("the arguments of kernel '" + kernel.name + "'", kernel.args_bytes, abi::kLargestArguments);
  return faults.text();
}

}  // namespace lanewise
