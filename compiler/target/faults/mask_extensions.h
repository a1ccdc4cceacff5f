// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Machine code for masks whose upper part is cleared:
///
///     %d = KMOVDkk %s     ->     %d = KANDDkk %s, %s
///
/// After the selection of instructions the first form is always an extension by zeros (other moves are COPY): of a
/// mask of 32 lanes to one of 64, for example. LLVM's register allocator takes it for a copy of the whole register,
/// and where it has no register for %d it stores %s in its place, with lanes that are not active in %d, as in a group
/// of 96 work-items and vectors of 64. The second form does the same in the same time, and is no move.
///
/// Not reported: LLVM 22.1 has it. Reproducer: tests/lit/faults/mask_extensions.ll.
#pragma once

namespace llvm {
class Pass;
}

namespace lanewise {

/// A pass for the code generator; to be run right after the selection of instructions.
llvm::Pass* create_mask_extensions_pass();

}  // namespace lanewise
