// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/analysis/components.h"

#include <llvm/IR/DerivedTypes.h>

namespace lanewise::spmd {

unsigned components(const llvm::Type& type) {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type)) return vector->getNumElements();
  if (const auto* structure = llvm::dyn_cast<llvm::StructType>(&type)) return structure->getNumElements();
  return 1;
}

llvm::Type* component_type(llvm::Type& type, unsigned part) {
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(&type)) return structure->getElementType(part);
  return type.getScalarType();
}

}  // namespace lanewise::spmd
