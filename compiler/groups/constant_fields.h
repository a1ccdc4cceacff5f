// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a kernel reads of arguments that do not change while it runs: fields of image descriptions and of structs that
/// are passed by value. The range function has a copy of them; their fields become values in front of all loops:
///
///     range:  memcpy(%image.copy, %handle, 184)          range:  memcpy(...)
///                                                                %width = load i32, %image.copy + 24
///     item:   %w = load i32, %image.copy + 24       =>
///             if (%x < %w) ...                           item:   if (%x < %width) ...
///
/// The vectoriser then sees that such a condition can be evaluated in front of a loop (lanes/analysis/guards.h); LLVM,
/// which would find it too, comes later.
#pragma once

#include "compiler/groups/range_function.h"

namespace lanewise {

/// Fields at places that are not constants are left in the copy.
void hoist_constant_fields(const RangeFunction& range);

}  // namespace lanewise
