// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The lanes' copies of a private variable, in one of two layouts.
///
///     lane after lane          interleaved (elements of 4 bytes, 8 lanes)
///     lane 0: t[0] t[1] ...    t[0] of lanes 0 to 7, t[1] of lanes 0 to 7, ...
///     lane 1: t[0] t[1] ...    address of t[i] in lane l: copies + (i * 8 + l) * 4
///
/// In the interleaved layout an access with a uniform index is one vector. It is used for variables that are only
/// loaded and stored in elements of one size, at offsets that are multiples of it; all others get the first layout.
///
/// Lanes that all store the same value need no copies: they share the variable (Shapes::is_shared).
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <cstdint>

namespace llvm {
class AllocaInst;
class StoreInst;
}  // namespace llvm

namespace lanewise::spmd {

/// Bytes of an element of the interleaved layout; 0 for lane after lane.
[[nodiscard]] std::uint64_t interleaved_bytes(const llvm::AllocaInst& variable);

/// Finds all stores to a variable. False if not all are known, because its address is used otherwise than by simple
/// loads and stores.
[[nodiscard]] bool find_stores(const llvm::AllocaInst& variable, llvm::SmallVectorImpl<const llvm::StoreInst*>& stores);

}  // namespace lanewise::spmd
