// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Counts what the compiler did to kernels: for `lanewise-opt -stats`, and for tests that ask which transformations
/// their kernels reach. What is part of a pass (compiler/base/transformations.def) counts itself here. A pass of its
/// own counts with a `Statistic` in its file; whether it changed anything is seen from outside
/// (PipelineObserver::changed).
#pragma once

#include <cstddef>
#include <cstdint>

#include "compiler/base/statistic.h"

namespace lanewise {

enum class Transformation : std::uint8_t {
#define LANEWISE_TRANSFORMATION(pass, name, what) name,
#include "compiler/base/transformations.def"
};

inline constexpr const char* kTransformations[] = {
#define LANEWISE_TRANSFORMATION(pass, name, what) #name,
#include "compiler/base/transformations.def"
};

/// How often each has been done since the process began, on all threads.
inline Statistic transformation_counts[] = {
#define LANEWISE_TRANSFORMATION(pass, name, what) {pass, #name, what},
#include "compiler/base/transformations.def"
};

/// Called where a transformation changes code. Costs one addition to a number that nobody else reads.
inline void tally(Transformation transformation) {
  ++transformation_counts[static_cast<std::size_t>(transformation)];
}

}  // namespace lanewise
