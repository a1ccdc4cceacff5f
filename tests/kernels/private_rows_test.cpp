// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private arrays whose elements only counters of loops choose, so that the compiler makes values of them
/// (compiler/kernel/counted_arrays.h): rows of several sizes and types, changed under a mask, and carried through a loop
/// of which nobody knows the number of iterations.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kItems = 105;

const char* const kSource = R"(
  #define EACH(k) for (int k = 0; k < N; ++k)
  kernel void transform(global const E* in, global const E* matrix, global E* out, uint rounds) {
    size_t g = get_global_id(0);
    E v[N], w[N];
    EACH(k) v[k] = in[g * N + k];
    if (g % 3 == 1) EACH(k) v[k] += (E)k;
    for (uint r = 0; r < rounds; ++r) {
      EACH(k) {
        E sum = 0;
        EACH(j) sum += matrix[k * N + j] * v[j];
        w[k] = sum;
      }
      EACH(k) v[k] = w[N - 1 - k];
    }
    EACH(k) out[g * N + k] = v[k];
  })";

template <class T>
std::vector<T> transform(const std::vector<T>& in, const std::vector<T>& matrix, std::size_t size, unsigned rounds) {
  std::vector<T> out = in;
  for (std::size_t g = 0; g < kItems; ++g) {
    T* v = &out[g * size];
    for (std::size_t k = 0; k < size && g % 3 == 1; ++k) v[k] = static_cast<T>(v[k] + static_cast<T>(k));
    for (unsigned r = 0; r < rounds; ++r) {
      std::vector<T> w(size);
      for (std::size_t k = 0; k < size; ++k)
        for (std::size_t j = 0; j < size; ++j)
          w[size - 1 - k] = static_cast<T>(w[size - 1 - k] + static_cast<T>(matrix[k * size + j] * v[j]));
      std::copy(w.begin(), w.end(), v);
    }
  }
  return out;
}

/// Numbers so small that sums of floats are exact.
template <class T>
void expect_same(const std::string& type, std::size_t size) {
  std::vector<T> in(kItems * size), matrix(size * size);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>((i * 7) % 13);
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = static_cast<T>((i * 5) % 7);
  const std::string source = "#define E " + type + "\n#define N " + std::to_string(size) + "\n" + kSource;
  const std::uint32_t rounds = 3;
  std::vector<T> out(in.size());
  run(source, "transform", Range(kItems, 35), {buffer(in), buffer(matrix), buffer(out), value(rounds)});
  EXPECT_EQ(out, transform(in, matrix, size, rounds)) << type << ' ' << size;
}

TEST(PrivateRows, AreValues) {
  expect_same<std::uint8_t>("uchar", 8);
  expect_same<std::uint16_t>("ushort", 3);
  expect_same<std::uint64_t>("ulong", 2);
  expect_same<float>("float", 4);
}

}  // namespace
}  // namespace lanewise::test
