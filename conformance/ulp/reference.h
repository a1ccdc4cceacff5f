// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The exact results of math functions.
#pragma once

#include <string>

namespace lanewise::ulp {

enum class Type { half, single, dual };
/// The name of the type in OpenCL C.
const char* type_name(Type type);
enum class Shape { unary, binary, with_int };

struct Row {
  const char* name;
  Type type;
  Shape shape;
  double bound;    ///< ULP; kAny: none
  double relaxed;  ///< ULP; negative: an absolute error; kSame: no relaxed form
  const char* source;
};
inline constexpr double kAny = 1e300;
inline constexpr double kSame = 1e301;

extern const Row kRows[];
extern const unsigned kRowCount;

/// The function that `native_` and `half_` names stand for.
std::string base_name(const std::string& name);

/// Whether the sign of a zero result is defined: fmax(-0, +0) may be either.
bool zero_has_sign(const std::string& name);

/// A fast reference: the C library in a wider type, whose own error is below 2^-8 of an ULP of the function's type.
/// Null where there is none: then MPFR is used.
/// @param name  a base name
using Fast = long double (*)(long double x, long double y);
Fast fast_reference(const std::string& name, Type type);

/// The exact result (MPFR, 160 bits) rounded to long double; underflow gives a zero with the exact result's sign.
/// @param y  the second argument; an integer for the functions with one
long double exact_reference(const std::string& name, long double x, long double y);

}  // namespace lanewise::ulp
