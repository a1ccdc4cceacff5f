// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An operation in two forms, of which a test chooses one when it runs:
///
///       br i1 %test, label %fast, label %slow
///     fast: ...; br label %after
///     slow: ...; br label %after
///     after:
///       %result = phi [ of fast ], [ of slow ]
#pragma once

#include "compiler/lanes/emit/vector_state.h"

namespace lanewise::spmd {

/// Names of the blocks.
struct FormNames {
  const char* if_true;
  const char* if_false;
  const char* after;
};

/// The results of an operation: one per component, none for a store.
using Parts = llvm::SmallVector<llvm::Value*, 1>;

/// Emits both forms, which have as many results, and continues after them.
Parts emit_either(VectorState& state, llvm::Value* test, const FormNames& names, llvm::function_ref<Parts()> if_true,
                  llvm::function_ref<Parts()> if_false);

/// The same where the second form is right in every case, and seldom comes: several vectors may share the test
/// (analysis/shared_branches.h).
Parts emit_fast_or_general(VectorState& state, llvm::Value* test, const FormNames& names,
                           llvm::function_ref<Parts()> fast, llvm::function_ref<Parts()> general);

/// The same where nothing is known of how often the second form comes. Vectors do not share the test, but the number of
/// rows that run together is chosen for the first form.
Parts emit_guess(VectorState& state, llvm::Value* test, const FormNames& names, llvm::function_ref<Parts()> fast,
                 llvm::function_ref<Parts()> general);

}  // namespace lanewise::spmd
