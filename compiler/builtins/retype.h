// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Shards speak the SPIR-flavoured types of the front end. A program that has been re-targeted already holds plain
/// pointers where those have `target("spirv.*")` types, and a shard has to follow.
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
