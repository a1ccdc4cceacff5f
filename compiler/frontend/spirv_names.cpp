// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/spirv_names.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanewise {
namespace {

using llvm::StringRef;

/// `_Z<length><name><types of the arguments>`.
struct Mangled {
  std::string name;
  std::string types;
  [[nodiscard]] std::string text() const { return "_Z" + std::to_string(name.size()) + name + types; }
};

std::optional<Mangled> demangled(StringRef text) {
  unsigned length = 0;
  if (!text.consume_front("_Z") || text.consumeInteger(10, length) || length > text.size()) return std::nullopt;
  return Mangled{text.take_front(length).str(), text.drop_front(length).str()};
}

/// Renames the function. If one of the new name is declared already, that is used instead.
void rename(llvm::Function& function, const std::string& name) {
  llvm::Function* known = function.getParent()->getFunction(name);
  if (known == &function) return;  // replacing its uses by itself would never end
  if (known == nullptr) return function.setName(name);
  if (known->getFunctionType() != function.getFunctionType()) return;  // the log then names the undefined function
  function.replaceAllUsesWith(known);
  function.eraseFromParent();
}

/// Turns calls with 32-bit indices into calls with indices of type size_t.
void widen_indices(llvm::Function& function, Mangled mangled) {
  llvm::Module& module = *function.getParent();
  auto* wide = llvm::Type::getInt64Ty(module.getContext());
  std::vector<llvm::Type*> types(function.arg_size(), wide);
  types.front() = function.getArg(0)->getType();
  std::replace(mangled.types.begin() + 1, mangled.types.end(), 'j', 'm');
  llvm::FunctionCallee target =
      module.getOrInsertFunction(mangled.text(), llvm::FunctionType::get(function.getReturnType(), types, false));
  auto* made = llvm::dyn_cast<llvm::Function>(target.getCallee());
  if (made == nullptr || made->getFunctionType() != target.getFunctionType()) return;
  made->setCallingConv(function.getCallingConv());
  made->setAttributes(function.getAttributes());
  for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (call == nullptr || call->getCalledFunction() != &function) continue;
    llvm::IRBuilder<> builder(call);
    std::vector<llvm::Value*> arguments{call->getArgOperand(0)};
    for (llvm::Use& index : llvm::drop_begin(call->args())) arguments.push_back(builder.CreateZExt(index, wide));
    llvm::CallInst* widened = builder.CreateCall(target, arguments);
    widened->setCallingConv(call->getCallingConv());
    widened->setAttributes(call->getAttributes());
    call->replaceAllUsesWith(widened);
    call->eraseFromParent();
  }
}

/// The mangled name of a floating-point type; empty for one that OpenCL C does not have.
std::string mangled_type(const llvm::Type& type) {
  if (type.isHalfTy()) return "Dh";
  if (type.isFloatTy()) return "f";
  return type.isDoubleTy() ? "d" : "";
}

/// The mangled name of a function of OpenCL C for operands of this type; empty if there is none.
std::string name_for(const Mangled& function, unsigned operands, llvm::Type& type) {
  const std::string element = mangled_type(*type.getScalarType());
  if (element.empty()) return {};
  Mangled mangled = function;
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  for (unsigned i = 0; i < operands; ++i) {
    if (vector == nullptr)
      mangled.types += element;
    else
      mangled.types += i == 0 ? "Dv" + std::to_string(vector->getNumElements()) + "_" + element : "S_";
  }
  return mangled.text();
}

