// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_intel_subgroups and its _short, _char and _long, at every size.
#include <algorithm>
#include <bit>
#include <numeric>

#include "tests/drawn.h"
#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kItems = 256;

class IntelSubGroups : public ::testing::TestWithParam<unsigned> {
 protected:
  static std::string kernel() {
    return "__attribute__((intel_reqd_sub_group_size(" + std::to_string(GetParam()) + "))) kernel ";
  }
};

template <class T>
std::vector<T> numbers(std::size_t n, unsigned step) {
  std::vector<T> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<T>(i * step + i / 7);
  return v;
}

TEST_P(IntelSubGroups, Shuffles) {
  const std::string source = kernel() + R"(void k(global const int* a, global const short* b, global int* out,
        global short* small, uint n) {
      const uint i = get_global_id(0), l = get_sub_group_local_id(), s = get_max_sub_group_size();
      const int4 v = (int4)(a[i], a[i] * 2, a[i] * 3, a[i] * 5);
      out[i] = intel_sub_group_shuffle(v, (l * 7 + 3) % s).w;
      out[i + n] = intel_sub_group_shuffle_xor(v, 3).z;
      out[i + 2 * n] = intel_sub_group_shuffle_down(v, -v, 3).y;
      out[i + 3 * n] = intel_sub_group_shuffle_up(-v, v, 2).x;
      const short3 w = (short3)(b[i], b[i] * 3, b[i] * 5);
      small[i] = intel_sub_group_shuffle_down(w, w * (short)7, l % 3).y;
      small[i + n] = intel_sub_group_shuffle_up((char)b[i], (char)(b[i] + 1), 1);
      small[i + 2 * n] = intel_sub_group_broadcast(b[i], s / 2);
      small[i + 3 * n] = intel_sub_group_scan_exclusive_max((uchar)b[i]);
      small[i + 4 * n] = intel_sub_group_reduce_add(b[i]);
    })";
  auto a = numbers<std::int32_t>(kItems, 977);
  auto b = numbers<std::int16_t>(kItems, 313);
  std::vector<std::int32_t> out(4 * kItems, 0);
  std::vector<std::int16_t> small(5 * kItems, 0);
  run(source, "k", Range(kItems, 128),
      {buffer(a), buffer(b), buffer(out), buffer(small), value(static_cast<std::uint32_t>(kItems))}, "-cl-std=CL1.2");
  const std::size_t s = GetParam();
  for (std::size_t i = 0; i < kItems; ++i) {
    const std::size_t first = i / s * s;
    const std::size_t l = i % s;
    EXPECT_EQ(out[i], a[first + (l * 7 + 3) % s] * 5);
    EXPECT_EQ(out[i + kItems], a[first + (l ^ 3U)] * 3);
    EXPECT_EQ(out[i + 2 * kItems], l + 3 < s ? a[i + 3] * 2 : -a[i + 3 - s] * 2);
    EXPECT_EQ(out[i + 3 * kItems], l >= 2 ? a[i - 2] : -a[i - 2 + s]);
    const std::size_t down = l + l % 3;
    EXPECT_EQ(small[i], static_cast<std::int16_t>(down < s ? b[first + down] * 3 : b[first + down - s] * 21));
    EXPECT_EQ(small[i + kItems], static_cast<std::int8_t>(l >= 1 ? b[i - 1] + 1 : b[i - 1 + s]));
    EXPECT_EQ(small[i + 2 * kItems], b[first + s / 2]);
    std::uint8_t most = 0;
    for (std::size_t k = first; k < i; ++k) most = std::max(most, static_cast<std::uint8_t>(b[k]));
    EXPECT_EQ(small[i + 3 * kItems], most);
    const auto begin = b.begin() + static_cast<long>(first);
    EXPECT_EQ(small[i + 4 * kItems],
              static_cast<std::int16_t>(std::accumulate(begin, begin + static_cast<long>(s), 0)));
    if (HasFailure()) FAIL() << "work-item " << i;
  }
}

/// Groups of one and a half vectors: the mask of the rest is half empty, and it is kept in memory meanwhile.
TEST_P(IntelSubGroups, RestOfHalfAVector) {
  const std::string source = kernel() + R"(void k(global const uint* a, global uint* b, uint u) {
      const uint g = get_global_id(0);
      if (get_sub_group_local_id() >= get_max_sub_group_size()) return;
      if ((u & 3) == 1) {
        if ((a[g * 2 + 5] & 3) == 1) return;
      }
      b[g * 32 + 1] += get_local_id(0) + 1;
    })";
  const std::size_t local = GetParam() * std::size_t{3} / 2;
  const std::size_t items = 4 * local;
  auto a = numbers<std::uint32_t>(items * 2 + 5, 1);
  for (const std::uint32_t u : {0U, 1U}) {
    std::vector<std::uint32_t> b((items + 64) * 32, 0);
    run(source, "k", Range(items, local), {buffer(a), buffer(b), value(u)}, "-cl-std=CL3.0");
    for (std::size_t i = 0; i < b.size(); ++i) {
      const std::size_t g = i / 32;
      const bool runs = i % 32 == 1 && g < items && (u != 1 || (a[g * 2 + 5] & 3U) != 1);
      ASSERT_EQ(b[i], runs ? g % local + 1 : 0) << "element " << i << ", u " << u;
    }
  }
}

