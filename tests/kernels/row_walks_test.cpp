// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Work-items that walk through rows of their own, of every length around a window, in every type: whole windows are
/// transposed in registers (compiler/lanes/prepare/row_walks.h), and nothing behind a row's end is read.
#include <cstdint>
#include <string>
#include <type_traits>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kItems = 67;

/// The factor makes the order of a row visible in the result.
const char* const kSource = R"(
  kernel void by_index(global const T* a, global T* out, int n) {
    int i = get_global_id(0);
    T s = 1;
    for (int k = 0; k < n; k++) s = (T)(s * (T)3 + a[i * n + k]);
    out[i] = s;
  }
  kernel void by_pointer(global const T* a, global T* out, int n) {
    global const T* p = a + get_global_id(0) * n;
    T s = 1;
    for (int left = n; left > 0; left--) s = (T)(s * (T)3 + *p++);
    out[get_global_id(0)] = s;
  }
  kernel void by_start(global const T* a, global T* out, int n, global const int* start) {
    int i = get_global_id(0), b = start[i];
    if (i >= 60) return;
    T s = 1;
    for (int k = 0; k < n; k++) s = (T)(s * (T)3 + a[b + k]);
    out[i] = s;
  })";

template <class T>
class RowWalks : public testing::Test {};

template <class T>
const char* name_of() {
  if constexpr (std::is_same_v<T, std::int8_t>) return "char";
  if constexpr (std::is_same_v<T, std::uint16_t>) return "ushort";
  if constexpr (std::is_same_v<T, std::uint32_t>) return "uint";
  if constexpr (std::is_same_v<T, std::uint64_t>) return "ulong";
  if constexpr (std::is_same_v<T, float>) return "float";
  if constexpr (std::is_same_v<T, double>) return "double";
}

template <class T>
T walked(const std::vector<T>& a, std::size_t from, std::size_t n) {
  T s = 1;
  for (std::size_t k = 0; k < n; ++k) s = static_cast<T>(s * 3 + a[from + k]);
  return s;
}

using Types = testing::Types<std::int8_t, std::uint16_t, std::uint32_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(RowWalks, Types);

TYPED_TEST(RowWalks, OfEveryLength) {
  using T = TypeParam;
  const std::string source = "#define T " + std::string(name_of<T>()) + "\n#pragma OPENCL FP_CONTRACT OFF\n" + kSource;
  for (const std::size_t n : {1, 3, 4, 17, 35}) {
    std::vector<T> a(kItems * n);
    std::vector<int> start(kItems);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<T>((i * 37 + 11) % 101);
    for (std::size_t i = 0; i < kItems; ++i) start[i] = static_cast<int>((kItems - 1 - i) * n);
    std::vector<T> rows(kItems), other(kItems), reversed(kItems, T(5)), want(kItems), want_reversed(kItems, T(5));
    for (std::size_t i = 0; i < kItems; ++i) want[i] = walked(a, i * n, n);
    for (std::size_t i = 0; i < 60; ++i) want_reversed[i] = want[kItems - 1 - i];
    run(source, "by_index", Range(kItems, 64), {buffer(a), buffer(rows), value(static_cast<int>(n))});
    EXPECT_EQ(rows, want) << n;
    run(source, "by_pointer", Range(kItems, 64), {buffer(a), buffer(other), value(static_cast<int>(n))});
    EXPECT_EQ(other, want) << n;
    run(source, "by_start", Range(kItems, 64),
        {buffer(a), buffer(reversed), value(static_cast<int>(n)), buffer(start)});
    EXPECT_EQ(reversed, want_reversed) << n;
  }
}

}  // namespace
}  // namespace lanewise::test
