// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/builtins/library.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "compiler/builtins/lane_functions.h"
#include "compiler/builtins/machine_operations.h"
#include "compiler/builtins/retype.h"
#include "include/lanewise/builtin_library.h"
#include "src/base/mutex.h"

namespace lanewise {

namespace {

llvm::Error failure(const llvm::Twine& message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

bool within(std::uint64_t offset, std::uint64_t size, std::uint64_t limit) {
  return offset <= limit && size <= limit - offset;
}

/// Functions that are declared and called, and that are not LLVM's own.
std::vector<llvm::Function*> undefined(llvm::Module& module) {
  std::vector<llvm::Function*> out;
  for (auto& f : module)
    if (f.isDeclaration() && !f.isIntrinsic() && !f.use_empty()) out.push_back(&f);
  return out;
}

/// Functions with different target attributes are not inlined into each other, so the library's get the program's.
const llvm::Function* attribute_model(const llvm::Module& module) {
  for (const auto& f : module)
    if (!f.isDeclaration() && f.hasFnAttribute("target-cpu")) return &f;
  return nullptr;
}

/// Turns a linked function into a private part of the program.
void adopt(llvm::Function& f, const llvm::Function* model) {
  f.setLinkage(llvm::GlobalValue::InternalLinkage);
  f.setDoesNotThrow();
  f.setCallingConv(llvm::CallingConv::C);
  for (auto* user : f.users())
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(user); call && call->getCalledOperand() == &f)
      call->setCallingConv(llvm::CallingConv::C);
  if (!model) return;
  for (const char* key : {"target-cpu", "target-features", "tune-cpu"})
    if (model->hasFnAttribute(key)) f.addFnAttr(model->getFnAttribute(key));
  if (model->hasFnAttribute(llvm::Attribute::VScaleRange))
    f.addFnAttr(model->getFnAttribute(llvm::Attribute::VScaleRange));
}

}  // namespace

llvm::Expected<std::shared_ptr<const BuiltinLibrary>> BuiltinLibrary::open(const std::string& directory, Isa isa) {
  struct Opened {
    Mutex mutex;
    std::map<std::pair<std::string, unsigned>, std::shared_ptr<const BuiltinLibrary>> by_level GUARDED_BY(mutex);
  };
  static Opened& opened = *new Opened;  // outlives every thread
  llvm::SmallString<256> path(directory);
  llvm::sys::path::append(path, builtin_library(isa.architecture()));
  const std::pair key(path.str().str(), isa.number());
  {
    const MutexLock lock(opened.mutex);
    if (const auto found = opened.by_level.find(key); found != opened.by_level.end()) return found->second;
  }
  // Read without the mutex: a crash on a damaged file must not leave it locked.
  auto library = map(key.first, isa);
  if (!library) return library.takeError();
  const MutexLock lock(opened.mutex);
  return opened.by_level.emplace(key, *library).first->second;
}

llvm::Expected<std::shared_ptr<const BuiltinLibrary>> BuiltinLibrary::map(const std::string& path, Isa isa) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file) return failure("built-in library " + path + ": " + file.getError().message());
  const auto bytes = (*file)->getBuffer();
  shards::Header header;
  if (bytes.size() < sizeof header) return failure("built-in library " + path + ": too short");
  std::memcpy(&header, bytes.data(), sizeof header);
  const auto size = bytes.size();
  const auto* const level =
      std::find_if(std::begin(header.levels), std::end(header.levels),
                   [isa](const shards::LevelTables& each) { return each.number == isa.number(); });
  const bool good = header.magic == shards::kMagic && header.version == shards::kVersion && header.file_size == size &&
                    level != std::end(header.levels) && level->symbols % alignof(shards::SymbolEntry) == 0 &&
                    level->shards % alignof(shards::ShardEntry) == 0 &&
                    within(level->symbols, level->symbol_count * sizeof(shards::SymbolEntry), size) &&
                    within(level->shards, level->shard_count * sizeof(shards::ShardEntry), size) &&
                    within(level->names, level->names_size, size);
  if (!good) return failure("built-in library " + path + ": not a library of this version, or without this level");
  std::shared_ptr<BuiltinLibrary> library(new BuiltinLibrary);
  // The buffer is mapped or allocated by LLVM, aligned to more than 8 bytes.
  library->symbols_ = {reinterpret_cast<const shards::SymbolEntry*>(bytes.data() + level->symbols),
                       level->symbol_count};
  library->shards_ = {reinterpret_cast<const shards::ShardEntry*>(bytes.data() + level->shards), level->shard_count};
  library->names_ = bytes.substr(level->names, level->names_size);
  library->file_ = std::move(*file);
  return library;
}