/// A kernel that copies blocks of `n` components, and shows what each work-item has of them. In local memory: by way of it.
std::string block_kernel(const std::string& type, const std::string& suffix, unsigned n, bool local) {
  const std::string count = n == 1 ? "" : std::to_string(n);
  const std::string name = suffix + count;
  const std::string all = std::to_string(128 * n);
  std::string text = "void k(global const " + type + "* a, global " + type + "* b, global " + type + "* c) {\n" +
                     "const uint first = (get_global_id(0) - get_sub_group_local_id()) * " + std::to_string(n) + ";\n";
  std::string from = "a + first", to = "b + first", after;
  if (local) {
    text += "local " + type + " in[" + all + "] __attribute__((aligned(16))), out[" + all +
            "] __attribute__((aligned(16)));\n" + "const uint base = get_group_id(0) * " + all + ";\n" +
            "for (uint i = get_local_id(0); i < " + all + "; i += 128) in[i] = a[base + i], out[i] = 0;\n" +
            "barrier(CLK_LOCAL_MEM_FENCE);\n";
    from = "in + (first - base)", to = "out + (first - base)";
    after = "barrier(CLK_LOCAL_MEM_FENCE);\nfor (uint i = get_local_id(0); i < " + all +
            "; i += 128) b[base + i] = out[i];\n";
  }
  return text + "const " + type + count + " v = intel_sub_group_block_read" + name + "(" + from + ");\n" +
         "intel_sub_group_block_write" + name + "(" + to + ", v);\n" +
         (n == 1 ? "c[get_global_id(0)] = v;\n" : "vstore" + count + "(v, get_global_id(0), c);\n") + after + "}\n";
}

/// Blocks: what component number `c` of each work-item is, read and written back.
template <class T>
void check_blocks(const std::string& attribute, const std::string& type, const std::string& suffix, unsigned n,
                  std::size_t size, bool local) {
  const std::string source = attribute + block_kernel(type, suffix, n, local);
  auto a = numbers<T>(kItems * n, 131);
  std::vector<T> b(kItems * n, 0);
  std::vector<T> c(kItems * n, 0);
  run(source, "k", Range(kItems, 128), {buffer(a), buffer(b), buffer(c)}, "-cl-std=CL1.2");
  EXPECT_EQ(a, b) << source;
  for (std::size_t i = 0; i < kItems; ++i)
    for (std::size_t k = 0; k < n; ++k)
      ASSERT_EQ(c[i * n + k], a[i / size * size * n + k * size + i % size]) << source << "work-item " << i;
}

/// Each type and count is tried at one or two of the sizes; where draws_all() at each.
bool is_sampled(unsigned type, unsigned n, std::size_t size) {
  return draws_all() || (type + static_cast<unsigned>(std::countr_zero(n) + std::countr_zero(size))) % 4 == 0;
}

void check_all_blocks(const std::string& attribute, std::size_t size, bool local) {
  for (const unsigned n : {1U, 2U, 4U, 8U, 16U}) {
    if (is_sampled(0, n, size)) check_blocks<std::uint16_t>(attribute, "ushort", "_us", n, size, local);
    if (is_sampled(1, n, size)) check_blocks<std::uint8_t>(attribute, "uchar", "_uc", n, size, local);
    if (n == 16) continue;
    if (is_sampled(2, n, size)) check_blocks<std::uint32_t>(attribute, "uint", "", n, size, local);
    if (is_sampled(3, n, size)) check_blocks<std::uint32_t>(attribute, "uint", "_ui", n, size, local);
    if (is_sampled(4, n, size)) check_blocks<std::uint64_t>(attribute, "ulong", "_ul", n, size, local);
  }
}

TEST_P(IntelSubGroups, Blocks) {
  check_all_blocks(kernel(), GetParam(), false);
}

TEST_P(IntelSubGroups, BlocksOfLocalMemory) {
  check_all_blocks(kernel(), GetParam(), true);
}

/// cl_intel_subgroup_buffer_prefetch: it changes nothing, also where the pointer is beyond what may be read.
TEST_P(IntelSubGroups, PrefetchesOfBlocks) {
  auto a = numbers<std::uint32_t>(kItems, 3);
  std::vector<std::uint32_t> b(kItems, 0);
  run(kernel() + R"(void k(global const uint* a, global uint* b) {
      intel_sub_group_block_prefetch_ui(a); intel_sub_group_block_prefetch_ui8(a + 4096);
      intel_sub_group_block_prefetch_uc16((global const uchar*)a); intel_sub_group_block_prefetch_ul4((global const ulong*)a);
      intel_sub_group_block_prefetch_us16((global const ushort*)a);
      b[get_global_id(0)] = a[get_global_id(0)];
    })",
      "k", Range(kItems, 128), {buffer(a), buffer(b)}, "-cl-std=CL1.2");
  EXPECT_EQ(a, b);
}

INSTANTIATE_TEST_SUITE_P(Sizes, IntelSubGroups, ::testing::Values(4U, 8U, 16U, 32U, 64U),
                         [](const auto& size) { return "Size" + std::to_string(size.param); });

}  // namespace
}  // namespace lanewise::test
