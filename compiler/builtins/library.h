// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The OpenCL C built-in library as the compiler sees it: a mapped file, from which exactly those functions that a
/// module calls are linked.
///
/// A file, one for each architecture, is cut at build time into shards (for each ISA level one per function family,
/// closed under calls except to other indexed symbols), so that a kernel reads a few kilobytes and not megabytes. Its
/// layout is in compiler/builtins/shard_format.h.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>

#include <memory>
#include <string>
#include <vector>

#include "compiler/builtins/shard_format.h"
#include "src/base/isa.h"

namespace llvm {
class Module;
}

namespace lanewise {

class BuiltinLibrary {
 public:
  /// The library for the level of `isa` below `directory` (the driver's private directory). The file is
  /// mapped and checked at the first call of a (directory, level) and shared afterwards; a failure is not remembered.
  /// Thread-safe. Errors: file missing, or not one of ours (magic, version, damaged index).
  static llvm::Expected<std::shared_ptr<const BuiltinLibrary>> open(const std::string& directory, Isa isa);

  /// Defines in `module` every function that it declares and uses and that the library has, and what these need in
  /// turn. Linked functions become internal, `nounwind`, and `alwaysinline` where small; the module keeps its triple
  /// and data layout, which may be those of spir64 or of the host. The linked functions and the calls to them get the C
  /// calling convention. Works on a module of any LLVMContext; thread-safe for distinct contexts.
  ///
  /// @return the names of the functions that are used and have no definition, sorted: work-item functions, barriers
  ///         and printf (which the compiler lowers) and what the program fails to define. Intrinsics are not listed.
  /// Errors: a damaged shard.
  llvm::Expected<std::vector<std::string>> link_into(llvm::Module& module) const;

  /// True if the library defines `name` (a mangled built-in).
  [[nodiscard]] bool defines(llvm::StringRef name) const;

  /// Names of all functions that the library defines, sorted.
  [[nodiscard]] std::vector<std::string> symbols() const;

 private:
  BuiltinLibrary() = default;

  static llvm::Expected<std::shared_ptr<const BuiltinLibrary>> map(const std::string& path, Isa isa);
  /// Number of the shard that defines `name`, or -1.
  [[nodiscard]] int shard_of(llvm::StringRef name) const;
  [[nodiscard]] llvm::StringRef symbol(std::size_t index) const;
  [[nodiscard]] llvm::StringRef shard(std::size_t index) const;

  std::unique_ptr<llvm::MemoryBuffer> file_;
  llvm::ArrayRef<shards::SymbolEntry> symbols_;  ///< sorted by name; in the mapped file, as the rest
  llvm::ArrayRef<shards::ShardEntry> shards_;
  llvm::StringRef names_;
};

}  // namespace lanewise
