// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops: with a barrier in each iteration, over a whole grid, until a first hit; vectors of the source; pixels.
#include <algorithm>
#include <cstring>

#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

const char* const kSource = R"(
// The cheapest way down a wall, some rows at a time; a block's border is lost with each row.
#define WIDTH 256
kernel void cheapest_way(int rows, global const int* wall, global const int* from, global int* to, int columns,
                         int start, int border) {
  local int before[WIDTH], result[WIDTH];
  const int id = get_local_id(0);
  const int first = (WIDTH - rows * 2) * (int)get_group_id(0) - border, x = first + id;
  const int low = first < 0 ? -first : 0, high = first + WIDTH - 1 > columns - 1 ? WIDTH - 1 - (first + WIDTH - columns)
                                                                               : WIDTH - 1;
  const int west = max(id - 1, low), east = min(id + 1, high);
  const bool valid = id >= low && id <= high;
  if (x >= 0 && x < columns) before[id] = from[x];
  barrier(CLK_LOCAL_MEM_FENCE);
  bool computed = false;
  for (int i = 0; i < rows; ++i) {
    computed = false;
    if (id >= i + 1 && id <= WIDTH - i - 2 && valid) {
      computed = true;
      int shortest = min(min(before[west], before[id]), before[east]);
      result[id] = shortest + wall[columns * (start + i) + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == rows - 1) break;
    if (computed) before[id] = result[id];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (computed) to[x] = result[id];
}
// Each work-item adds up elements as far apart as the launch is wide.
kernel void sum_by_strides(global const float* in, global float* out, int n) {
  float sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += in[i] * in[i];
  out[get_global_id(0)] = sum;
}
// The first element of its row that is above a bound.
kernel void first_hit(global const float* in, global int* out, float bound, int length) {
  const int row = get_global_id(0);
  int found = -1;
  for (int k = 0; k < length; ++k)
    if (in[row * length + k] > bound) {
      found = k;
      break;
    }
  out[row] = found;
}
// Four points of the Mandelbrot set a work-item, in vectors of the source.
kernel void mandelbrot4(global uint4* out, float x0, float y0, float step, int limit, int width) {
  const int tx = get_global_id(0), ty = get_global_id(1);
  const float4 cx = (float4)(x0 + step * (4 * tx)) + step * (float4)(0, 1, 2, 3), cy = (float4)(y0 + step * ty);
  float4 x = cx, y = cy;
  uint4 count = 0;
  int4 stay = (int4)(-1);
  for (int n = 0; n < limit && any(stay); ++n) {
    float4 xx = x * x, yy = y * y;
    stay = xx + yy <= 4.0f;
    count += as_uint4(stay & 1);
    float4 xy = x * y;
    x = select(x, xx - yy + cx, stay);
    y = select(y, 2.0f * xy + cy, stay);
  }
  out[ty * (width / 4) + tx] = count;
}
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void copy_pixels(read_only image2d_t in, write_only image2d_t out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imageui(out, at, read_imageui(in, nearest, at));
}
// Luminance and the edges of a picture of bytes: four loads of a pixel, and a filter over neighbours.
kernel void edges(global const uchar4* in, global uchar4* out) {
  const uint x = get_global_id(0), y = get_global_id(1), width = get_global_size(0), height = get_global_size(1);
  const int c = x + y * width;
  if (x < 1 || x >= width - 1 || y < 1 || y >= height - 1) {
    out[c] = (uchar4)(0);
    return;
  }
  float4 i00 = convert_float4(in[c - 1 - width]), i10 = convert_float4(in[c - width]);
  float4 i20 = convert_float4(in[c + 1 - width]), i01 = convert_float4(in[c - 1]), i21 = convert_float4(in[c + 1]);
  float4 i02 = convert_float4(in[c - 1 + width]), i12 = convert_float4(in[c + width]);
  float4 i22 = convert_float4(in[c + 1 + width]);
  float4 gx = i00 + 2.0f * i10 + i20 - i02 - 2.0f * i12 - i22, gy = i00 - i20 + 2.0f * i01 - 2.0f * i21 + i02 - i22;
  out[c] = convert_uchar4_sat(hypot(gx, gy) / 2.0f);
}
)";

void cheapest_way(Run& r) {
  constexpr int kWidth = 256, kRows = 20;
  const int columns = static_cast<int>(r.size(1'000'000, 3000));
  const auto wall = integers(static_cast<std::size_t>(columns) * kRows, 1, 10), from = integers(columns, 2, 10);
  std::vector<std::uint32_t> out(columns), want(columns);
  constexpr int kInner = kWidth - 2 * kRows, kLane = 2048;
  r.plain([&] {
    parallel((columns + kLane - 1) / kLane, [&](std::size_t block, std::size_t end) {
      for (; block < end; ++block) {
        const int first = static_cast<int>(block) * kLane, last = std::min(first + kLane, columns);
        const int low = std::max(first - kRows, 0), high = std::min(last + kRows, columns);
        std::uint32_t rows[2][kLane + 2 * kRows + 2];
        for (int x = low; x < high; ++x) rows[0][x - low + 1] = from[x];
        for (int i = 0; i < kRows; ++i) {
          std::uint32_t* before = rows[i & 1];
          std::uint32_t* after = rows[(i + 1) & 1];
          before[0] = before[1];
          before[high - low + 1] = before[high - low];
          const std::uint32_t* costs = &wall[static_cast<std::size_t>(columns) * i + low];
          for (int x = 1; x <= high - low; ++x)
            after[x] = std::min(std::min(before[x - 1], before[x]), before[x + 1]) + costs[x - 1];
        }
        for (int x = first; x < last; ++x) want[x] = rows[kRows & 1][x - low + 1];
      }
    });
  });
  r.source(kSource);
  const std::size_t groups = (static_cast<std::size_t>(columns) + kInner - 1) / kInner;
  r.launch("cheapest_way", {{groups * kWidth}, {kWidth}, {}}, kRows, in(wall), in(from), out_of(out), columns, 0,
           kRows);
  r.work(static_cast<double>(columns) * kRows, "item");
  if (r.go()) r.check(out, want);
}

void sum_by_strides(Run& r) {
  const std::size_t n = r.size(16'777'216, 100'003), items = 4096;
  const auto a = floats(n, 1);
  std::vector<float> out(items), want(items);
  r.plain([&] {
    parallel(items, [&](std::size_t block, std::size_t end) {
      for (; block < end; ++block) {
        float sum = 0;
        for (std::size_t i = block * n / items; i < (block + 1) * n / items; ++i) sum += a[i] * a[i];
        want[block] = sum;
      }
    });
  });
  r.reference([&] {
    std::fill(want.begin(), want.end(), 0.0F);
    for (std::size_t i = 0; i < n; ++i) want[i % items] += a[i] * a[i];
  });
  r.source(kSource);
  r.launch("sum_by_strides", {{items}, {256}, {}}, in(a), out_of(out), static_cast<cl_int>(n));
  r.work(4.0 * static_cast<double>(n), "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want, 1e-3);
}

void first_hit(Run& r) {
  const std::size_t length = 256, rows = r.size(65'536, 133);
  const auto a = floats(length * rows, 1);
  std::vector<std::int32_t> out(rows), want(rows);
  constexpr float kBound = 0.99F;
  r.plain([&] {
    parallel(rows, [&](std::size_t row, std::size_t end) {
      for (; row < end; ++row) {
        const float* from = &a[row * length];
        std::size_t k = 0;
        const auto above = [&](std::size_t at) {
          std::uint32_t any = 0;
          for (std::size_t lane = 0; lane < 16; ++lane) any |= from[at + lane] > kBound;
          return any != 0;
        };
        while (k < length && !above(k)) k += 16;
        while (k < length && from[k] <= kBound) ++k;
        want[row] = k == length ? -1 : static_cast<std::int32_t>(k);
      }
    });
  });
  r.source(kSource);
  r.launch("first_hit", {{rows}, {}, {}}, in(a), out_of(out), kBound, static_cast<cl_int>(length));
  r.work(static_cast<double>(rows), "item");
  if (r.go()) r.check(out, want);
}

void mandelbrot4(Run& r) {
  const std::size_t width = r.size(1024, 132), height = r.size(1024, 61);
  const int limit = 256;
  const float step = 2.5F / static_cast<float>(width), x0 = -2, y0 = -1.25F;
  std::vector<std::uint32_t> out(width * height), want(width * height);
  constexpr std::size_t kLanes = 16;
  r.plain([&] {
    parallel(height, [&](std::size_t row, std::size_t end) {
      for (; row < end; ++row)
        for (std::size_t at = 0; at < width; at += kLanes) {
          const std::size_t lanes = std::min(kLanes, width - at);
          float cx[kLanes], x[kLanes], y[kLanes];
          const float cy = y0 + step * static_cast<float>(row);
          std::uint32_t count[kLanes] = {}, stays[kLanes];
          std::fill_n(stays, kLanes, 1U);
          for (std::size_t k = 0; k < kLanes; ++k) x[k] = cx[k] = x0 + step * static_cast<float>(at + k), y[k] = cy;
          for (int n = 0; n < limit; ++n) {
            std::uint32_t any = 0;
            for (std::size_t k = 0; k < kLanes; ++k) {
              const float xx = x[k] * x[k], yy = y[k] * y[k], xy = x[k] * y[k];
              const std::uint32_t stay = xx + yy <= 4.0F ? 1 : 0;
              stays[k] &= stay;
              count[k] += stays[k];
              x[k] = xx - yy + cx[k];
              y[k] = 2 * xy + cy;
              any |= stays[k];
            }
            if (any == 0) break;
          }
          std::copy_n(count, lanes, &want[row * width + at]);
        }
    });
  });
  r.source(kSource);
  r.launch("mandelbrot4", {{width / 4, height}, {}, {}}, out_of(out), x0, y0, step, limit, static_cast<cl_int>(width));
  r.work(static_cast<double>(width * height), "pixel");
  if (r.go()) r.check(out, want, 0, 0.02);
}

void copy_pixels(Run& r) {
  const std::size_t width = r.size(2000, 131), height = r.size(1500, 77);
  const auto a = octets(width * height * 4, 1);
  std::vector<std::uint8_t> out(a.size()), want(a.size());
  r.plain([&] {
    parallel(height, [&](std::size_t y, std::size_t end) {
      std::memcpy(&want[y * width * 4], &a[y * width * 4], (end - y) * width * 4);
    });
  });
  r.source(kSource);
  const Picture picture{{CL_RGBA, CL_UNSIGNED_INT8}, {width, height, 0}};
  r.launch("copy_pixels", {{width, height}, {}, {}}, image(picture, in(a)), image(picture, out_of(out)));
  r.work(static_cast<double>(width * height), "pixel");
  if (r.go()) r.check(out, want);
}

void edges(Run& r) {
  const std::size_t width = r.size(1920, 131), height = r.size(1080, 77);
  const auto a = octets(width * height * 4, 1);
  std::vector<std::uint8_t> out(a.size()), want(a.size());
  r.plain([&] {
    std::fill(want.begin(), want.end(), std::uint8_t{0});
    parallel(height - 2, [&](std::size_t row, std::size_t end) {
      for (; row < end; ++row) {
        const std::uint8_t* here = &a[(row + 1) * width * 4];
        const std::uint8_t *north = here - width * 4, *south = here + width * 4;
        std::uint8_t* to = &want[(row + 1) * width * 4];
        for (std::size_t i = 4; i < width * 4 - 4; ++i) {
          const auto gx = north[i - 4] + 2 * north[i] + north[i + 4] - south[i - 4] - 2 * south[i] - south[i + 4];
          const int gy = north[i - 4] - north[i + 4] + 2 * here[i - 4] - 2 * here[i + 4] + south[i - 4] - south[i + 4];
          const float length = std::sqrt(static_cast<float>(gx * gx + gy * gy)) / 2;
          to[i] = static_cast<std::uint8_t>(std::min(length, 255.0F));
        }
      }
    });
  });
  r.source(kSource);
  r.launch("edges", {{width, height}, {}, {}}, in(a), out_of(out));
  r.work(static_cast<double>(width * height), "pixel");
  if (r.go()) r.check(out, want, 1);
}

}  // namespace

void add_family_loops(Suite& suite) {
  suite.insert(suite.end(), {{"loops/cheapest_way", cheapest_way},
                             {"loops/sum_by_strides", sum_by_strides},
                             {"loops/first_hit", first_hit},
                             {"loops/mandelbrot4", mandelbrot4},
                             {"loops/copy_pixels", copy_pixels},
                             {"loops/edges", edges}});
}

}  // namespace lanewise::bench
