// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trees of sums, scans and sorting networks in local memory. Plain C++ adds up, keeps a running sum, or sorts.
#include <algorithm>

#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

const char* const kSource = R"(
// Each work-item adds up elements as far apart as the whole launch is wide, two at a time; then a tree.
kernel void sum_of_grid(global const float* in, global float* out, local float* sums, uint n) {
  uint id = get_local_id(0), width = get_local_size(0);
  uint at = get_group_id(0) * width * 2 + id, far = width * 2 * get_num_groups(0);
  sums[id] = 0;
  while (at < n) {
    sums[id] += in[at];
    if (at + width < n) sums[id] += in[at + width];
    at += far;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_width = width / 2; half_width > 0; half_width >>= 1) {
    if (id < half_width) sums[id] += sums[id + half_width];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (id == 0) out[get_group_id(0)] = sums[0];
}
// A tree whose leaves are vectors.
kernel void sum_of_vectors(global const uint4* in, global uint4* out, local uint4* sums) {
  uint id = get_local_id(0), width = get_local_size(0), first = (get_group_id(0) * width + id) * 2;
  sums[id] = in[first] + in[first + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = width >> 1; s > 0; s >>= 1) {
    if (id < s) sums[id] += sums[id + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (id == 0) out[get_group_id(0)] = sums[0];
}
// A tree that begins with neighbours.
kernel void sum_of_neighbours(global const int* in, global int* out, local int* sums) {
  uint id = get_local_id(0);
  sums[id] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = 1; s < get_local_size(0); s *= 2) {
    uint at = 2 * s * id;
    if (at < get_local_size(0)) sums[at] += sums[at + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (id == 0) out[get_group_id(0)] = sums[0];
}
// Up and down a tree over two elements of each work-item; exclusive.
kernel void scan_by_sweeps(global const float* in, global float* out, local float* tree, uint length) {
  uint id = get_local_id(0), base = get_group_id(0) * length, offset = 1;
  tree[2 * id] = in[base + 2 * id];
  tree[2 * id + 1] = in[base + 2 * id + 1];
  for (uint d = length >> 1; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < d) tree[offset * (2 * id + 2) - 1] += tree[offset * (2 * id + 1) - 1];
    offset *= 2;
  }
  if (id == 0) tree[length - 1] = 0;
  for (uint d = 1; d < length; d *= 2) {
    offset >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < d) {
      uint low = offset * (2 * id + 1) - 1, high = offset * (2 * id + 2) - 1;
      float was = tree[low];
      tree[low] = tree[high];
      tree[high] += was;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + 2 * id] = tree[2 * id];
  out[base + 2 * id + 1] = tree[2 * id + 1];
}
// Sums of ever farther neighbours behind zeros, four elements a work-item; inclusive.
uint scan_in_group(uint x, local volatile uint* sums, uint size) {
  uint at = 2 * get_local_id(0) - (get_local_id(0) & (size - 1));
  sums[at] = 0;
  at += size;
  sums[at] = x;
  for (uint offset = 1; offset < size; offset <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint t = sums[at] + sums[at - offset];
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[at] = t;
  }
  return sums[at];
}
kernel void scan_of_fours(global const uint4* in, global uint4* out, local uint* sums) {
  uint4 x = in[get_global_id(0)];
  x.y += x.x;
  x.z += x.y;
  x.w += x.z;
  uint before = scan_in_group(x.w, sums, get_local_size(0)) - x.w;
  out[get_global_id(0)] = x + (uint4)before;
}
// The sums of two halves of local memory in turn; inclusive.
kernel void scan_by_turns(global const int* in, global int* out, local int* from, local int* to) {
  uint id = get_local_id(0);
  from[id] = to[id] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = 1; s < get_local_size(0); s <<= 1) {
    to[id] = id > s - 1 ? from[id] + from[id - s] : from[id];
    barrier(CLK_LOCAL_MEM_FENCE);
    local int* swap = to;
    to = from;
    from = swap;
  }
  out[get_global_id(0)] = from[id];
}
// A sorting network over two elements of each work-item.
#define LIMIT 512
kernel void sort_pairs(global const uint* in, global uint* out) {
  local uint keys[LIMIT];
  uint id = get_local_id(0), base = get_group_id(0) * LIMIT;
  keys[id] = in[base + id];
  keys[id + LIMIT / 2] = in[base + id + LIMIT / 2];
  for (uint size = 2; size <= LIMIT; size <<= 1) {
    bool up = size == LIMIT || (id & (size / 2)) == 0;
    for (uint stride = size / 2; stride > 0; stride >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint at = 2 * id - (id & (stride - 1));
      uint a = keys[at], b = keys[at + stride];
      if ((a > b) == up) {
        keys[at] = b;
        keys[at + stride] = a;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + id] = keys[id];
  out[base + id + LIMIT / 2] = keys[id + LIMIT / 2];
}
)";

constexpr std::size_t kWidth = 256;

void sum_of_grid(Run& r) {
  const std::size_t groups = 64, n = r.size(16'777'216, 100'003);
  const auto a = floats(n, 1);
  std::vector<float> out(groups), want(groups);
  std::vector<double> part(groups);
  r.plain([&] {
    parallel(groups, [&](std::size_t g, std::size_t end) {
      for (; g < end; ++g) {
        float sum = 0;
        for (std::size_t i = n * g / groups; i < n * (g + 1) / groups; ++i) sum += a[i];
        part[g] = sum;
      }
    });
  });
  r.reference([&] {
    std::fill(want.begin(), want.end(), 0.0F);
    for (std::size_t i = 0; i < n; ++i) want[i / (2 * kWidth) % groups] += a[i];
  });
  r.source(kSource);
  r.launch("sum_of_grid", {{groups * kWidth}, {kWidth}, {}}, in(a), out_of(out), local(kWidth * sizeof(float)),
           static_cast<cl_uint>(n));
  r.work(4.0 * static_cast<double>(n), "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want, 1e-3);
}

void sum_of_vectors(Run& r) {
  const std::size_t each = 2 * kWidth * 4, n = r.size(8'388'608, 8 * each), groups = n / each;
  const auto a = integers(n, 1);
  std::vector<std::uint32_t> out(groups * 4), want(groups * 4);
  r.plain([&] {
    parallel(groups, [&](std::size_t g, std::size_t end) {
      for (; g < end; ++g) {
        std::uint32_t sums[4] = {};
        for (std::size_t i = 0; i < each; i += 4)
          for (std::size_t k = 0; k < 4; ++k) sums[k] += a[g * each + i + k];
        std::copy_n(sums, 4, &want[g * 4]);
      }
    });
  });
  r.source(kSource);
  r.launch("sum_of_vectors", {{groups * kWidth}, {kWidth}, {}}, in(a), out_of(out), local(kWidth * 16));
  r.work(4.0 * static_cast<double>(n), "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want);
}

void sum_of_neighbours(Run& r) {
  const std::size_t n = r.size(8'388'608, 8 * kWidth), groups = n / kWidth;
  const auto a = integers(n, 1);
  std::vector<std::uint32_t> out(groups), want(groups);
  r.plain([&] {
    parallel(groups, [&](std::size_t g, std::size_t end) {
      for (; g < end; ++g) {
        std::uint32_t sum = 0;
        for (std::size_t i = 0; i < kWidth; ++i) sum += a[g * kWidth + i];
        want[g] = sum;
      }
    });
  });
  r.source(kSource);
  r.launch("sum_of_neighbours", {{n}, {kWidth}, {}}, in(a), out_of(out), local(kWidth * 4));
  r.work(4.0 * static_cast<double>(n), "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want);
}

/// Running sums of each `length` elements.
template <class T>
void running_sums(const std::vector<T>& from, std::vector<T>& to, std::size_t length, bool exclusive) {
  parallel(from.size() / length, [&](std::size_t g, std::size_t end) {
    for (; g < end; ++g) {
      T sum = 0;
      for (std::size_t i = g * length; i < (g + 1) * length; ++i) {
        const T before = sum;
        sum += from[i];
        to[i] = exclusive ? before : sum;
      }
    }
  });
}

void scan_by_sweeps(Run& r) {
  const std::size_t length = 2 * kWidth, n = r.size(4'194'304, 8 * length);
  const auto a = floats(n, 1);
  std::vector<float> out(n), want(n);
  r.plain([&] { running_sums(a, want, length, true); });
  r.source(kSource);
  r.launch("scan_by_sweeps", {{n / 2}, {kWidth}, {}}, in(a), out_of(out), local(length * 4),
           static_cast<cl_uint>(length));
  r.work(8.0 * static_cast<double>(n), "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want, 1e-3);
}

void scan_of_fours(Run& r) {
  const std::size_t length = 4 * kWidth, n = r.size(4'194'304, 8 * length);
  const auto a = integers(n, 1);
  std::vector<std::uint32_t> out(n), want(n);
  r.plain([&] { running_sums(a, want, length, false); });
  r.source(kSource);
  r.launch("scan_of_fours", {{n / 4}, {kWidth}, {}}, in(a), out_of(out), local(2 * kWidth * 4));
  r.work(8.0 * static_cast<double>(n), "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want);
}

void scan_by_turns(Run& r) {
  const std::size_t n = r.size(4'194'304, 8 * kWidth);
  const auto a = integers(n, 1);
  std::vector<std::uint32_t> out(n), want(n);
  r.plain([&] { running_sums(a, want, kWidth, false); });
  r.source(kSource);
  r.launch("scan_by_turns", {{n}, {kWidth}, {}}, in(a), out_of(out), local(kWidth * 4), local(kWidth * 4));
  r.work(8.0 * static_cast<double>(n), "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want);
}

void sort_pairs(Run& r) {
  const std::size_t length = 512, n = r.size(524'288, 8 * length);
  const auto a = integers(n, 1);
  std::vector<std::uint32_t> out(n), want(n);
  r.plain([&] {
    want = a;
    parallel(n / length, [&](std::size_t g, std::size_t end) {
      for (; g < end; ++g) std::sort(want.begin() + g * length, want.begin() + (g + 1) * length);
    });
  });
  r.source(kSource);
  r.launch("sort_pairs", {{n / 2}, {length / 2}, {}}, in(a), out_of(out));
  r.work(static_cast<double>(n), "item");
  if (r.go()) r.check(out, want);
}

}  // namespace

void add_trees(Suite& suite) {
  suite.insert(suite.end(), {{"trees/sum_of_grid", sum_of_grid},
                             {"trees/sum_of_vectors", sum_of_vectors},
                             {"trees/sum_of_neighbours", sum_of_neighbours},
                             {"trees/scan_by_sweeps", scan_by_sweeps},
                             {"trees/scan_of_fours", scan_of_fours},
                             {"trees/scan_by_turns", scan_by_turns},
                             {"trees/sort_pairs", sort_pairs}});
}

}  // namespace lanewise::bench
