// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Async copies of blocks and the fence between them, against plain loops; barriers in two halves.
#include <numeric>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

using Bytes = std::vector<unsigned char>;

/// Bytes that differ from their neighbours at every distance that the tests use.
Bytes pattern(std::size_t n, unsigned seed) {
  Bytes v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<unsigned char>((i * 167 + i / 251 + seed) & 0xffU);
  return v;
}

/// A block of elements of `bytes` bytes, and how its lines and planes lie in global memory and in local memory.
struct Block {
  unsigned bytes, width, lines, planes;
  unsigned global_at, global_line, global_plane;
  unsigned local_at, local_line, local_plane;

  [[nodiscard]] std::size_t global_size() const { return (global_at + (planes + 1) * global_plane) * bytes; }
  [[nodiscard]] std::size_t local_size() const { return (local_at + (planes + 1) * local_plane) * bytes; }
};

/// What the copy of one group does, element by element.
void copy(const Block& b, const Bytes& from, Bytes& to, bool in) {
  for (unsigned p = 0; p < b.planes; ++p)
    for (unsigned l = 0; l < b.lines; ++l)
      for (unsigned i = 0; i < b.width * b.bytes; ++i) {
        const std::size_t global = (b.global_at + p * b.global_plane + l * b.global_line) * b.bytes + i;
        const std::size_t local = (b.local_at + p * b.local_plane + l * b.local_line) * b.bytes + i;
        to[in ? local : global] = from[in ? global : local];
      }
}

constexpr const char* kIn = R"(
  kernel void in(global const uchar* from, global uchar* out, local uchar* own, uint size, uint4 n, uint3 g, uint3 l) {
    size_t id = get_local_linear_id(), count = get_local_size(0) * get_local_size(1);
    for (size_t i = id; i < size; i += count) own[i] = 0xEE;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = FLAT ? async_work_group_copy_2D2D(own, l.x, from, g.x, n.x, n.y, n.z, g.y, l.y, 0)
                     : async_work_group_copy_3D3D(own, l.x, from, g.x, n.x, n.y, n.z, n.w, g.y, g.z, l.y, l.z, 0);
    wait_group_events(1, &e);
    global uchar* to = out + get_group_id(0) * size;
    for (size_t i = id; i < size; i += count) to[i] = own[i];
  })";

/// From local memory, which is filled from `from`; only the first group writes.
constexpr const char* kOut = R"(
  kernel void out(global const uchar* from, global uchar* to, local uchar* own, uint size, uint4 n, uint3 g, uint3 l) {
    size_t id = get_local_linear_id(), count = get_local_size(0) * get_local_size(1);
    if (get_group_id(0) != 0) return;
    for (size_t i = id; i < size; i += count) own[i] = from[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = FLAT ? async_work_group_copy_2D2D(to, g.x, own, l.x, n.x, n.y, n.z, l.y, g.y, 0)
                     : async_work_group_copy_3D3D(to, g.x, own, l.x, n.x, n.y, n.z, n.w, l.y, l.z, g.y, g.z, 0);
    wait_group_events(1, &e);
  })";

void check(const Block& b, const Range& range) {
  const std::size_t groups = range.global[0] / range.local[0];
  const std::array<unsigned, 4> n{b.bytes, b.width, b.lines, b.planes};
  const std::array<unsigned, 4> g{b.global_at, b.global_line, b.global_plane, 0};
  const std::array<unsigned, 4> l{b.local_at, b.local_line, b.local_plane, 0};
  const std::string options = std::string("-cl-std=CL3.0 -DFLAT=") + (b.planes == 1 ? "1" : "0");

  Bytes global = pattern(b.global_size(), 1);
  Bytes seen(groups * b.local_size());
  Bytes expected(b.local_size(), 0xEE);
  copy(b, global, expected, true);
  const auto size = static_cast<unsigned>(b.local_size());
  run(kIn, "in", range,
      {buffer(global), buffer(seen), local(b.local_size()), value(size), value(n), value(g), value(l)}, options);
  for (std::size_t group = 0; group < groups; ++group)
    EXPECT_EQ(Bytes(seen.begin() + static_cast<std::ptrdiff_t>(group * size),
                    seen.begin() + static_cast<std::ptrdiff_t>((group + 1) * size)),
              expected)
        << b.bytes << ' ' << b.width << ' ' << b.lines << ' ' << b.planes << ", group " << group;

  Bytes source = pattern(b.local_size(), 7);
  Bytes written = pattern(b.global_size(), 3);
  Bytes left = written;
  copy(b, source, left, false);
  run(kOut, "out", range,
      {buffer(source), buffer(written), local(b.local_size()), value(size), value(n), value(g), value(l)}, options);
  EXPECT_EQ(written, left) << b.bytes << ' ' << b.width << ' ' << b.lines << ' ' << b.planes;
}

