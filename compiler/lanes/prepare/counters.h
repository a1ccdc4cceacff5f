// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Narrows counters of 32 bits that begin at an id of 64 bits. InstCombine widens them, truncates them at each use, and
/// lets masks stand for what a condition says of them:
///
///     %i = phi i64 [ %global.id, ... ], [ %next, ... ]          %i = phi i32 [ %x, ... ], [ %next, ... ]
///     %e = zext i32 (trunc i64 %i to i32) to i64         =>     %e = zext i32 %i to i64
///     %next = add i64 %e, %size                                 %next = add i32 %i, %size.low
///
///     while ((%i & 0xFFFF0000) == 0) {                          while ((%i & 0xFFFF0000) == 0) {
///       %k = or i64 %base, %i        ; base: 16 zeros    =>       %k = or disjoint i32 %base.low, %i
///       %next = add i64 (%i & 0xFFFF), %size                      %next = add i32 %i, %size.low
///
/// The pass undoes that, because only sums are known to be consecutive (shapes.h).
#pragma once

namespace llvm {
class DominatorTree;
class Function;
class LoopInfo;
}  // namespace llvm

namespace lanewise::spmd {

void narrow_counters(llvm::Function& function, const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators);

}  // namespace lanewise::spmd
