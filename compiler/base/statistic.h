// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Counters of what passes do, which `lanewise-opt -stats` prints.
#pragma once

#include <llvm/ADT/Statistic.h>

namespace lanewise {

/// {pass, name, what is counted}, as LLVM's STATISTIC makes it, but it also counts where LLVM is built without
/// statistics, as distributions build it. Static; the compiles of all threads add to it.
using Statistic = llvm::TrackingStatistic;

}  // namespace lanewise
