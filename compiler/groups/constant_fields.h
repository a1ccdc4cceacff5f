// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Hoists fields of arguments that do not change while a kernel runs: image descriptions, and structs that are passed
/// by value. The range function has a copy of them, whose fields become values before all loops:
///
///     range:  memcpy(%image.copy, %handle, 184)          range:  memcpy(...)
///                                                                %width = load i32, %image.copy + 24
///     item:   %w = load i32, %image.copy + 24       =>
///             if (%x < %w) ...                           item:   if (%x < %width) ...
///
/// The vectoriser then sees that such a condition can be evaluated before a loop (lanes/analysis/guards.h); LLVM,
/// which would find it too, comes later.
#pragma once

#include "compiler/groups/range_function.h"

namespace lanewise {

/// Hoists the fields whose places are constants; the others stay in the copy.
void hoist_constant_fields(const RangeFunction& range);

}  // namespace lanewise
