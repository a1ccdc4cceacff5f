// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The loops that take the place of a work-item loop:
///
///     for (x = low; x + W <= high; x += W) items<W>(x)                  ; if the assumptions about ids hold
///     for (; x < high; x += step) items<W>(x, lane < min(high - x, step))   ; masked: at most once, with step = W
///
/// Work-items outside of [low, high) do nothing (guards.h); without such conditions that is [0, size).
///
/// Where an assumption does not hold, the masked loop does all of it with step = 1: a single lane has no stride that
/// could be wrong. So no scalar form is needed. Where masks are dear (elements that the processor has no masked
/// accesses for), the rest stays the scalar loop that it was. Where the body is large, the masked loop does all
/// work-items: half the code to compile, for a few tests of masks; where masked accesses are slow they ask whether the
/// vector is full.
#pragma once

#include "compiler/spmd/analysis/body.h"
#include "compiler/spmd/analysis/guards.h"
#include "compiler/spmd/analysis/shapes.h"
#include "compiler/spmd/plan/cost.h"

namespace llvm {
class TargetTransformInfo;
}

namespace lanewise::spmd {

/// A body and what is known of it.
struct Form {
  const Body& body;
  const Shapes& shapes;
};

struct ItemLoop {
  llvm::Loop* loop = nullptr;
  llvm::PHINode* id = nullptr;
  llvm::Value* size = nullptr;  ///< the trip count
};

/// What runs the work-items behind the last full vector.
enum class Tail : unsigned char {
  scalar,
  masked,
  none,  ///< there are no full vectors: the masked loop does everything
};

/// Bodies with more instructions than this may have one form, if the build is to be quick. Of x86-64-v2, without masked
/// accesses, only those that do little but compute.
inline constexpr unsigned kMostTwoForms = 220;
inline constexpr unsigned kMostTwoFormsArithmetic = 120;
inline constexpr unsigned kMostTwoFormsStrided = 1000;

/// Finds id and size: the loop's only phi counts from 0 by 1 up to an invariant size.
[[nodiscard]] Refusal find_count(ItemLoop& items);

/// The cheaper tail for this body.
[[nodiscard]] Tail choose_tail(const Body& body, const Shapes& shapes, const Choice& choice,
                               const llvm::TargetTransformInfo& target);

/// Whether a body is large and loses little with a mask on every vector. `tail`: what it would have otherwise.
[[nodiscard]] bool suits_one_form(const Body& body, const Shapes& shapes, Tail tail, Isa isa);

/// How to emit a loop. `inner` is the form for full vectors, where `guards` are known to be passed.
struct LoopPlan {
  Form inner;
  Form whole;
  const Guards& guards;
  unsigned width = 0;
  Tail tail = Tail::scalar;
  Isa isa;
};

/// Emits the vector forms. The original loop keeps the rest (Tail::scalar) or becomes unreachable.
void emit_item_loop(const ItemLoop& items, const LoopPlan& plan, const llvm::TargetTransformInfo& target);

}  // namespace lanewise::spmd
