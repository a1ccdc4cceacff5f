// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Shards use the SPIR types of the front end. A program that has already been re-targeted has plain pointers where the
/// shards have `target("spirv.*")` types, so a shard that is linked into it has to be changed in the same way.
#pragma once

#include <llvm/Support/Error.h>

namespace llvm {
class Module;
}

namespace lanewise::builtins {

/// Replaces every function of the (lazily loaded) module whose signature has a `target("spirv.*")` type by one with
/// `ptr` in its place. Modules without such functions are left unmaterialised. Errors: damaged bitcode.
llvm::Error opaque_types_to_pointers(llvm::Module& module);

}  // namespace lanewise::builtins
