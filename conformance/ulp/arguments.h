// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The arguments with which a function is measured: edge values with their neighbours, and random ones; for half, whose
/// functions of one argument have only 65,536 of them, all.
#pragma once

#include <CL/cl.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "conformance/ulp/number.h"
#include "conformance/ulp/reference.h"

namespace lanewise::ulp {

template <class T>
struct Arguments {
  std::vector<T> a, b;
  std::vector<cl_int> n;
  std::vector<long double> exact;
  std::vector<bool> signs;  ///< computed by MPFR: the sign of zero counts
};

/// The value in a type for which the standard library has all functions.
template <class T>
long double wide(T value) {
  return static_cast<long double>(value);
}

/// Pairs are edges with edges at first, this many for each.
inline constexpr std::size_t kEdgePartners = 40;

template <class T>
std::vector<T> edges() {
  const T smallest = from_bits<T>(1), infinite = infinity<T>();
  const T least = static_cast<T>(std::ldexp(1.0, Format<T>::kLeast));
  std::vector<T> out = {
      0,        smallest,       least,           previous(infinite),
      infinite, next(infinite), previous(least), static_cast<T>(std::ldexp(2.0, -Format<T>::kDigits))};
  for (const double v : {1e-10,      1e-5,
                         0.1,        0.25,
                         0.4142135,  0.5,
                         0.70710678, 0.75,
                         1.0,        1.41421356,
                         1.5,        2.0,
                         2.4142135,  2.5,
                         3.0,        3.5,
                         4.0,        5.0,
                         6.0,        7.0,
                         8.0,        10.0,
                         20.0,       27.0,
                         31.0,       64.0,
                         88.5,       88.8,
                         100.0,      104.0,
                         127.0,      128.0,
                         150.0,      171.5,
                         709.5,      710.5,
                         745.0,      1023.0,
                         1024.0,     1075.0,
                         4096.5,     16777215.0,
                         16777216.0, 1e8,
                         1e10,       9007199254740991.0,
                         1e20,       1e30}) {
    const T value = static_cast<T>(v);
    out.push_back(value);
    if (value > 0) out.push_back(previous(value));
    if (value < infinite) out.push_back(next(value));
  }
  for (int k = 1; k < 40; ++k) out.push_back(static_cast<T>(k * M_PI_4));
  const std::size_t positive = out.size();
  for (std::size_t i = 0; i < positive; ++i) out.push_back(-out[i]);
  return out;
}

/// Half of them are any bit pattern, half of moderate size, because most patterns are far from interesting values.
template <class T>
T random_value(std::mt19937_64& random) {
  if (random() & 1) return from_bits<T>(static_cast<Bits<T>>(random()));
  const double exponent = std::uniform_real_distribution<double>(-12, 7)(random);
  const double value = std::exp2(exponent) * (random() & 1 ? 1 : -1);
  return static_cast<T>(random() & 7 ? value : std::rint(value));
}

/// Whether a row's arguments are all that its type has.
inline bool takes_all(const Row& row) {
  return row.type == Type::half && row.shape == Shape::unary;
}

/// @param block  the number of arguments is a multiple of it
template <class T>
void fill_all(std::size_t block, Arguments<T>& out) {
  constexpr std::size_t kAll = std::size_t{1} << 16;
  for (std::size_t i = 0; i < (kAll + block - 1) / block * block; ++i) {
    out.a.push_back(from_bits<T>(static_cast<Bits<T>>(i % kAll)));
    const long double x = wide(out.a.back());
    out.signs.push_back(!std::isfinite(x) || (x == std::rint(x) && std::fabs(x) < 64));
  }
}

/// @param moderate  whether arguments are kept within the range of native functions
template <class T>
void fill(const Row& row, std::size_t samples, bool moderate, std::size_t block, Arguments<T>& out) {
  const auto special = edges<T>();
  const bool two = row.shape != Shape::unary;
  std::mt19937_64 random(20251121);
  const std::size_t edge_count = two ? special.size() * kEdgePartners : special.size();
  const std::size_t count = (edge_count + samples + block - 1) / block * block;
  for (std::size_t i = 0; i < count; ++i) {
    const bool edge = i < edge_count;
    T x = edge ? special[i % special.size()] : random_value<T>(random);
    T y = !two   ? T(0)
          : edge ? special[(i / special.size()) * (special.size() / kEdgePartners)]
                 : random_value<T>(random);
    if (two && !edge && i % 4 == 0 && x > 0)  // powers between the smallest and the largest number
      y = static_cast<T>(
          std::uniform_real_distribution<double>(Format<T>::kLeast - Format<T>::kDigits + 1, Format<T>::kMost)(random) /
          std::log2(static_cast<double>(x)));
    if (two && !edge && i % 64 == 0) {
      x = from_bits<T>(static_cast<Bits<T>>(random() % 16));
      y = from_bits<T>(static_cast<Bits<T>>(random() % 16));
    }
    if (moderate && !(std::fabs(wide(x)) < 1e4L)) x = static_cast<T>(std::fmod(wide(x), 100.0L));
    cl_int n = edge ? static_cast<cl_int>(i / special.size()) - 20 : static_cast<cl_int>(random() % 2000) - 1000;
    if (two && i % 16 == 0) n = static_cast<cl_int>(random());
    out.a.push_back(x);
    if (row.shape == Shape::binary) out.b.push_back(y);
    if (row.shape == Shape::with_int) out.n.push_back(n);
    out.signs.push_back(edge);
  }
}

template <class T>
long double second(const Arguments<T>& arguments, std::size_t i) {
  return !arguments.b.empty()   ? wide(arguments.b[i])
         : !arguments.n.empty() ? static_cast<long double>(arguments.n[i])
                                : 0.0L;
}

}  // namespace lanewise::ulp
