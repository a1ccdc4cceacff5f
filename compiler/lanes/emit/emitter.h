// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Writes the vector form of a work-item loop's body: one iteration does the work of `width` work-items.
///
///     items:                                          items.vector:
///       %id = phi i64 [0, ...], [%next, ...]            %id = phi i64 [0, ...], [%next, ...]      ; lane 0
///       %p = getelementptr float, ptr %a, i64 %id =>    %p = getelementptr float, ptr %a, i64 %id ; lane 0
///       %v = load float, ptr %p                         %v = load <8 x float>, ptr %p
///       %c = fcmp olt float %v, 0.0                     %c = fcmp olt <8 x float> %v, zeroinitializer
///       br i1 %c, label %then, label %items.end         ; `then` follows, its stores masked with %c
///
/// The parts: values of lanes (vector_state.h), masks (masks.h), control flow (control.h, phis.h), instructions
/// (instructions.h), memory (addresses.h, loads.h, stores.h), operations between lanes (sub_groups.h).
///
/// Memory is accessed for active lanes only. An access that runs although no lane is active gets the address of a dummy
/// on the stack.
#pragma once

#include "compiler/lanes/emit/vector_state.h"

namespace lanewise::spmd {

/// Emits the body for the lanes that begin at local id `id`, at the place of `builder`; it ends where the body's
/// latch would increment the id. Never fails: what cannot be emitted was refused before.
/// @param mask  the lanes that exist, lane 0 among them; null: all
/// @param full  i1: `mask` is true for all lanes, which is nearly always the case. Accesses for which a mask is
///              expensive test it first. Null: unknown, they do not test.
void emit_body(const BodyForm& form, LaneStorage& storage, llvm::IRBuilder<>& builder, llvm::Value* id,
               llvm::Value* mask, llvm::Value* full = nullptr);

}  // namespace lanewise::spmd
