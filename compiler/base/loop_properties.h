// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Properties in the metadata of loops: `!{!"name"}` or `!{!"name", i32 value}`.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Instruction.h>

#include <optional>

namespace lanewise {

struct LoopProperty {
  const char* name;
  std::optional<unsigned> value{};
};

// Properties that LLVM's passes read.
inline constexpr LoopProperty kIsVectorised{"llvm.loop.isvectorized", 1};
inline constexpr LoopProperty kNoVectors{"llvm.loop.vectorize.enable", 0};
inline constexpr LoopProperty kNoUnrolling{"llvm.loop.unroll.disable"};

[[nodiscard]] llvm::MDNode* metadata_of(llvm::LLVMContext& context, const LoopProperty& property);

/// Gives the loop that ends in `latch` these properties instead of those that it has.
void set_loop_properties(llvm::Instruction& latch, llvm::ArrayRef<LoopProperty> properties);

}  // namespace lanewise
