// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays in private memory: indexed by constants, by loop counters, and by data.
#include <algorithm>

#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

const char* const kSource = R"(
#define ORDER(a, b) { float t = fmin(v[a], v[b]); v[b] = fmax(v[a], v[b]); v[a] = t; }
kernel void median9(global const float* in, global float* out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  float v[9];
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) v[j * 3 + i] = in[(y + j - 1) * width + x + i - 1];
  ORDER(1, 2) ORDER(4, 5) ORDER(7, 8) ORDER(0, 1) ORDER(3, 4) ORDER(6, 7) ORDER(1, 2) ORDER(4, 5) ORDER(7, 8)
  ORDER(0, 3) ORDER(5, 8) ORDER(4, 7) ORDER(3, 6) ORDER(1, 4) ORDER(2, 5) ORDER(4, 7) ORDER(4, 2) ORDER(6, 4) ORDER(4, 2)
  out[y * width + x] = v[4];
}
#define COUNT 16
kernel void insertion_sort(global const float* in, global float* out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float v[COUNT];
  for (int k = 0; k < COUNT; ++k) v[k] = in[k * n + i];
  for (int k = 1; k < COUNT; ++k) {
    float x = v[k];
    int j = k - 1;
    while (j >= 0 && v[j] > x) { v[j + 1] = v[j]; --j; }
    v[j + 1] = x;
  }
  for (int k = 0; k < COUNT; ++k) out[k * n + i] = v[k];
}
kernel void private_bins(global const uchar* in, global uint* out, int length) {
  size_t i = get_global_id(0);
  uint bins[16];
  for (int k = 0; k < 16; ++k) bins[k] = 0;
  for (int k = 0; k < length; ++k) bins[in[k * get_global_size(0) + i] >> 4]++;
  uint best = 0;
  for (int k = 1; k < 16; ++k)
    if (bins[k] > bins[best]) best = k;
  out[i] = best * 256u + bins[best];
}
// Eight numbers of each work-item through a small dense matrix.
kernel void dct8(global const float* in, constant float* cosines, global float* out) {
  size_t i = get_global_id(0);
  float v[8];
  for (int k = 0; k < 8; ++k) v[k] = in[i * 8 + k];
  for (int k = 0; k < 8; ++k) {
    float sum = 0;
    for (int j = 0; j < 8; ++j) sum += cosines[k * 8 + j] * v[j];
    out[i * 8 + k] = sum;
  }
}
)";

void median9(Run& r) {
  const std::size_t width = r.size(1920, 133), height = r.size(1080, 61);
  const auto a = floats(width * height, 1);
  std::vector<float> out(a.size()), want(a.size());
  r.reference([&] {
    parallel(height - 2, [&](std::size_t y, std::size_t end) {
      for (++y, ++end; y < end; ++y)
        for (std::size_t x = 1; x < width - 1; ++x) {
          float v[9];
          for (std::size_t k = 0; k < 9; ++k) v[k] = a[(y + k / 3 - 1) * width + x + k % 3 - 1];
          std::nth_element(v, v + 4, v + 9);
          want[y * width + x] = v[4];
        }
    });
  });
  r.source(kSource);
  r.launch("median9", {{width, height}, {}, {}}, in(a), out_of(out), static_cast<cl_int>(width),
           static_cast<cl_int>(height));
  r.work(8.0 * width * height, "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want);
}

void insertion_sort(Run& r) {
  const std::size_t n = r.size(131'072, 1024), count = 16;
  const auto a = floats(n * count, 1);
  std::vector<float> out(a.size()), want(a.size());
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        float v[count];
        for (std::size_t k = 0; k < count; ++k) v[k] = a[k * n + i];
        for (std::size_t k = 1; k < count; ++k) {
          const float x = v[k];
          std::size_t j = k;
          for (; j > 0 && v[j - 1] > x; --j) v[j] = v[j - 1];
          v[j] = x;
        }
        for (std::size_t k = 0; k < count; ++k) want[k * n + i] = v[k];
      }
    });
  });
  r.source(kSource);
  r.launch("insertion_sort", {{n}, {64}, {}}, in(a), out_of(out));
  r.work(static_cast<double>(n * count), "item");
  if (r.go()) r.check(out, want);
}

void private_bins(Run& r) {
  const std::size_t n = r.size(65'536, 1024), length = 128;
  const auto a = octets(n * length, 1);
  std::vector<std::uint32_t> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        std::uint32_t bins[16] = {}, best = 0;
        for (std::size_t k = 0; k < length; ++k) ++bins[a[k * n + i] >> 4];
        for (std::uint32_t k = 1; k < 16; ++k)
          if (bins[k] > bins[best]) best = k;
        want[i] = best * 256 + bins[best];
      }
    });
  });
  r.source(kSource);
  r.launch("private_bins", {{n}, {64}, {}}, in(a), out_of(out), static_cast<cl_int>(length));
  r.work(static_cast<double>(n * length), "item");
  if (r.go()) r.check(out, want);
}

void dct8(Run& r) {
  const std::size_t n = r.size(1'048'576, 1024);
  const auto a = floats(n * 8, 1), cosines = floats(64, 2, -1, 1);
  std::vector<float> out(a.size()), want(a.size());
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        float sum[8] = {};
        for (std::size_t j = 0; j < 8; ++j)
          for (std::size_t k = 0; k < 8; ++k) sum[k] += cosines[k * 8 + j] * a[i * 8 + j];
        std::copy(sum, sum + 8, &want[i * 8]);
      }
    });
  });
  r.source(kSource);
  r.launch("dct8", {{n}, {64}, {}}, in(a), in(cosines), out_of(out));
  r.work(64.0 * n, "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want, 1e-5);
}

}  // namespace

void add_private(Suite& suite) {
  suite.insert(suite.end(), {{"workgroup/private_median9", median9},
                             {"workgroup/private_insertion_sort", insertion_sort},
                             {"workgroup/private_bins", private_bins},
                             {"workgroup/private_dct8", dct8}});
}

}  // namespace lanewise::bench