TEST(WorkGroupCopies, Blocks) {
  const Range small(2, {10, 3, 1}, {5, 3, 1});
  const Range usual(64, 32);
  const Block blocks[] = {
      {4, 8, 5, 1, 3, 20, 100, 1, 9, 45},                                        // lines that are shorter than a group
      {4, 100, 3, 1, 0, 100, 300, 0, 100, 300},                                  // longer ones
      {3, 7, 4, 2, 2, 9, 40, 1, 7, 28},                                          // elements of no power of two
      {1, 50, 2, 3, 5, 51, 103, 0, 50, 100},                                     // bytes
      {16, 1, 12, 2, 1, 4, 50, 0, 1, 12},                                        // columns become lines
      {8, 3, 1, 1, 0, 3, 3, 0, 3, 3},           {5, 0, 3, 2, 0, 1, 3, 0, 1, 3},  // nothing
  };
  // A program for each width and instruction set takes its time: there the first ones stand for all.
  const std::size_t count = compares_widths() ? 3 : std::size(blocks);
  for (std::size_t i = 0; i < count; ++i) {
    check(blocks[i], usual);
    if (!compares_widths()) check(blocks[i], small);
  }
}

/// Each copy needs what the one before it wrote, by global memory and by local memory.
TEST(WorkGroupCopies, FencesOrderCopies) {
  constexpr std::size_t kItems = 96, kLocal = 24;
  std::vector<int> from(kItems), middle(kItems), out(kItems);
  std::iota(from.begin(), from.end(), 5);
  run(R"(
    kernel void k(global const int* from, global int* middle, global int* out, local int* a, local int* b) {
      size_t n = get_local_size(0), at = get_group_id(0) * n, id = get_local_id(0);
      a[id] = from[at + id];
      b[id] = -1;
      barrier(CLK_LOCAL_MEM_FENCE);
      event_t e = async_work_group_copy(middle + at, a, n, 0);
      async_work_group_copy_fence(CLK_GLOBAL_MEM_FENCE);
      e = async_work_group_copy(b + 1, middle + at, n - 1, e);
      async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);
      e = async_work_group_copy(b, middle + at + n - 1, 1, e);
      async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      e = async_work_group_copy(out + at, b, n, e);
      wait_group_events(1, &e);
    })",
      "k", Range(kItems, kLocal),
      {buffer(from), buffer(middle), buffer(out), local(kLocal * sizeof(int)), local(kLocal * sizeof(int))});
  EXPECT_EQ(middle, from);
  for (std::size_t i = 0; i < kItems; ++i) EXPECT_EQ(out[i], i % kLocal == 0 ? from[i + kLocal - 1] : from[i - 1]) << i;
}

/// What is written before the first half is there after the second one, and what lies between has no part in it.
TEST(SplitBarriers, OrderWhatIsBeforeAndBehind) {
  constexpr std::size_t kItems = 120;
  for (const char* flags : {"CLK_LOCAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE, memory_scope_work_group",
                            "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device"}) {
    std::vector<int> out(kItems), between(kItems);
    run(std::string("#define FLAGS ") + flags + R"(
      kernel void k(global int* out, global int* between, local int* a) {
        size_t n = get_local_size(0), id = get_local_id(0), at = get_global_id(0);
        int sum = 0;
        for (int round = 0; round < 3; ++round) {
          a[id] = (int)at * 10 + round;
          intel_work_group_barrier_arrive(FLAGS);
          between[at] += (int)id + round;
          intel_work_group_barrier_wait(FLAGS);
          sum += a[(id + 1 + round) % n];
          intel_work_group_barrier_arrive(FLAGS);
          intel_work_group_barrier_wait(FLAGS);
        }
        out[at] = sum;
      })",
        "k", Range(kItems, 40), {buffer(out), buffer(between), local(40 * sizeof(int))});
    for (std::size_t i = 0; i < kItems; ++i) {
      int sum = 0;
      for (std::size_t round = 0; round < 3; ++round)
        sum += static_cast<int>((i / 40 * 40 + (i % 40 + 1 + round) % 40) * 10 + round);
      EXPECT_EQ(out[i], sum) << flags << ' ' << i;
      EXPECT_EQ(between[i], static_cast<int>(3 * (i % 40) + 3)) << flags << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace lanewise::test
