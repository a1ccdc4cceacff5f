// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels-builtin/tools/shards.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <algorithm>

namespace lanewise::shards {

namespace {

using Globals = llvm::SetVector<const llvm::GlobalValue*>;

void collect(const llvm::Value* value, Globals& found) {
  if (const auto* global = llvm::dyn_cast<llvm::GlobalValue>(value))
    found.insert(global);
  else if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value))
    for (const auto& operand : constant->operands()) collect(operand, found);
}

/// Whether the body (or initialiser) of `global` is copied to the shard.
bool copied(const llvm::GlobalValue* global, const Globals& own) {
  return own.contains(global) || (global->hasLocalLinkage() && !global->isDeclaration());
}

/// Everything that the functions reach through copied bodies, in a fixed order.
Globals reachable(const Globals& own) {
  Globals found = own;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto* global = found[i];
    if (!copied(global, own)) continue;
    if (const auto* f = llvm::dyn_cast<llvm::Function>(global)) {
      for (const auto& instruction : llvm::instructions(f))
        for (const auto& operand : instruction.operands()) collect(operand, found);
    } else if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(global)) {
      collect(variable->getInitializer(), found);
    }
  }
  return found;
}

/// The fundamental types of a mangled parameter list, each once, in order: "Dv4_fS_PU3AS1i" -> "fi".
std::string element_types(llvm::StringRef parameters) {
  std::string out;
  while (!parameters.empty()) {
    unsigned number = 0;
    if (parameters.consume_front("Dv")) {
      parameters.consumeInteger(10, number);
      parameters.consume_front("_");
    } else if (parameters.consume_front("U")) {  // a qualifier, as U3AS1
      parameters.consumeInteger(10, number);
      parameters = parameters.drop_front(std::min<std::size_t>(number, parameters.size()));
    } else if (parameters.starts_with("S")) {  // a type that was written before
      parameters = parameters.drop_front(std::min(parameters.find('_'), parameters.size() - 1) + 1);
    } else {
      const char letter = parameters.front();
      if (!llvm::StringRef("PKVr").contains(letter) && !llvm::StringRef(out).contains(letter)) out += letter;
      parameters = parameters.drop_front();
    }
  }
  return out;
}

std::string family(llvm::StringRef name) {
  auto rest = name;
  unsigned length = 0;
  if (!rest.consume_front("_Z") || rest.consumeInteger(10, length) || length > rest.size()) return name.str();
  std::string base = rest.take_front(length).str();
  if (llvm::StringRef(base).starts_with("convert_")) std::erase_if(base, llvm::isDigit);  // the width of the result
  return base + "." + element_types(rest.drop_front(length));
}

}  // namespace

std::map<std::string, std::vector<llvm::Function*>> families(llvm::Module& module) {
  std::map<std::string, std::vector<llvm::Function*>> out;
  for (auto& f : module)
    if (!f.isDeclaration() && !f.hasLocalLinkage()) out[family(f.getName())].push_back(&f);
  return out;
}

std::unique_ptr<llvm::Module> cut(const llvm::Module& module, llvm::ArrayRef<llvm::Function*> functions) {
  auto shard = std::make_unique<llvm::Module>("built-ins", module.getContext());
  shard->setTargetTriple(module.getTargetTriple());
  shard->setDataLayout(module.getDataLayout());
  Globals own;
  for (const auto* f : functions) own.insert(f);
  const auto all = reachable(own);
  llvm::ValueToValueMapTy map;
  for (const auto* global : all) {
    const bool local = global->hasLocalLinkage();
    const auto linkage = local ? llvm::GlobalValue::InternalLinkage : llvm::GlobalValue::ExternalLinkage;
    if (const auto* f = llvm::dyn_cast<llvm::Function>(global)) {
      auto* twin = llvm::Function::Create(f->getFunctionType(), linkage, f->getAddressSpace(), f->getName(), &*shard);
      twin->copyAttributesFrom(f);
      map[f] = twin;
    } else if (const auto* v = llvm::dyn_cast<llvm::GlobalVariable>(global)) {
      auto* twin = new llvm::GlobalVariable(*shard, v->getValueType(), v->isConstant(), linkage, nullptr, v->getName(),
                                            nullptr, v->getThreadLocalMode(), v->getAddressSpace());
      twin->copyAttributesFrom(v);
      map[v] = twin;
    }
  }
  for (const auto* global : all) {
    if (!copied(global, own)) continue;
    if (const auto* f = llvm::dyn_cast<llvm::Function>(global)) {
      auto* twin = llvm::cast<llvm::Function>(map[f]);
      auto to = twin->arg_begin();
      for (const auto& from : f->args()) map[&from] = &*to++;
      llvm::SmallVector<llvm::ReturnInst*, 8> returns;
      llvm::CloneFunctionInto(twin, f, map, llvm::CloneFunctionChangeType::DifferentModule, returns);
    } else if (const auto* v = llvm::dyn_cast<llvm::GlobalVariable>(global)) {
      llvm::cast<llvm::GlobalVariable>(map[v])->setInitializer(llvm::MapValue(v->getInitializer(), map));
    }
  }
  // Cloning leaves an empty list of compile units, which readers report as an error.
  while (!shard->named_metadata_empty()) shard->eraseNamedMetadata(&*shard->named_metadata_begin());
  return shard;
}

std::string bitcode(const llvm::Module& module) {
  llvm::SmallVector<char, 0> buffer;
  llvm::BitcodeWriter writer(buffer);
  writer.writeModule(module);
  writer.writeStrtab();
  return {buffer.data(), buffer.size()};
}

}  // namespace lanewise::shards
