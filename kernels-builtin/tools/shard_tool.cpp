// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Makes the built-in library: bitcode of our sources in, one sharded file per ISA level out.
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

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "compiler/builtins/shard_format.h"
#include "kernels-builtin/tools/levels.h"
#include "kernels-builtin/tools/shards.h"

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

/// Serialises the shards of one level in the layout of shard_format.h.
std::string encode(const std::map<std::string, std::vector<llvm::Function*>>& families, const llvm::Module& module,
                   unsigned level) {
  std::map<std::string, std::uint32_t> symbols;
  std::vector<std::string> blobs;
  for (const auto& [family, functions] : families) {
    for (const auto* f : functions) symbols[f->getName().str()] = static_cast<std::uint32_t>(blobs.size());
    blobs.push_back(bitcode(*cut(module, functions)));
  }
  Header header;
  header.isa_level = level;
  header.symbol_count = static_cast<std::uint32_t>(symbols.size());
  header.shard_count = static_cast<std::uint32_t>(blobs.size());
  header.symbols = sizeof(Header);
  header.shards = (header.symbols + symbols.size() * sizeof(SymbolEntry) + 7) & ~std::uint64_t{7};
  header.names = header.shards + blobs.size() * sizeof(ShardEntry);
  std::string names, entries, table, bodies;
  for (const auto& [name, shard] : symbols) {
    const SymbolEntry entry{static_cast<std::uint32_t>(names.size()), static_cast<std::uint32_t>(name.size()), shard};
    entries.append(reinterpret_cast<const char*>(&entry), sizeof entry);
    names += name;
  }
  header.names_size = names.size();
  entries.resize(header.shards - header.symbols);
  names.resize((names.size() + 7) & ~std::size_t{7});
  for (const auto& blob : blobs) {
    const ShardEntry entry{header.names + names.size() + bodies.size(), blob.size()};
    table.append(reinterpret_cast<const char*>(&entry), sizeof entry);
    bodies += blob;
    bodies.resize((bodies.size() + 7) & ~std::size_t{7});
  }
  std::string rest = entries + table + names + bodies;
  header.file_size = sizeof header + rest.size();
  const auto hash = XXH3_128bits(rest.data(), rest.size());
  header.hash[0] = hash.low64;
  header.hash[1] = hash.high64;
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + rest;
}

/// Writes a new file: a running compiler may have the old one mapped, which it keeps.
void write(const std::string& path, const std::string& bytes) {
  if (const std::error_code kept = llvm::sys::fs::remove(path)) fail(path + ": " + kept.message());
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (error) fail(path + ": " + error.message());
  out << bytes;
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
  for (const unsigned level : {2U, 3U, 4U}) {
    auto module = llvm::CloneModule(*all);
    specialise(*module, level);
    verify(*module, "level " + llvm::Twine(level));
    write(std::string(argv[1]) + "/builtins-x86-64-v" + std::to_string(level) + ".lwb",
          encode(families(*module), *module, level));
  }
  return 0;
}

}  // namespace

}  // namespace lanewise::shards

int main(int argc, char** argv) {
  return lanewise::shards::run(argc, argv);
}
