// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions, scans and softmax in local memory.
#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

const char* const kSource = R"(
#define WIDTH 128
kernel void reduce_tree(global const float* in, global float* out) {
  local float part[WIDTH];
  int lane = get_local_id(0);
  part[lane] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = WIDTH / 2; step > 0; step >>= 1) {
    if (lane < step) part[lane] += part[lane + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0) out[get_group_id(0)] = part[0];
}
kernel void reduce_interleaved(global const float* in, global float* out) {
  local float part[WIDTH];
  int lane = get_local_id(0);
  part[lane] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < WIDTH; step *= 2) {
    if (lane % (2 * step) == 0) part[lane] += part[lane + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0) out[get_group_id(0)] = part[0];
}
kernel void reduce_strided(global const float* in, global float* out, int each) {
  local float part[WIDTH];
  int lane = get_local_id(0);
  global const float* mine = in + get_group_id(0) * WIDTH * each;
  float sum = 0;
  for (int k = 0; k < each; ++k) sum += mine[k * WIDTH + lane];
  part[lane] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0) {
    float total = 0;
    for (int k = 0; k < WIDTH; ++k) total += part[k];
    out[get_group_id(0)] = total;
  }
}
kernel void scan_hillis(global const uint* in, global uint* out) {
  local uint data[WIDTH];
  int lane = get_local_id(0);
  data[lane] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < WIDTH; step *= 2) {
    uint add = lane >= step ? data[lane - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    data[lane] += add;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = data[lane];
}
// Up-sweep and down-sweep over 2 * WIDTH elements; exclusive.
kernel void scan_blelloch(global const uint* in, global uint* out) {
  local uint data[2 * WIDTH];
  int lane = get_local_id(0), base = get_group_id(0) * 2 * WIDTH, offset = 1;
  data[2 * lane] = in[base + 2 * lane];
  data[2 * lane + 1] = in[base + 2 * lane + 1];
  for (int d = WIDTH; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < d) data[offset * (2 * lane + 2) - 1] += data[offset * (2 * lane + 1) - 1];
    offset *= 2;
  }
  if (lane == 0) data[2 * WIDTH - 1] = 0;
  for (int d = 1; d < 2 * WIDTH; d *= 2) {
    offset >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < d) {
      int a = offset * (2 * lane + 1) - 1, b = offset * (2 * lane + 2) - 1;
      uint t = data[a];
      data[a] = data[b];
      data[b] += t;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + 2 * lane] = data[2 * lane];
  out[base + 2 * lane + 1] = data[2 * lane + 1];
}
kernel void barriers(global const float* in, global float* out, int rounds) {
  local float ring[2][WIDTH];
  int lane = get_local_id(0);
  ring[0][lane] = in[get_global_id(0)];
  for (int n = 0; n < rounds; ++n) {
    barrier(CLK_LOCAL_MEM_FENCE);
    ring[(n + 1) & 1][lane] = 0.5f * (ring[n & 1][lane] + ring[n & 1][(lane + 1) % WIDTH]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = ring[rounds & 1][lane];
}
kernel void softmax(global const float* in, global float* out, int columns) {
  local float part[WIDTH];
  int lane = get_local_id(0);
  global const float* row = in + get_group_id(0) * columns;
  float most = -INFINITY;
  for (int k = lane; k < columns; k += WIDTH) most = fmax(most, row[k]);
  part[lane] = most;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = WIDTH / 2; step > 0; step /= 2) {
    if (lane < step) part[lane] = fmax(part[lane], part[lane + step]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  most = part[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = lane; k < columns; k += WIDTH) sum += exp(row[k] - most);
  part[lane] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = WIDTH / 2; step > 0; step /= 2) {
    if (lane < step) part[lane] += part[lane + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float scale = 1.0f / part[0];
  for (int k = lane; k < columns; k += WIDTH) out[get_group_id(0) * columns + k] = exp(row[k] - most) * scale;
}
kernel void softmax_row(global const float* in, global float* out, int columns) {
  global const float* row = in + get_global_id(0) * columns;
  global float* to = out + get_global_id(0) * columns;
  float most = -INFINITY, sum = 0;
  for (int k = 0; k < columns; ++k) most = fmax(most, row[k]);
  for (int k = 0; k < columns; ++k) sum += exp(row[k] - most);
  for (int k = 0; k < columns; ++k) to[k] = exp(row[k] - most) / sum;
}
)";

constexpr std::size_t kWidth = 128;

void reduce_of(Run& r, const char* kernel, std::size_t each, std::size_t n, bool strided) {
  const std::size_t per_group = kWidth * each, groups = n / per_group;
  const auto a = floats(n, 1);
  std::vector<float> out(groups), want(groups);
  r.plain([&] {
    parallel(groups, [&](std::size_t g, std::size_t end) {
      for (; g < end; ++g) {
        float sum = 0;
        for (std::size_t k = 0; k < per_group; ++k) sum += a[g * per_group + k];
        want[g] = sum;
      }
    });
  });
  r.source(kSource);
  const Sizes sizes{{groups * kWidth}, {kWidth}, {}};
  if (strided)
    r.launch(kernel, sizes, in(a), out_of(out), static_cast<cl_int>(each));
  else
    r.launch(kernel, sizes, in(a), out_of(out));
  r.work(4.0 * n, "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want, 1e-4);
}
void reduce_tree(Run& r) {
  reduce_of(r, "reduce_tree", 1, r.size(8'388'608, 8192), false);
}
void reduce_interleaved(Run& r) {
  reduce_of(r, "reduce_interleaved", 1, r.size(4'194'304, 8192), false);
}
void reduce_strided(Run& r) {
  reduce_of(r, "reduce_strided", 32, r.size(16'777'216, 16'384), true);
}

void scan_of(Run& r, const char* kernel, std::size_t per_group, bool exclusive) {
  const std::size_t n = r.size(4'194'304, 8192), groups = n / per_group;
  const auto a = integers(n, 1, 1000);
  std::vector<std::uint32_t> out(n), want(n);
  r.plain([&] {
    parallel(groups, [&](std::size_t g, std::size_t end) {
      for (; g < end; ++g) {
        std::uint32_t sum = 0;
        for (std::size_t i = g * per_group; i < (g + 1) * per_group; ++i) {
          const std::uint32_t before = sum;
          sum += a[i];
          want[i] = exclusive ? before : sum;
        }
      }
    });
  });
  r.source(kSource);
  r.launch(kernel, {{groups * kWidth}, {kWidth}, {}}, in(a), out_of(out));
  r.work(8.0 * n, "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want);
}
void scan_hillis(Run& r) {
  scan_of(r, "scan_hillis", kWidth, false);
}
void scan_blelloch(Run& r) {
  scan_of(r, "scan_blelloch", 2 * kWidth, true);
}

void barriers(Run& r) {
  const std::size_t n = r.size(524'288, 1024);
  const std::size_t rounds = 64;
  const auto a = floats(n, 1);
  std::vector<float> out(n), want(n);
  r.plain([&] {
    parallel(n / kWidth, [&](std::size_t g, std::size_t end) {
      for (; g < end; ++g) {
        float ring[2][kWidth + 1];
        std::copy_n(&a[g * kWidth], kWidth, ring[0]);
        for (std::size_t k = 0; k < rounds; ++k) {
          float* from = ring[k & 1];
          float* to = ring[(k + 1) & 1];
          from[kWidth] = from[0];
          for (std::size_t i = 0; i < kWidth; ++i) to[i] = 0.5f * (from[i] + from[i + 1]);
        }
        std::copy_n(ring[rounds & 1], kWidth, &want[g * kWidth]);
      }
    });
  });
  r.source(kSource);
  r.launch("barriers", {{n}, {kWidth}, {}}, in(a), out_of(out), static_cast<cl_int>(rounds));
  r.work(static_cast<double>(n * rounds), "item");
  if (r.go()) r.check(out, want, 1e-5);
}

void softmax_of(Run& r, const char* kernel, bool group) {
  const std::size_t rows = r.size(1024, 64), columns = r.size(1000, 200);
  const auto a = floats(rows * columns, 1, -4, 4);
  std::vector<float> out(rows * columns), want(rows * columns);
  r.plain([&] {
    parallel(rows, [&](std::size_t row, std::size_t end) {
      for (; row < end; ++row) {
        const float* from = &a[row * columns];
        float* to = &want[row * columns];
        float most = from[0], sum = 0;
        for (std::size_t k = 0; k < columns; ++k) most = std::max(most, from[k]);
        for (std::size_t k = 0; k < columns; ++k) sum += to[k] = std::exp(from[k] - most);
        for (std::size_t k = 0; k < columns; ++k) to[k] *= 1 / sum;
      }
    });
  });
  r.source(kSource);
  r.launch(kernel, {{group ? rows * kWidth : rows}, {group ? kWidth : 32}, {}}, in(a), out_of(out),
           static_cast<cl_int>(columns));
  r.work(static_cast<double>(rows * columns), "item");
  if (r.go()) r.check(out, want, 1e-5);
}
void softmax(Run& r) {
  softmax_of(r, "softmax", true);
}
void softmax_row(Run& r) {
  softmax_of(r, "softmax_row", false);
}

}  // namespace

void add_reduce(Suite& suite) {
  suite.insert(suite.end(), {{"workgroup/reduce_tree", reduce_tree},
                             {"workgroup/reduce_interleaved", reduce_interleaved},
                             {"workgroup/reduce_strided", reduce_strided},
                             {"workgroup/scan_hillis", scan_hillis},
                             {"workgroup/scan_blelloch", scan_blelloch},
                             {"workgroup/barriers_in_loop", barriers},
                             {"workgroup/softmax", softmax},
                             {"workgroup/softmax_row", softmax_row}});
}

}  // namespace lanewise::bench
