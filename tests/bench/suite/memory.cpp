// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams, strides, transposes and layouts: all of them should reach the machine's bandwidth.
#include <iterator>
#include <numeric>

#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

const char* const kSource = R"(
kernel void copy(global const float* in, global float* out) {
  size_t i = get_global_id(0);
  out[i] = in[i];
}
kernel void copy_char(global const uchar* in, global uchar* out) {
  size_t i = get_global_id(0);
  out[i] = in[i];
}
kernel void triad(global const float* b, global const float* c, global float* a, float s) {
  size_t i = get_global_id(0);
  a[i] = b[i] + s * c[i];
}
kernel void triad_double(global const double* b, global const double* c, global double* a, double s) {
  size_t i = get_global_id(0);
  a[i] = b[i] + s * c[i];
}
kernel void triad_float4(global const float4* b, global const float4* c, global float4* a, float s) {
  size_t i = get_global_id(0);
  a[i] = b[i] + s * c[i];
}
kernel void reverse(global const float* in, global float* out) {
  size_t i = get_global_id(0);
  out[i] = in[get_global_size(0) - 1 - i];
}
kernel void grid_stride(global const float* b, global const float* c, global float* a, float s, uint n) {
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) a[i] = b[i] + s * c[i];
}
kernel void row_sums(global const float* in, global float* out, int n) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += in[i * n + k];
  out[i] = sum;
}
kernel void byte_rows(global const uchar* in, global const uchar* x, global uint* out, int n) {
  size_t i = get_global_id(0);
  uint sum = 0;
  for (int k = 0; k < n; ++k) sum += in[i * n + k] * x[k];
  out[i] = sum;
}
kernel void strided(global const float* in, global float* out, int stride) {
  int i = get_global_id(0);
  out[i] = in[i * stride];
}
kernel void transpose_naive(global const float* in, global float* out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}
#define TILE 16
kernel void transpose_local(global const float* in, global float* out, int width, int height) {
  local float tile[TILE][TILE + 1];
  int lx = get_local_id(0), ly = get_local_id(1);
  int x = get_group_id(0) * TILE + lx, y = get_group_id(1) * TILE + ly;
  if (x < width && y < height) tile[ly][lx] = in[y * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * TILE + lx;
  y = get_group_id(0) * TILE + ly;
  if (x < height && y < width) out[y * height + x] = tile[lx][ly];
}
typedef struct { float x, y, z, mass, vx, vy, vz, charge; } Particle;
kernel void aos(global Particle* p, global float* energy) {
  size_t i = get_global_id(0);
  Particle q = p[i];
  energy[i] = 0.5f * q.mass * (q.vx * q.vx + q.vy * q.vy + q.vz * q.vz);
}
kernel void aos_float3(global const float* p, global float* out) {
  size_t i = get_global_id(0);
  float3 v = vload3(i, p);
  vstore3(v * rsqrt(dot(v, v)), i, out);
}
kernel void soa(global const float* mass, global const float* vx, global const float* vy, global const float* vz,
                global float* energy) {
  size_t i = get_global_id(0);
  energy[i] = 0.5f * mass[i] * (vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]);
}
)";

void copy(Run& r) {
  const std::size_t n = r.size(16'777'216, 8192);
  const auto a = floats(n, 1);
  std::vector<float> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) want[i] = a[i];
    });
  });
  r.source(kSource);
  r.launch("copy", {{n}, {256}, {}}, in(a), out_of(out));
  r.work(8.0 * static_cast<double>(n), "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want);
}

