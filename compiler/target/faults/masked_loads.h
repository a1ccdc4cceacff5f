// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Machine code for loads under a mask whose value is used under the same mask:
///
///     %v = VMOVDQU64Z256rmkz %k, <address>
///     %r = VPADDQZ256rrk %kept, %k, %x, %v
///
/// LLVM's peephole pass makes one instruction of both, with the operand in memory, of which a processor only reads what
/// the mask has. Where %kept is a copy of a register that is used again, the pass for two-address instructions takes
/// them apart again, but with a load of the whole vector, which may lie beyond the end of a buffer. A copy of %v keeps
/// the first pass from that; it is coalesced later.
///
/// Not reported: LLVM 22.1 has it, since pull request 161074 folds such loads. Reproducer:
/// tests/lit/faults/masked_loads.ll.
#pragma once

namespace llvm {
class Pass;
}

namespace lanewise {

/// A pass for the code generator; to be run right before its peephole pass, in SSA form.
llvm::Pass* create_masked_loads_pass();

}  // namespace lanewise