llvm::StringRef BuiltinLibrary::symbol(std::size_t index) const {
  const auto& entry = symbols_[index];
  return within(entry.name, entry.size, names_.size()) ? names_.substr(entry.name, entry.size) : llvm::StringRef();
}

llvm::StringRef BuiltinLibrary::shard(std::size_t index) const {
  const auto& entry = shards_[index];
  const auto bytes = file_->getBuffer();
  return within(entry.offset, entry.size, bytes.size()) ? bytes.substr(entry.offset, entry.size) : llvm::StringRef();
}

int BuiltinLibrary::shard_of(llvm::StringRef name) const {
  std::size_t low = 0, high = symbols_.size();
  while (low < high) {
    const auto middle = (low + high) / 2;
    if (symbol(middle) < name)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == symbols_.size() || symbol(low) != name || symbols_[low].shard >= shards_.size()) return -1;
  return static_cast<int>(symbols_[low].shard);
}

bool BuiltinLibrary::defines(llvm::StringRef name) const {
  return shard_of(name) >= 0;
}

std::vector<std::string> BuiltinLibrary::symbols() const {
  std::vector<std::string> out;
  out.reserve(symbols_.size());
  for (std::size_t i = 0; i < symbols_.size(); ++i) out.push_back(symbol(i).str());
  return out;
}

llvm::Expected<std::vector<std::string>> BuiltinLibrary::link_into(llvm::Module& module) const {
  llvm::StringSet<> own, tried;
  for (const auto& f : module)
    if (!f.isDeclaration()) own.insert(f.getName());
  const auto* model = attribute_model(module);
  const bool spir = module.getTargetTriple().isSPIROrSPIRV();
  llvm::Linker linker(module);
  for (;;) {
    std::map<int, bool> needed;  // ordered, so that the result does not depend on addresses
    for (auto* f : undefined(module))
      if (tried.insert(f->getName()).second)
        if (const int number = shard_of(f->getName()); number >= 0) needed[number] = true;
    if (needed.empty()) break;
    for (const auto& [number, unused] : needed) {
      const llvm::MemoryBufferRef bitcode(shard(static_cast<std::size_t>(number)), "built-ins");
      auto source = llvm::getLazyBitcodeModule(bitcode, module.getContext());
      if (!source) return source.takeError();
      (*source)->setTargetTriple(module.getTargetTriple());
      (*source)->setDataLayout(module.getDataLayout());
      if (!spir)
        if (auto error = builtins::opaque_types_to_pointers(**source)) return error;
      if (linker.linkInModule(std::move(*source), llvm::Linker::LinkOnlyNeeded))
        return failure("built-in library: a shard cannot be linked");
    }
  }
  for (auto& f : module)
    if (!f.isDeclaration() && !own.contains(f.getName())) adopt(f, model);
  std::vector<std::string> missing;
  for (auto* f : undefined(module))
    if (!is_machine_operation(*f) && !is_lane_function(*f)) missing.push_back(f->getName().str());
  std::sort(missing.begin(), missing.end());
  return missing;
}

}  // namespace lanewise