void copy_char(Run& r) {
  const std::size_t n = r.size(67'108'864, 8192);
  const auto a = octets(n, 1);
  std::vector<std::uint8_t> out(n), want(n);
  const std::uint8_t* from = a.data();
  std::uint8_t* to = want.data();  // by pointer: a byte may alias anything, the vector's own pointer too
  r.plain([&] {
    parallel(n, [=](std::size_t i, std::size_t end) {
      for (; i < end; ++i) to[i] = from[i];
    });
  });
  r.source(kSource);
  r.launch("copy_char", {{n}, {256}, {}}, in(a), out_of(out));
  r.work(2.0 * static_cast<double>(n), "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want);
}

template <class T>
void triad_of(Run& r, const char* kernel, std::size_t n, std::size_t per_item, const std::vector<T>& b,
              const std::vector<T>& c) {
  std::vector<T> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) want[i] = b[i] + T(3) * c[i];
    });
  });
  r.source(kSource);
  r.launch(kernel, {{n / per_item}, {128}, {}}, in(b), in(c), out_of(out), T(3));
  r.work(3.0 * static_cast<double>(sizeof(T) * n), "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want, 1e-6);
}
void triad(Run& r) {
  const std::size_t n = r.size(16'777'216, 8192);
  triad_of(r, "triad", n, 1, floats(n, 1), floats(n, 2));
}
void triad_float4(Run& r) {
  const std::size_t n = r.size(16'777'216, 8192);
  triad_of(r, "triad_float4", n, 4, floats(n, 1), floats(n, 2));
}
void triad_double(Run& r) {
  const std::size_t n = r.size(8'388'608, 8192);
  triad_of(r, "triad_double", n, 1, doubles(n, 1), doubles(n, 2));
}

void reverse(Run& r) {
  const std::size_t n = r.size(16'777'216, 8192);
  const auto a = floats(n, 1);
  std::vector<float> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) want[i] = a[n - 1 - i];
    });
  });
  r.source(kSource);
  r.launch("reverse", {{n}, {256}, {}}, in(a), out_of(out));
  r.work(8.0 * static_cast<double>(n), "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want);
}

void grid_stride(Run& r) {
  const std::size_t n = r.size(16'777'216, 10'007);
  const auto b = floats(n, 1), c = floats(n, 2);
  std::vector<float> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) want[i] = b[i] + 3.0f * c[i];
    });
  });
  r.source(kSource);
  r.launch("grid_stride", {{4096}, {128}, {}}, in(b), in(c), out_of(out), 3.0f, static_cast<cl_uint>(n));
  r.work(12.0 * static_cast<double>(n), "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want, 1e-6);
}

/// Each work-item sums a row of its own.
void row_sums(Run& r) {
  const std::size_t n = r.size(1000, 101), rows = r.size(4096, 67);
  const auto a = floats(rows * n, 1);
  std::vector<float> out(rows), want(rows);
  r.plain([&] {
    parallel(
        rows,
        [&](std::size_t i, std::size_t end) {
          for (; i < end; ++i) {
            float sums[16] = {};  // in another order, which is more than a kernel may do
            std::size_t k = 0;
            for (; k + 16 <= n; k += 16)
              for (std::size_t l = 0; l < 16; ++l) sums[l] += a[i * n + k + l];
            for (; k < n; ++k) sums[0] += a[i * n + k];
            want[i] = std::accumulate(std::begin(sums), std::end(sums), 0.0f);
          }
        },
        8);
  });
  r.source(kSource);
  r.launch("row_sums", {{rows}, {}, {}}, in(a), out_of(out), static_cast<cl_int>(n));
  r.work(4.0 * static_cast<double>(rows * n), "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want, 1e-4);
}

void byte_rows(Run& r) {
  const std::size_t n = r.size(1024, 101), rows = r.size(16384, 67);
  const auto a = octets(rows * n, 1), x = octets(n, 2);
  std::vector<std::uint32_t> out(rows), want(rows);
  r.plain([&] {
    parallel(
        rows,
        [&](std::size_t i, std::size_t end) {
          for (; i < end; ++i) {
            std::uint32_t sum = 0;
            for (std::size_t k = 0; k < n; ++k) sum += static_cast<std::uint32_t>(a[i * n + k] * x[k]);
            want[i] = sum;
          }
        },
        8);
  });
  r.source(kSource);
  r.launch("byte_rows", {{rows}, {}, {}}, in(a), in(x), out_of(out), static_cast<cl_int>(n));
  r.work(2.0 * static_cast<double>(rows * n), "op");
  if (r.go()) r.check(out, want);
}

/// Reads one of eight floats: whole cache lines are transferred nevertheless.
void strided(Run& r) {
  const std::size_t n = r.size(4'194'304, 2048);
  constexpr int kStride = 8;
  const auto a = floats(n * kStride, 1);
  std::vector<float> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) want[i] = a[i * kStride];
    });
  });
  r.source(kSource);
  r.launch("strided", {{n}, {256}, {}}, in(a), out_of(out), kStride);
  r.work((kStride + 1) * 4.0 * static_cast<double>(n), "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want);
}

