// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The one function of the library (kernels-builtin/pipe) that keeps its body and its name until the vectoriser has
/// seen its calls: those of the lanes of a vector become one.
///
///     ulong __lw_take_packets(state s, uint step, uint count, uint times)
///
/// takes up to `times` reservations of `count` packets each, one after the other; source code asks for one. The bits of
/// the result above kNumberBits say how many it took, those below are the number of the first packet.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace lanewise::packets {

inline constexpr unsigned kNumberBits = 56;
inline constexpr std::uint64_t kNumberMask = (std::uint64_t{1} << kNumberBits) - 1;

/// Its parameters.
enum : unsigned { state_argument, step_argument, count_argument, times_argument, arguments };

inline bool takes(const llvm::Function& function) {
  return function.getName() == "__lw_take_packets" && function.arg_size() == arguments &&
         function.getReturnType()->isIntegerTy(64);
}

/// `i` as a call of that function; null if it is not one.
inline const llvm::CallInst* take(const llvm::Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && takes(*callee) ? call : nullptr;
}

}  // namespace lanewise::packets
