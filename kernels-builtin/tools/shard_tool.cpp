// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Makes the built-in library: bitcode of our sources in, a file for each architecture out, with the
/// shards of its ISA levels.
///
/// usage: lanewise_shard_tool OUTPUT_DIRECTORY SOURCE.bc...
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "compiler/builtins/shard_format.h"
#include "include/lanewise/builtin_library.h"
#include "kernels-builtin/tools/levels.h"
#include "kernels-builtin/tools/shards.h"
#include "src/base/isa.h"

namespace lanewise::shards {

namespace {

[[noreturn]] void fail(const llvm::Twine& message) {
  llvm::errs() << "shard_tool: " << message << "\n";
  std::exit(1);
}

std::unique_ptr<llvm::Module> load(const std::string& path, llvm::LLVMContext& context) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseIRFile(path, diagnostic, context);
  if (!module) fail(path + ": " + diagnostic.getMessage());
  return module;
}

void verify(const llvm::Module& module, const llvm::Twine& what) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (llvm::verifyModule(module, &out)) fail(what + ": " + text);
}

/// What follows the header. Equal pieces are kept once.
class Body {
 public:
  /// Where the piece is in the file, a multiple of eight.
  std::uint64_t place(const std::string& piece) {
    const auto [found, is_new] = places_.try_emplace(piece, sizeof(Header) + bytes_.size());
    if (is_new) {
      bytes_ += piece;
      bytes_.resize((bytes_.size() + 7) & ~std::size_t{7});
    }
    return found->second;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::map<std::string, std::uint64_t> places_;
};

template <typename T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Puts the shards and tables of one level into the body.
LevelTables place(const std::map<std::string, std::vector<llvm::Function*>>& families, const llvm::Module& module,
                  Isa isa, Body& body) {
  std::map<std::string, std::uint32_t> symbols;
  std::string names, entries, table;
  LevelTables level;
  level.number = isa.number();
  for (const auto& [family, functions] : families) {
    for (const auto* f : functions) symbols[f->getName().str()] = level.shard_count;
    const std::string shard = bitcode(*cut(module, functions));
    append(table, ShardEntry{body.place(shard), shard.size()});
    ++level.shard_count;
  }
  for (const auto& [name, shard] : symbols) {
    append(entries,
           SymbolEntry{static_cast<std::uint32_t>(names.size()), static_cast<std::uint32_t>(name.size()), shard});
    names += name;
  }
  level.symbol_count = static_cast<std::uint32_t>(symbols.size());
  level.symbols = body.place(entries);
  level.shards = body.place(table);
  level.names = body.place(names);
  level.names_size = names.size();
  return level;
}

/// Writes a new file: a running compiler may have the old one mapped, which it keeps.
void write(const std::string& path, const std::string& bytes) {
  if (const std::error_code kept = llvm::sys::fs::remove(path)) fail(path + ": " + kept.message());
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (error) fail(path + ": " + error.message());
  out << bytes;
}

constexpr IsaLevel kAllLevels[] = {
#define LANEWISE_ISA_LEVEL(id, ...) IsaLevel::id,
#include "src/base/isa.def"
};

/// Writes the file with all levels of the architecture.
void write_library(const std::string& directory, const llvm::Module& all, Architecture architecture) {
  Header header;
  Body body;
  std::size_t count = 0;
  for (const Isa isa : kAllLevels) {
    if (isa.architecture() != architecture) continue;
    if (count == kMostLevels) fail("more levels than a file can have");
    auto module = llvm::CloneModule(all);
    specialise(*module, isa);
    verify(*module, std::string(isa.level_name()));
    header.levels[count++] = place(families(*module), *module, isa, body);
  }
  header.file_size = sizeof header + body.bytes().size();
  std::string bytes;
  append(bytes, header);
  write(directory + "/" + builtin_library(architecture), bytes + body.bytes());
}

int run(int argc, char** argv) {
  if (argc < 3) fail("usage: OUTPUT_DIRECTORY SOURCE.bc...");
  llvm::LLVMContext context;
  context.setDiscardValueNames(true);
  auto all = load(argv[2], context);
  llvm::Linker linker(*all);
  for (int i = 3; i < argc; ++i)
    if (linker.linkInModule(load(argv[i], context))) fail(llvm::Twine(argv[i]) + ": cannot be merged");
  normalise(*all);
  for (const Architecture architecture : {Architecture::x86_64, Architecture::aarch64})
    write_library(argv[1], *all, architecture);
  return 0;
}

}  // namespace

}  // namespace lanewise::shards

int main(int argc, char** argv) {
  return lanewise::shards::run(argc, argv);
}