void transpose_of(Run& r, const char* kernel) {
  const std::size_t width = r.size(3000, 117), height = r.size(2000, 83);
  const auto a = floats(width * height, 1);
  std::vector<float> out(a.size()), want(a.size());
  constexpr std::size_t kBlock = 16;
  r.plain([&] {
    parallel((height + kBlock - 1) / kBlock, [&](std::size_t block, std::size_t end) {
      for (; block < end; ++block)
        for (std::size_t x0 = 0; x0 < width; x0 += kBlock)
          for (std::size_t x = x0; x < std::min(x0 + kBlock, width); ++x)
            for (std::size_t y = block * kBlock; y < std::min((block + 1) * kBlock, height); ++y)
              want[x * height + y] = a[y * width + x];
    });
  });
  r.source(kSource);
  r.launch(kernel, {{round_up(width, 16), round_up(height, 16)}, {16, 16}, {}}, in(a), out_of(out),
           static_cast<cl_int>(width), static_cast<cl_int>(height));
  r.work(8.0 * static_cast<double>(width * height), "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want);
}
void transpose_naive(Run& r) {
  transpose_of(r, "transpose_naive");
}
void transpose_local(Run& r) {
  transpose_of(r, "transpose_local");
}

void aos(Run& r) {
  const std::size_t n = r.size(4'194'304, 4096);
  const auto p = floats(n * 8, 1);
  std::vector<float> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        const float* q = &p[i * 8];
        want[i] = 0.5f * q[3] * (q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
      }
    });
  });
  r.source(kSource);
  r.launch("aos", {{n}, {128}, {}}, in(p), out_of(out));
  r.work(36.0 * static_cast<double>(n), "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want, 1e-5);
}

void aos_float3(Run& r) {
  const std::size_t n = r.size(6'291'456, 4096);
  const auto p = floats(n * 3, 1, 0.1f, 1);
  std::vector<float> out(n * 3), want(n * 3);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        const float x = p[i * 3], y = p[i * 3 + 1], z = p[i * 3 + 2];
        const float scale = 1 / std::sqrt(x * x + y * y + z * z);
        want[i * 3] = x * scale;
        want[i * 3 + 1] = y * scale;
        want[i * 3 + 2] = z * scale;
      }
    });
  });
  r.source(kSource);
  r.launch("aos_float3", {{n}, {128}, {}}, in(p), out_of(out));
  r.work(24.0 * static_cast<double>(n), "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want, 1e-5);
}

void soa(Run& r) {
  const std::size_t n = r.size(8'388'608, 4096);
  const auto m = floats(n, 1), x = floats(n, 2), y = floats(n, 3), z = floats(n, 4);
  std::vector<float> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) want[i] = 0.5f * m[i] * (x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
    });
  });
  r.source(kSource);
  r.launch("soa", {{n}, {128}, {}}, in(m), in(x), in(y), in(z), out_of(out));
  r.work(20.0 * static_cast<double>(n), "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want, 1e-5);
}

}  // namespace

void add_memory(Suite& suite) {
  suite.insert(suite.end(), {{"memory/copy", copy},
                             {"memory/copy_char", copy_char},
                             {"memory/triad", triad},
                             {"memory/triad_double", triad_double},
                             {"memory/triad_float4", triad_float4},
                             {"memory/reverse", reverse},
                             {"memory/grid_stride", grid_stride},
                             {"memory/row_sums", row_sums},
                             {"memory/byte_rows", byte_rows},
                             {"memory/strided", strided},
                             {"memory/transpose_naive", transpose_naive},
                             {"memory/transpose_local", transpose_local},
                             {"memory/aos", aos},
                             {"memory/aos_float3", aos_float3},
                             {"memory/soa", soa}});
}

}  // namespace lanewise::bench
