// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Values of the source that have several components: vectors and structs.
#pragma once

namespace llvm {
class Type;
}

namespace lanewise::spmd {

/// Number of components of a value's type: 1 for scalars, N for vectors and structs of N elements.
[[nodiscard]] unsigned components(const llvm::Type& type);
/// Type of one component; of a scalar the type itself.
[[nodiscard]] llvm::Type* component_type(llvm::Type& type, unsigned part);

}  // namespace lanewise::spmd
