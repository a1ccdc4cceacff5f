// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How much work a kernel is worth. Build time is bounded by the size of the kernel, never by a clock: the same source
/// gives the same code on every machine. Many kernels that are large together count like one large kernel, because a
/// program seldom runs all of them. Kernels that proved hot get everything, whatever their size, in the background.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lanewise {

enum class Effort {
  debug,    ///< -g -cl-opt-disable: nothing that moves or removes a variable
  none,     ///< -cl-opt-disable: LLVM's O1 without its vectorisers
  full,     ///< LLVM's O3: kernels that proved hot, and modules of several functions
  normal,   ///< the passes that are worth their time on a kernel that is one function
  brief,    ///< kernels of a hundred lines and more: the passes that nearly always help, each once
  cold,     ///< kernels of a large program: fewer passes, each once, and no strength reduction of loops
  reduced,  ///< large kernels: linear passes only
  least,    ///< huge kernels: no vectors, linear passes, and a code generator that does not search
};

/// Largest number of instructions, after inlining and before the vectoriser, up to which a kernel gets that effort.
inline constexpr unsigned kNormalInstructions = 220;
inline constexpr unsigned kBriefInstructions = 3'000;
inline constexpr unsigned kReducedInstructions = 50'000;

/// Code of a kernel with Effort::cold or ::reduced, of more instructions than this after LLVM's passes, gets registers
/// quickly (compiler/object/quick_registers.h). Kernels of the suite then ran at half of their speed at worst. Below,
/// the search for better registers takes a tenth of the code generator's time.
inline constexpr unsigned kSearchedInstructions = 2'000;

/// A program is large if its kernels have more instructions than this together, with the functions that each of them
/// uses, in the form in which the front end leaves them (three to four for one after inlining). One of many kernels is
/// large sooner: the more kernels, the less each of them runs.
inline constexpr std::uint64_t kLargeProgram = 10'000;
inline constexpr std::uint64_t kLargeProgramOfMany = 2'500;
inline constexpr std::size_t kManyKernels = 8;

[[nodiscard]] constexpr bool is_large_program(std::uint64_t instructions, std::size_t kernels) {
  return instructions > (kernels >= kManyKernels ? kLargeProgramOfMany : kLargeProgram);
}

/// The effort for a kernel of this many instructions.
[[nodiscard]] Effort effort_for(unsigned instructions, bool large_program = false);

}  // namespace lanewise
