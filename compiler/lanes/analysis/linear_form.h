// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An address as a sum. The distance of two addresses is known if their sums differ in a constant only:
///
///     %u1 = add nsw i32 %u, 1
///     %i  = mul nsw i32 %u1, -3                    root %a; terms -12 * sext %u; offset -12
///     %e  = sext i32 %i to i64
///     %p  = getelementptr float, ptr %a, i64 %e
///
/// An operation is taken apart only if it may as well be done after the extension of its operands.
#pragma once

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Value.h>

#include <cstdint>

namespace llvm {
class DataLayout;
}

namespace lanewise::spmd {

enum class Extension : std::uint8_t { none, sign, zero };

/// root + sum of scale * extended value + offset, in bytes and modulo 2^64.
struct LinearForm {
  struct Term {
    const llvm::Value* value = nullptr;
    Extension extension = Extension::none;
    std::uint64_t scale = 0;
    bool operator==(const Term&) const = default;
  };
  const llvm::Value* root = nullptr;
  llvm::SmallVector<Term, 4> terms;
  std::uint64_t offset = 0;

  /// The distance is constant.
  [[nodiscard]] bool is_parallel(const LinearForm& other) const {
    return root == other.root && terms.size() == other.terms.size() &&
           llvm::all_of(terms, [&](const Term& t) { return llvm::is_contained(other.terms, t); });
  }
};

[[nodiscard]] LinearForm linear_form(const llvm::Value& pointer, const llvm::DataLayout& layout);

}  // namespace lanewise::spmd
