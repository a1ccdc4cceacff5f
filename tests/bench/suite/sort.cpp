// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Butterflies in local memory: bitonic sort and a radix-4 Fourier transform; bitonic steps over global memory.
#include <algorithm>
#include <complex>
#include <numbers>

#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

const char* const kSource = R"(
#define SIZE 256
kernel void bitonic_local(global const uint* in, global uint* out) {
  local uint data[SIZE];
  uint lane = get_local_id(0);
  data[lane] = in[get_global_id(0)];
  for (uint k = 2; k <= SIZE; k *= 2)
    for (uint j = k / 2; j > 0; j /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint other = lane ^ j;
      if (other > lane) {
        uint a = data[lane], b = data[other];
        if ((a > b) == ((lane & k) == 0)) { data[lane] = b; data[other] = a; }
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = data[lane];
}
kernel void bitonic_step(global uint* data, uint j, uint k) {
  uint i = get_global_id(0), low = 2 * i - (i & (j - 1)), high = low + j;
  uint a = data[low], b = data[high];
  bool up = (low & k) == 0;
  data[low] = up ? min(a, b) : max(a, b);
  data[high] = up ? max(a, b) : min(a, b);
}
#define POINTS 1024
#define STEPS 5
float2 times(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
// Stockham, four points per work-item, between two halves of local memory.
kernel void fft4(global const float2* in, global float2* out) {
  local float2 data[2][POINTS];
  int lane = get_local_id(0);
  size_t base = get_group_id(0) * POINTS;
  for (int k = 0; k < 4; ++k) data[0][lane + k * POINTS / 4] = in[base + lane + k * POINTS / 4];
  int from = 0;
  for (int width = 1; width < POINTS; width *= 4) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int j = lane & (width - 1);
    float angle = -6.2831853f * j / (4 * width);
    float2 w1 = (float2)(native_cos(angle), native_sin(angle)), w2 = times(w1, w1), w3 = times(w1, w2);
    float2 a = data[from][lane], b = times(w1, data[from][lane + POINTS / 4]);
    float2 c = times(w2, data[from][lane + POINTS / 2]), d = times(w3, data[from][lane + 3 * POINTS / 4]);
    float2 s = a + c, t = a - c, u = b + d, v = (float2)(b.y - d.y, d.x - b.x);
    int to = ((lane - j) << 2) + j;
    data[1 - from][to] = s + u;
    data[1 - from][to + width] = t + v;
    data[1 - from][to + 2 * width] = s - u;
    data[1 - from][to + 3 * width] = t - v;
    from = 1 - from;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 4; ++k) out[base + lane + k * POINTS / 4] = data[from][lane + k * POINTS / 4];
}
)";

void bitonic_local(Run& r) {
  const std::size_t n = r.size(524'288, 1024);
  const auto a = integers(n, 1);
  std::vector<std::uint32_t> out(n), want = a;
  r.reference([&] {
    parallel(n / 256, [&](std::size_t g, std::size_t end) {
      for (; g < end; ++g) std::sort(want.begin() + g * 256, want.begin() + (g + 1) * 256);
    });
  });
  r.source(kSource);
  r.launch("bitonic_local", {{n}, {256}, {}}, in(a), out_of(out));
  r.work(static_cast<double>(n), "item");
  if (r.go()) r.check(out, want);
}

void bitonic_global(Run& r) {
  const std::size_t n = r.size(262'144, 1024);
  const auto a = integers(n, 1);
  std::vector<std::uint32_t> out = a, want = a;
  r.reference([&] { std::sort(want.begin(), want.end()); });
  r.source(kSource);
  for (std::size_t k = 2; k <= n; k *= 2)
    for (std::size_t j = k / 2; j > 0; j /= 2)
      r.launch("bitonic_step", {{n / 2}, {64}, {}}, out_of(out), static_cast<cl_uint>(j), static_cast<cl_uint>(k));
  r.work(static_cast<double>(n), "item");
  if (r.go()) r.check(out, want);
}

/// Recursive radix 2 in double, as a reference only.
void transform(std::complex<double>* x, std::size_t n) {
  if (n == 1) return;
  std::vector<std::complex<double>> even(n / 2), odd(n / 2);
  for (std::size_t i = 0; i < n / 2; ++i) even[i] = x[2 * i], odd[i] = x[2 * i + 1];
  transform(even.data(), n / 2);
  transform(odd.data(), n / 2);
  for (std::size_t k = 0; k < n / 2; ++k) {
    const auto t = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n)) * odd[k];
    x[k] = even[k] + t;
    x[k + n / 2] = even[k] - t;
  }
}

void fft4(Run& r) {
  constexpr std::size_t kPoints = 1024;
  const std::size_t batches = r.size(512, 5), checked = std::min<std::size_t>(batches, 16);
  const auto a = floats(batches * kPoints * 2, 1, -1, 1);
  std::vector<float> out(a.size()), want(checked * kPoints * 2);
  r.reference([&] {
    for (std::size_t batch = 0; batch < checked; ++batch) {
      std::vector<std::complex<double>> x(kPoints);
      for (std::size_t i = 0; i < kPoints; ++i) x[i] = {a[(batch * kPoints + i) * 2], a[(batch * kPoints + i) * 2 + 1]};
      transform(x.data(), kPoints);
      for (std::size_t i = 0; i < kPoints; ++i) {
        want[(batch * kPoints + i) * 2] = static_cast<float>(x[i].real());
        want[(batch * kPoints + i) * 2 + 1] = static_cast<float>(x[i].imag());
      }
    }
  });
  r.source(kSource);
  r.launch("fft4", {{batches * kPoints / 4}, {kPoints / 4}, {}}, in(a), out_of(out));
  r.work(5.0 * kPoints * 10 * static_cast<double>(batches), "FLOP", Limit::kFloat);  // as is usual: 5 n log2 n
  if (r.go()) r.check(out, want, 1e-3);
}

}  // namespace

void add_sort(Suite& suite) {
  suite.insert(suite.end(), {{"workgroup/bitonic_local", bitonic_local},
                             {"workgroup/bitonic_global", bitonic_global},
                             {"workgroup/fft_radix4", fft4}});
}

}  // namespace lanewise::bench
