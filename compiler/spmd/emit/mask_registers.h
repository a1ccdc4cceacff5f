// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Masks between blocks. Without mask registers a `<8 x i1>` that leaves its block is narrowed to bytes and widened
/// again, several instructions each way; as a vector of integers it stays what the comparison made.
///
///     loop:                                            loop:
///       %live = phi <8 x i1> [...], [%next, %loop]  =>   %live.wide = phi <8 x i32> [...], [%next.wide, %loop]
///       ...                                              %live = icmp slt <8 x i32> %live.wide, zeroinitializer
///       %next = and <8 x i1> %live, %c                   ...
///                                                        %next.wide = sext <8 x i1> %next to <8 x i32>
#pragma once

namespace llvm {
class Function;
}

namespace lanewise::spmd {

void keep_masks_in_registers(llvm::Function& function);

}  // namespace lanewise::spmd
