// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Gives the components of a stored vector that have no value the value 0. A vector of three components is stored as
/// one of four, and the bits of the fourth one are whatever its lane has. Two work-items that write the same vector to
/// one place shall write the same bytes, which is no race.
///
///     %v = shufflevector <3 x i8> %x, <3 x i8> undef,          %v = shufflevector ...
///                        <4 x i32> <0, 1, 2, 3>          =>    %w = insertelement <4 x i8> %v, i8 0, i64 3
///     store <4 x i8> %v, ptr %p                                store <4 x i8> %w, ptr %p
#pragma once

#include <llvm/IR/Instructions.h>

namespace lanewise {

/// Changes nothing where every component may have a value.
void define_padding(llvm::StoreInst& store);

}  // namespace lanewise
