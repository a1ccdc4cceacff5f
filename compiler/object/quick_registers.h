// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Allocation of registers for first code, in place of LLVM's greedy one. Values get registers in the order of their
/// weight, which is how often they are used for each instruction that they live; a value for which none is left goes to
/// the stack as a whole:
///
///     weight 9   %i      rax
///     weight 4   %sum    xmm0
///     weight 0.1 %p      all registers are taken where it lives: stored once, and loaded before each use
///
/// LLVM's allocation looks for the parts of its life in which such a value could have a register. That saves loads, but
/// its time grows with the blocks that each value lives in: a large kernel of many branches spends a third to a half of
/// the code generator's time on it. LLVM's "basic" allocation also looks at all values in the way of a value before it
/// gives up, which takes as long where lives are long.
///
/// MOT's optimisers gain, which are large and full of branches: the code generator takes 0.68 of its time for Subplex
/// and 0.72 for Powell. For 37 large kernels of six code bases it takes 0.90 of its time (geometric mean), and a first
/// transform of VkFFT of prime length comes in three quarters of it. The code of clFFT and VkFFT is about as fast.
/// reikna's transform has more values in a block than there are registers, and 0.78 of its speed until it is hot; its
/// first result comes 0.15 s sooner, which a thousand launches use up.
#pragma once

namespace llvm {
class FunctionPass;
}

namespace lanewise {

/// A pass for the code generator, to be run where LLVM would run its own allocation.
llvm::FunctionPass* create_quick_registers_pass();

}  // namespace lanewise
