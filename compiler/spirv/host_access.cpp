// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/host_access.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include <map>

namespace lanewise::spirv {

namespace {

constexpr std::uint32_t kHostAccess = 6188;  // decorations
constexpr std::uint32_t kLinkage = 41;

bool decorates(View i, std::uint32_t decoration, std::size_t words) {
  return opcode(i) == op_decorate && i.size() >= words && i[2] == decoration;
}

/// An OpName.
Words name_of(std::uint32_t id, const std::string& text) {
  Words made = text_instruction(op_name, text);
  made.insert(made.begin() + 1, id);
  return resized(std::move(made));
}

}  // namespace

std::vector<HostVariable> name_host_variables(Words& words) {
  std::map<std::uint32_t, HostVariable> found;
  std::map<std::uint32_t, std::string> exported;
  for_each_instruction(words, [&](View i, bool whole) {
    if (!whole) return;
    if (decorates(i, kHostAccess, 5))
      found[i[1]] = {"lanewise.host." + std::to_string(i[1]), std::string(text_at(i, 4)), i[3]};
    if (decorates(i, kLinkage, 5)) exported[i[1]] = text_at(i, 3);
  });
  if (found.empty()) return {};
  Words made(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(kHeaderWords));
  bool named = false;
  for_each_instruction(words, [&](View i, bool whole) {
    if (whole && !named && opcode(i) >= op_decorate && opcode(i) <= op_group_member_decorate) {
      for (const auto& [id, variable] : found)
        if (!exported.contains(id)) append(made, name_of(id, variable.symbol));
      named = true;
    }
    const bool old_name = whole && opcode(i) == op_name && i.size() > 1 && found.contains(i[1]);
    if (!old_name) append(made, i);
  });
  words = std::move(made);
  std::vector<HostVariable> variables;
  for (auto& [id, variable] : found) {
    if (const auto link = exported.find(id); link != exported.end()) variable.symbol = link->second;
    variables.push_back(std::move(variable));
  }
  return variables;
}

void mark_host_variables(llvm::Module& module, const std::vector<HostVariable>& variables) {
  llvm::LLVMContext& context = module.getContext();
  const auto number = [&](std::uint32_t value) {
    return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value));
  };
  for (const HostVariable& variable : variables) {
    llvm::GlobalVariable* global = module.getNamedGlobal(variable.symbol);
    if (global == nullptr) continue;
    auto* access = llvm::MDNode::get(
        context, {number(kHostAccess), number(variable.mode), llvm::MDString::get(context, variable.name)});
    global->setMetadata("spirv.Decorations", llvm::MDNode::get(context, {access}));
  }
}

}  // namespace lanewise::spirv
