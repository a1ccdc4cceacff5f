// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What has instructions of its own on each architecture, which LLVM's generic operations cannot express. A folder of
/// compiler/target is for one architecture and defines its row; nothing else names such instructions.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "src/base/isa.h"

namespace llvm {
class TargetMachine;
}  // namespace llvm

namespace lanewise {

/// The operations dot_uu, dot_us, dot_ss and dot_sat_us of the built-in library.
struct DotProduct {
  llvm::StringLiteral name;
  bool a_signed, b_signed;
  bool saturates;  ///< the sum is saturated once, as a signed number; else it wraps
};

struct TargetOperations {
  /// Emits, before a call of a machine operation with this name (compiler/builtins/machine_operations.h), scalar or
  /// widened, the instructions of whole registers that compute it, and returns their result. The call itself stays.
  /// Null: the architecture has no such operation.
  llvm::Value* (*machine_operation)(llvm::CallInst& call, llvm::StringRef name);

  /// The same for a dot product, whose operands are (sum, a, b). Every machine has a way, which its features decide.
  llvm::Value* (*dot_product)(llvm::CallInst& call, const DotProduct& dot, const llvm::TargetMachine& machine);

  /// Emits x y + z for vectors of float, with as many lanes each, rounded to odd: the odd one of the two floats around
  /// an inexact result. Only for levels with `has_directed_rounding`; null where no level of the architecture has that.
  llvm::Value* (*fused_to_odd)(llvm::IRBuilderBase& b, llvm::Value* x, llvm::Value* y, llvm::Value* z);
};

extern const TargetOperations kX86Operations;
extern const TargetOperations kAArch64Operations;

/// The row of the architecture. There is no default, so that a new one does not compile without.
inline const TargetOperations& target_operations(Architecture architecture) {
  switch (architecture) {
    case Architecture::x86_64:
      return kX86Operations;
    case Architecture::aarch64:
      return kAArch64Operations;
  }
  llvm_unreachable("no such architecture");
}

}  // namespace lanewise
