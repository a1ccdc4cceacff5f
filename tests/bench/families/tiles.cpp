// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of global memory that a group stages in local memory. Plain C++ reads global memory, which caches hold.
#include <algorithm>
#include <cmath>

#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

const char* const kSource = R"(
// Rows with a filter of 17 taps; a work-item has eight results, 16 apart, between two borders.
#define RADIUS 8
#define STEPS 8
kernel void filter_rows(global const float* in, constant float* taps, global float* out, int width, int pitch) {
  local float tile[4][(STEPS + 2) * 16];
  const int lx = get_local_id(0), ly = get_local_id(1);
  const int x = ((int)get_group_id(0) * STEPS - 1) * 16 + lx, y = get_global_id(1);
  in += y * pitch + x;
  out += y * pitch + x;
  for (int i = 1; i < 1 + STEPS; ++i) tile[ly][lx + i * 16] = in[i * 16];
  tile[ly][lx] = x >= 0 ? in[0] : 0;
  tile[ly][lx + (STEPS + 1) * 16] = width - x > (STEPS + 1) * 16 ? in[(STEPS + 1) * 16] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 1; i < 1 + STEPS; ++i) {
    float sum = 0;
    for (int j = -RADIUS; j <= RADIUS; ++j) sum += taps[RADIUS - j] * tile[ly][lx + i * 16 + j];
    out[i * 16] = sum;
  }
}
// A plate's heat, with its border; 16 x 16 work-items keep the points of their block, of which the inner ones are written.
kernel void heat(global const float* from, global const float* power, global float* to, int width, int height) {
  local float tile[16][16];
  const int lx = get_local_id(0), ly = get_local_id(1);
  const int x = (int)get_group_id(0) * 14 + lx - 1, y = (int)get_group_id(1) * 14 + ly - 1;
  const bool inside = x >= 0 && y >= 0 && x < width && y < height;
  if (inside) tile[ly][lx] = from[y * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (!inside || lx < 1 || lx > 14 || ly < 1 || ly > 14) return;
  const int west = x == 0 ? lx : lx - 1, east = x == width - 1 ? lx : lx + 1;
  const int north = y == 0 ? ly : ly - 1, south = y == height - 1 ? ly : ly + 1;
  const float here = tile[ly][lx];
  to[y * width + x] = here + 0.1f * (power[y * width + x] + (tile[south][lx] + tile[north][lx] - 2.0f * here) * 0.5f +
                                     (tile[ly][east] + tile[ly][west] - 2.0f * here) * 0.25f);
}
// A product of matrices by blocks of 16 x 16.
kernel void product(global float* c, global const float* a, global const float* b, local float* as, local float* bs,
                    int wa, int wb) {
  const int bx = get_group_id(0), by = get_group_id(1), tx = get_local_id(0), ty = get_local_id(1);
  const int first = wa * 16 * by, last = first + wa - 1;
  float sum = 0;
  for (int i = first, j = 16 * bx; i <= last; i += 16, j += 16 * wb) {
    as[ty * 16 + tx] = a[i + wa * ty + tx];
    bs[ty * 16 + tx] = b[j + wb * ty + tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) sum += as[ty * 16 + k] * bs[k * 16 + tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[(int)get_global_id(1) * wb + (int)get_global_id(0)] = sum;
}
// Bodies attract each other; a group stages as many as it has work-items.
kernel void attract(global const float4* at, global float4* pull, local float4* some, int n, float soft) {
  const int id = get_local_id(0), width = get_local_size(0);
  const float4 mine = at[get_global_id(0)];
  float4 sum = (float4)(0);
  for (int tile = 0; tile < n / width; ++tile) {
    some[id] = at[tile * width + id];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < width; ++k) {
      float4 r = some[k] - mine;
      float square = r.x * r.x + r.y * r.y + r.z * r.z + soft;
      float inverse = rsqrt(square);
      float s = some[k].w * inverse * inverse * inverse;
      sum += s * r;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  pull[get_global_id(0)] = sum;
}
// A matrix is turned by way of a block whose rows are one longer.
kernel void turn(global float* out, global const float* in, int width, int height, local float* block) {
  uint x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  if (x < width && y < height) block[ly * 17 + lx] = in[y * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * 16 + lx;
  y = get_group_id(0) * 16 + ly;
  if (x < height && y < width) out[y * height + x] = block[lx * 17 + ly];
}
)";

constexpr std::size_t kBlock = 16;
constexpr int kLanes = 64;

void filter_rows(Run& r) {
  const int width = static_cast<int>(r.size(3072, 384)), height = static_cast<int>(r.size(2048, 12));
  const auto a = floats(static_cast<std::size_t>(width) * height, 1), taps = floats(17, 2);
  std::vector<float> out(a.size()), want(a.size());
  r.plain([&] {
    parallel(height, [&](std::size_t y, std::size_t end) {
      for (; y < end; ++y) {
        const float* from = &a[y * width];
        for (int x = 0; x < width; x += kLanes) {
          float sums[kLanes] = {};
          if (x >= 8 && x + kLanes + 8 <= width) {
            for (int j = -8; j <= 8; ++j)
              for (int k = 0; k < kLanes; ++k) sums[k] += taps[8 - j] * from[x + k + j];
          } else {
            for (int k = 0; k < kLanes && x + k < width; ++k)
              for (int j = std::max(-8, -x - k); j <= std::min(8, width - 1 - x - k); ++j)
                sums[k] += taps[8 - j] * from[x + k + j];
          }
          std::copy_n(sums, std::min(kLanes, width - x), &want[y * width + x]);
        }
      }
    });
  });
  r.source(kSource);
  r.launch("filter_rows", {{static_cast<std::size_t>(width) / 8, static_cast<std::size_t>(height)}, {16, 4}, {}}, in(a),
           in(taps), out_of(out), width, width);
  r.work(34.0 * width * height, "FLOP", Limit::kFloat);
  if (r.go()) r.check(out, want, 1e-4);
}

void heat(Run& r) {
  const int width = static_cast<int>(r.size(2000, 133)), height = static_cast<int>(r.size(1500, 61));
  const auto a = floats(static_cast<std::size_t>(width) * height, 1), power = floats(a.size(), 2);
  std::vector<float> out(a.size()), want(a.size());
  r.plain([&] {
    parallel(height, [&](std::size_t row, std::size_t end) {
      for (; row < end; ++row) {
        const int y = static_cast<int>(row);
        const float* here = &a[row * width];
        const float* north = y == 0 ? here : here - width;
        const float* south = y == height - 1 ? here : here + width;
        const auto point = [&](int x, int west, int east) {
          want[row * width + x] =
              here[x] + 0.1F * (power[row * width + x] + (south[x] + north[x] - 2 * here[x]) * 0.5F +
                                (here[east] + here[west] - 2 * here[x]) * 0.25F);
        };
        point(0, 0, 1);
        for (int x = 1; x < width - 1; ++x) point(x, x - 1, x + 1);
        point(width - 1, width - 2, width - 1);
      }
    });
  });
  r.source(kSource);
  const auto groups = [](int n) { return (static_cast<std::size_t>(n) + 13) / 14 * kBlock; };
  r.launch("heat", {{groups(width), groups(height)}, {kBlock, kBlock}, {}}, in(a), in(power), out_of(out), width,
           height);
  r.work(12.0 * width * height, "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want, 1e-5);
}

void product(Run& r) {
  const std::size_t n = r.size(512, 64);
  const auto a = floats(n * n, 1), b = floats(n * n, 2);
  std::vector<float> out(n * n), want(n * n);
  r.plain([&] {
    parallel(n / 4, [&](std::size_t block, std::size_t end) {
      for (; block < end; ++block)
        for (std::size_t j = 0; j < n; j += 64) {
          float sums[4][64] = {};
          for (std::size_t k = 0; k < n; ++k)
            for (std::size_t i = 0; i < 4; ++i)
              for (std::size_t x = 0; x < 64; ++x) sums[i][x] += a[(block * 4 + i) * n + k] * b[k * n + j + x];
          for (std::size_t i = 0; i < 4; ++i) std::copy_n(sums[i], 64, &want[(block * 4 + i) * n + j]);
        }
    });
  });
  r.source(kSource);
  r.launch("product", {{n, n}, {kBlock, kBlock}, {}}, out_of(out), in(a), in(b), local(1024), local(1024),
           static_cast<cl_int>(n), static_cast<cl_int>(n));
  r.work(2.0 * static_cast<double>(n * n * n), "FLOP", Limit::kFloat);
  if (r.go()) r.check(out, want, 1e-4);
}

void attract(Run& r) {
  const std::size_t n = r.size(8192, 512);
  const auto at = floats(n * 4, 1);
  std::vector<float> out(n * 4), want(n * 4);
  std::vector<float> parts[4];
  for (std::size_t k = 0; k < 4; ++k) {
    parts[k].resize(n);
    for (std::size_t i = 0; i < n; ++i) parts[k][i] = at[i * 4 + k];
  }
  r.plain([&] {
    const float *xs = parts[0].data(), *ys = parts[1].data(), *zs = parts[2].data(), *ws = parts[3].data();
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        float sx = 0, sy = 0, sz = 0;
        for (std::size_t k = 0; k < n; ++k) {
          const float x = xs[k] - xs[i], y = ys[k] - ys[i], z = zs[k] - zs[i];
          const float square = x * x + y * y + z * z + 0.01F, inverse = 1 / std::sqrt(square);
          const float s = ws[k] * inverse * inverse * inverse;
          sx += s * x, sy += s * y, sz += s * z;
        }
        want[i * 4] = sx, want[i * 4 + 1] = sy, want[i * 4 + 2] = sz;
      }
    });
  });
  r.source(kSource);
  r.launch("attract", {{n}, {256}, {}}, in(at), out_of(out), local(256 * 16), static_cast<cl_int>(n), 0.01F);
  r.work(20.0 * static_cast<double>(n * n), "FLOP", Limit::kFloat);
  if (r.go()) {
    for (std::size_t i = 0; i < n; ++i) out[i * 4 + 3] = 0;
    r.check(out, want, 1e-2);
  }
}

void turn(Run& r) {
  const std::size_t width = r.size(2000, 131), height = r.size(1500, 77);
  const auto a = floats(width * height, 1);
  std::vector<float> out(a.size()), want(a.size());
  r.plain([&] {
    parallel((width + kBlock - 1) / kBlock, [&](std::size_t column, std::size_t end) {
      for (; column < end; ++column)
        for (std::size_t row = 0; row < height; row += kBlock)
          for (std::size_t x = column * kBlock; x < std::min(width, column * kBlock + kBlock); ++x)
            for (std::size_t y = row; y < std::min(height, row + kBlock); ++y) want[x * height + y] = a[y * width + x];
    });
  });
  r.source(kSource);
  const auto rounded = [](std::size_t n) { return (n + kBlock - 1) / kBlock * kBlock; };
  r.launch("turn", {{rounded(width), rounded(height)}, {kBlock, kBlock}, {}}, out_of(out), in(a),
           static_cast<cl_int>(width), static_cast<cl_int>(height), local(17 * 16 * 4));
  r.work(8.0 * static_cast<double>(width * height), "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want);
}

}  // namespace

void add_tiles(Suite& suite) {
  suite.insert(suite.end(), {{"tiles/filter_rows", filter_rows},
                             {"tiles/heat", heat},
                             {"tiles/product", product},
                             {"tiles/attract", attract},
                             {"tiles/turn", turn}});
}

}  // namespace lanewise::bench
