// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Work-item loops of kernels with sub-groups (`!{!"lanewise.sub_group", i32 W}` in the loop metadata): a vector is a
/// sub-group, so the width is given, nothing may be left scalar, and the last vector may be partial.
///
///     for (x = 0; x < size; ++x) item(x)
///  =>
///     for (x = 0; x + W <= size; x += W) items<W>(x)
///     if (x < size) items<W>(x) for the first size - x lanes
///
/// A flattened loop (`"flattened"` in the metadata), which is rare, is emitted once, always with its mask.
#pragma once

#include "compiler/spmd/analysis/item_loop.h"
#include "compiler/spmd/emit/emitter.h"

namespace lanewise::spmd {

/// Puts the vector form in the place of `loop`, whose blocks become unreachable. The loop counts the local id from 0 by
/// 1 up to `size`; `body` has the sub-group's width. All loops of a function share the private variables in `storage`.
void emit_sub_group_loop(llvm::Loop& loop, llvm::Value& size, const SubGroupLoop& form, const BodyForm& body,
                         LaneStorage& storage);

}  // namespace lanewise::spmd
