// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dense linear algebra and n-body: kernels whose limit should be the multiply-adds.
#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

const char* const kSource = R"(
kernel void matmul_naive(global const float* a, global const float* b, global float* c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
kernel void matmul_double(global const double* a, global const double* b, global double* c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
#define TILE 16
kernel void matmul_tiled(global const float* a, global const float* b, global float* c, int n) {
  local float at[TILE][TILE], bt[TILE][TILE];
  int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += TILE) {
    at[ly][lx] = a[y * n + k0 + lx];
    bt[ly][lx] = b[(k0 + ly) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) sum += at[ly][k] * bt[k][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}
// Any n: work-items beyond the borders wait while the others sum up.
kernel void matmul_bordered(global const float* a, global const float* b, global float* c, int n) {
  local float at[TILE][TILE + 1], bt[TILE][TILE + 1];
  int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  bool inside = x < n && y < n;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += TILE) {
    at[ly][lx] = y < n && k0 + lx < n ? a[y * n + k0 + lx] : 0;
    bt[ly][lx] = x < n && k0 + ly < n ? b[(k0 + ly) * n + x] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (inside)
      for (int k = 0; k < TILE; ++k) sum += at[ly][k] * bt[k][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (inside) c[y * n + x] = sum;
}
// 64 x 64 of c per group of 16 x 16, 4 x 4 per work-item.
kernel void matmul_blocked(global const float* a, global const float* b, global float* c, int n) {
  local float at[16][64], bt[16][64];
  int lx = get_local_id(0), ly = get_local_id(1), id = ly * 16 + lx;
  int x0 = get_group_id(0) * 64, y0 = get_group_id(1) * 64;
  float sum[4][4];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) sum[i][j] = 0;
  for (int k0 = 0; k0 < n; k0 += 16) {
    for (int i = 0; i < 4; ++i) {
      int at_id = id + i * 256;
      at[at_id & 15][at_id >> 4] = a[(y0 + (at_id >> 4)) * n + k0 + (at_id & 15)];
      bt[at_id >> 6][at_id & 63] = b[(k0 + (at_id >> 6)) * n + x0 + (at_id & 63)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) {
      float p[4], q[4];
      for (int i = 0; i < 4; ++i) { p[i] = at[k][ly + i * 16]; q[i] = bt[k][lx + i * 16]; }
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) sum[i][j] += p[i] * q[j];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) c[(y0 + ly + i * 16) * n + x0 + lx + j * 16] = sum[i][j];
}
kernel void gemv_row(global const float* a, global const float* x, global float* y, int n) {
  int row = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * x[k];
  y[row] = sum;
}
kernel void gemv_column(global const float* a, global const float* x, global float* y, int n) {
  int column = get_global_id(0), columns = get_global_size(0);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[k * columns + column] * x[k];
  y[column] = sum;
}
kernel void gemv_group(global const float* a, global const float* x, global float* y, int n, local float* part) {
  int row = get_group_id(0), lane = get_local_id(0), width = get_local_size(0);
  float sum = 0;
  for (int k = lane; k < n; k += width) sum += a[row * n + k] * x[k];
  part[lane] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = width / 2; step > 0; step /= 2) {
    if (lane < step) part[lane] += part[lane + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0) y[row] = part[0];
}
kernel void nbody_naive(global const float4* body, global float4* force, int n) {
  int i = get_global_id(0);
  float4 me = body[i];
  float3 sum = (float3)(0.0f);
  for (int j = 0; j < n; ++j) {
    float4 other = body[j];
    float3 d = other.xyz - me.xyz;
    float inverse = rsqrt(dot(d, d) + 0.01f);
    sum += d * (other.w * inverse * inverse * inverse);
  }
  force[i] = (float4)(sum, 0.0f);
}
kernel void nbody_tiled(global const float4* body, global float4* force, int n, local float4* tile) {
  int i = get_global_id(0), lane = get_local_id(0), width = get_local_size(0);
  float4 me = body[i];
  float x = 0, y = 0, z = 0;
  for (int first = 0; first < n; first += width) {
    tile[lane] = body[first + lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < width; ++j) {
      float4 other = tile[j];
      float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      float inverse = rsqrt(dx * dx + dy * dy + dz * dz + 0.01f);
      float scale = other.w * inverse * inverse * inverse;
      x += dx * scale; y += dy * scale; z += dz * scale;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  force[i] = (float4)(x, y, z, 0.0f);
}
)";

/// Blocks of 4 rows and two vectors of 64 bytes in registers, over panels of 256 of k.
template <class T>
void multiply(const std::vector<T>& a, const std::vector<T>& b, std::vector<T>& c, std::size_t n) {
  typedef T Vector __attribute__((vector_size(64), aligned(sizeof(T))));
  constexpr std::size_t kLanes = 64 / sizeof(T), kRows = 4, kPanel = 256;
  const T *from_a = a.data(), *from_b = b.data();
  T* to = c.data();
  parallel(
      n / kRows,
      [=](std::size_t block, std::size_t last) {
        for (std::size_t k0 = 0; k0 < n; k0 += kPanel)
          for (std::size_t x = 0; x < n; x += 2 * kLanes)
            for (std::size_t y = block * kRows; y < last * kRows; y += kRows) {
              Vector sum[kRows][2] = {};
              for (std::size_t k = k0; k < std::min(k0 + kPanel, n); ++k) {
                const auto* row = reinterpret_cast<const Vector*>(from_b + k * n + x);
                for (std::size_t i = 0; i < kRows; ++i) {
                  const T factor = from_a[(y + i) * n + k];
                  sum[i][0] += factor * row[0];
                  sum[i][1] += factor * row[1];
                }
              }
              for (std::size_t i = 0; i < kRows; ++i) {
                auto* out = reinterpret_cast<Vector*>(to + (y + i) * n + x);
                out[0] = k0 == 0 ? sum[i][0] : out[0] + sum[i][0];
                out[1] = k0 == 0 ? sum[i][1] : out[1] + sum[i][1];
              }
            }
      },
      8);
}

template <class T>
void matmul_of(Run& r, const char* kernel, const std::vector<T>& a, const std::vector<T>& b, std::size_t n,
               const Sizes& sizes, Limit limit) {
  std::vector<T> out(n * n), want(n * n);
  r.plain([&] { multiply(a, b, want, n); });
  r.source(kSource);
  r.launch(kernel, sizes, in(a), in(b), out_of(out), static_cast<cl_int>(n));
  r.work(2.0 * n * n * n, "FLOP", limit);
  if (r.go()) r.check(out, want, 1e-4);
}
void matmul_float(Run& r, const char* kernel, std::size_t n, const Sizes& sizes) {
  matmul_of(r, kernel, floats(n * n, 1), floats(n * n, 2), n, sizes, Limit::kFloat);
}
void matmul_naive(Run& r) {
  const std::size_t n = r.size(1024, 96);
  matmul_float(r, "matmul_naive", n, {{n, n}, {}, {}});
}
void matmul_naive_16(Run& r) {
  const std::size_t n = r.size(512, 96);
  matmul_float(r, "matmul_naive", n, {{n, n}, {16, 16}, {}});
}
void matmul_tiled(Run& r) {
  const std::size_t n = r.size(512, 96);
  matmul_float(r, "matmul_tiled", n, {{n, n}, {16, 16}, {}});
}
void matmul_bordered(Run& r) {
  const std::size_t n = r.size(480, 96);
  matmul_float(r, "matmul_bordered", n, {{n + 16, n + 16}, {16, 16}, {}});
}
void matmul_blocked(Run& r) {
  const std::size_t n = r.size(512, 128);
  matmul_float(r, "matmul_blocked", n, {{n / 4, n / 4}, {16, 16}, {}});
}
void matmul_double(Run& r) {
  const std::size_t n = r.size(512, 128);
  matmul_of(r, "matmul_double", doubles(n * n, 1), doubles(n * n, 2), n, {{n, n}, {64, 1}, {}}, Limit::kDouble);
}

void gemv_of(Run& r, const char* kernel, bool column, bool group, std::size_t n) {
  const auto a = floats(n * n, 1), x = floats(n, 2);
  std::vector<float> out(n), want(n);
  r.plain([&] {
    parallel(
        n,
        [&](std::size_t first, std::size_t end) {
          for (std::size_t i = first; i < end; ++i) {
            float sum = 0;
            if (!column)
              for (std::size_t k = 0; k < n; ++k) sum += a[i * n + k] * x[k];
            want[i] = sum;
          }
          if (column)
            for (std::size_t k = 0; k < n; ++k)
              for (std::size_t i = first; i < end; ++i) want[i] += a[k * n + i] * x[k];
        },
        8);
  });
  r.source(kSource);
  const auto size = static_cast<cl_int>(n);
  if (group)
    r.launch(kernel, {{n * 64}, {64}, {}}, in(a), in(x), out_of(out), size, local(64 * sizeof(float)));
  else
    r.launch(kernel, {{n}, {64}, {}}, in(a), in(x), out_of(out), size);
  r.work(4.0 * n * n, "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want, 1e-4);
}
void gemv_row(Run& r) {
  gemv_of(r, "gemv_row", false, false, r.size(4096, 192));
}
void gemv_column(Run& r) {
  gemv_of(r, "gemv_column", true, false, r.size(4096, 192));
}
void gemv_group(Run& r) {
  gemv_of(r, "gemv_group", false, true, r.size(4096, 192));
}

void forces(const std::vector<float>& body, std::vector<float>& want, std::size_t n) {
  std::vector<float> x(n), y(n), z(n), m(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = body[i * 4], y[i] = body[i * 4 + 1], z[i] = body[i * 4 + 2], m[i] = body[i * 4 + 3];
  parallel(n, [&](std::size_t i, std::size_t end) {
    for (; i < end; ++i) {
      float fx = 0, fy = 0, fz = 0;
      for (std::size_t j = 0; j < n; ++j) {
        const float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
        const float inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + 0.01f);
        const float scale = m[j] * inverse * inverse * inverse;
        fx += dx * scale;
        fy += dy * scale;
        fz += dz * scale;
      }
      want[i * 4] = fx;
      want[i * 4 + 1] = fy;
      want[i * 4 + 2] = fz;
    }
  });
}

void nbody_of(Run& r, const char* kernel, bool tiled) {
  const std::size_t n = r.size(4096, 256);
  const auto body = floats(n * 4, 1);
  std::vector<float> out(n * 4), want(n * 4);
  r.plain([&] { forces(body, want, n); });
  r.source(kSource);
  const auto size = static_cast<cl_int>(n);
  if (tiled)
    r.launch(kernel, {{n}, {64}, {}}, in(body), out_of(out), size, local(64 * 16));
  else
    r.launch(kernel, {{n}, {64}, {}}, in(body), out_of(out), size);
  r.work(20.0 * n * n, "FLOP", Limit::kFloat);
  if (r.go()) r.check(out, want, 1e-3);
}
void nbody_naive(Run& r) {
  nbody_of(r, "nbody_naive", false);
}
void nbody_tiled(Run& r) {
  nbody_of(r, "nbody_tiled", true);
}

}  // namespace

void add_matrix(Suite& suite) {
  suite.insert(suite.end(), {{"workgroup/matmul_naive", matmul_naive},
                             {"workgroup/matmul_naive_16x16", matmul_naive_16},
                             {"workgroup/matmul_tiled", matmul_tiled},
                             {"workgroup/matmul_bordered", matmul_bordered},
                             {"workgroup/matmul_blocked", matmul_blocked},
                             {"workgroup/matmul_double", matmul_double},
                             {"workgroup/gemv_row", gemv_row},
                             {"workgroup/gemv_column", gemv_column},
                             {"workgroup/gemv_group", gemv_group},
                             {"workgroup/nbody_naive", nbody_naive},
                             {"workgroup/nbody_tiled", nbody_tiled}});
}

}  // namespace lanewise::bench
