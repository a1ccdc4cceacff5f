// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// References and errors for blocks of float arguments, fast enough for all 2^32 of them: a few nanoseconds each.
#pragma once

#include <cstddef>
#include <string>

namespace lanewise::ulp {

/// exact[i] = function(x[i]) in double, within 2^-20 of an ULP of float or better.
using Batch = void (*)(const float* x, double* exact, std::size_t count);

/// The C library's functions of double, its vector forms where it has them (glibc's libmvec, on processors with AVX2).
/// Null where there is none: then MPFR is used.
/// @param name  a base name
Batch batch_reference(const std::string& name);

/// The largest error in ULP of a block; infinity where one is a number and the other is not, or a zero has the wrong
/// sign. It decides only which blocks are worth a closer look, by ulp_error and MPFR.
double largest_error(const float* got, const double* exact, std::size_t count);

}  // namespace lanewise::ulp
