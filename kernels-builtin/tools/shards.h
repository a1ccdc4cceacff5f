// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Cuts a library module into small modules that are linked one by one.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Module.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lanewise::shards {

/// All external functions by family: base name and element types of a mangled function (all widths and address spaces
/// of exp(float) are one family), the name of any other. A program rarely needs more than one family of the functions
/// with one name, and the time to read a shard grows with the number of its functions.
std::map<std::string, std::vector<llvm::Function*>> families(llvm::Module& module);

/// A module with the given functions, copies of the internal functions and variables that they need, and declarations
/// of everything else.
std::unique_ptr<llvm::Module> cut(const llvm::Module& module, llvm::ArrayRef<llvm::Function*> functions);

/// Bitcode of a shard, without a symbol table, because only `link_into` reads it.
std::string bitcode(const llvm::Module& module);

}  // namespace lanewise::shards
