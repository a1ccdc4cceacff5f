// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Machine code for floats that are converted to integers from where they are in memory, for levels whose
/// instructions take operands from aligned addresses only:
///
///     %d = CVTPS2DQrm <address>     ->     %v = MOVUPSrm <address>
///                                          %d = CVTPS2DQrr %v
///
/// LLVM's selection of instructions makes the first form of any load whose value is rounded and converted, but it
/// faults where the address is no multiple of 16, as in writes to images of a known format. Its other patterns know
/// what is aligned.
///
/// Not reported: LLVM 22.1 has it. Reproducer: tests/lit/faults/unaligned_conversions.ll.
#pragma once

namespace llvm {
class Pass;
}

namespace lanewise {

/// A pass for the code generator; to be run right after the selection of instructions.
llvm::Pass* create_unaligned_conversions_pass();

}  // namespace lanewise