/// OpFRem, OpFMod and OpFmaKHR become instructions for which LLVM would call libm (the last one on some processors).
void call_library(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    const bool fused = intrinsic != nullptr && intrinsic->getIntrinsicID() == llvm::Intrinsic::fma;
    if (!fused && instruction.getOpcode() != llvm::Instruction::FRem) continue;
    llvm::Type* type = instruction.getType();
    std::vector<llvm::Value*> operands{instruction.getOperand(0), instruction.getOperand(1)};
    if (fused) operands.push_back(instruction.getOperand(2));
    const auto count = static_cast<unsigned>(operands.size());
    const std::string name = name_for({.name = fused ? "fma" : "fmod", .types = {}}, count, *type);
    if (name.empty()) continue;
    llvm::IRBuilder<> builder(&instruction);
    const std::vector<llvm::Type*> types(count, type);
    const auto callee = function.getParent()->getOrInsertFunction(name, llvm::FunctionType::get(type, types, false));
    llvm::CallInst* call = builder.CreateCall(callee, operands);
    call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    if (auto* declared = llvm::dyn_cast<llvm::Function>(call->getCalledOperand()))
      declared->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    call->copyFastMathFlags(&instruction);
    instruction.replaceAllUsesWith(call);
    instruction.eraseFromParent();
  }
}

/// printf with a format in other memory than constant memory. What is printed is known when it is called.
void call_printf(llvm::Function& function) {
  llvm::Module& module = *function.getParent();
  constexpr unsigned kConstant = 2;
  auto* format = llvm::PointerType::get(module.getContext(), kConstant);
  const auto target =
      module.getOrInsertFunction("printf", llvm::FunctionType::get(function.getReturnType(), {format}, true));
  for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (call == nullptr || call->getCalledFunction() != &function) continue;
    llvm::IRBuilder<> builder(call);
    std::vector<llvm::Value*> arguments(call->args().begin(), call->args().end());
    arguments.front() = builder.CreatePointerBitCastOrAddrSpaceCast(arguments.front(), format);
    llvm::CallInst* made = builder.CreateCall(target, arguments);
    made->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    call->replaceAllUsesWith(made);
    call->eraseFromParent();
  }
}

void adopt_group_function(llvm::Function& function, Mangled mangled) {
  constexpr StringRef kBitwise = "bitwise_";
  if (const std::size_t at = mangled.name.find(kBitwise); at != std::string::npos) {
    mangled.name.erase(at, kBitwise.size());
    rename(function, mangled.text());
  } else if (mangled.name == "work_group_broadcast" && mangled.types.size() == function.arg_size() &&
             mangled.types.ends_with('j') && mangled.types.size() > 1) {
    widen_indices(function, std::move(mangled));
  }
}

/// Replaces `from` in the types of the arguments, if it is there.
bool replace(Mangled& mangled, StringRef from, StringRef to) {
  const std::size_t at = mangled.types.find(from);
  if (at != std::string::npos) mangled.types.replace(at, from.size(), to);
  return at != std::string::npos;
}

void adopt(llvm::Function& function, Mangled mangled) {
  const StringRef name = mangled.name;
  if (name == "__spirv_ocl_printf" && function.arg_size() != 0 && function.getArg(0)->getType()->isPointerTy()) {
    call_printf(function);
  } else if (name == "get_fence" && function.arg_size() == 1) {
    // The translator mangles the pointee type, the library has `void`.
    rename(function, Mangled{mangled.name, "PU3AS4Kv"}.text());
  } else if (name == "atomic_store" || name == "atomic_store_explicit") {
    // Clang declares stores of half with a value of the atomic type.
    if (replace(mangled, "VU7_AtomicDhDh", "VU7_AtomicDhS_")) rename(function, mangled.text());
  } else if (name.starts_with("intel_convert_as_bfloat16") && mangled.types.ends_with('s')) {
    // The translator has signed integers, the library the unsigned ones of cl_intel_bfloat16_conversions.
    mangled.types.back() = 't';
    rename(function, mangled.text());
  } else if (name == "write_imageui") {
    // With a level the translator has an unsigned level and signed components.
    if (replace(mangled, "jDv4_i", "iDv4_j") || replace(mangled, "jS0_", "iDv4_j")) rename(function, mangled.text());
  } else if (name.starts_with("work_group_")) {
    adopt_group_function(function, mangled);
  }
}

}  // namespace

void adopt_library_names(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) call_library(function);
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration()) continue;
    if (auto mangled = demangled(function.getName())) adopt(function, std::move(*mangled));
  }
}

}  // namespace lanewise
