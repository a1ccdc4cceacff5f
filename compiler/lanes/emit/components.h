// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Vectors and structs of the source in the vector form: for each component one vector of all lanes.
///
///     float4 of 8 lanes    four parts of <8 x float>: x of all lanes, y of all lanes, ...
///     in memory            one <32 x float>, lane after lane: x0 y0 z0 w0 x1 y1 ...
#pragma once

#include "compiler/lanes/emit/vector_state.h"

namespace lanewise::spmd {

/// Sets the parts of `i` if it only moves components: inserts, extracts, shuffles and bit casts. False: it is another
/// instruction.
bool emit_components(VectorState& state, const llvm::Instruction& i);

/// In memory the lanes lie one after the other, or the last one has the lowest address.
enum class LaneOrder : unsigned char { up, down };

/// The mask in the order of memory, with each lane's element repeated `times` times.
llvm::Value* repeat_each(VectorState& state, llvm::Value* mask, unsigned times, LaneOrder order = LaneOrder::up);
/// The parts of `flat`, which has `count` components of one lane after the other, in the given order.
llvm::SmallVector<llvm::Value*, 1> split_lanes(VectorState& state, llvm::Value* flat, unsigned count,
                                               LaneOrder order = LaneOrder::up);
/// The parts of vectors of `count` components, of which there is one for each lane.
llvm::SmallVector<llvm::Value*, 1> split_vectors(VectorState& state, llvm::ArrayRef<llvm::Value*> lanes,
                                                 unsigned count);
/// The `count` components of all lanes of `v`, lane after lane, in the given order.
llvm::Value* join_parts(VectorState& state, const llvm::Value* v, unsigned count, LaneOrder order = LaneOrder::up);

}  // namespace lanewise::spmd
