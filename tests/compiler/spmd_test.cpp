// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The vectoriser on running code: each kernel at some widths against its scalar form, byte for byte.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "tests/compiler/direct_harness.h"
#include "tests/compiler/isas.h"
#include "tests/drawn.h"

namespace lanewise::test {
namespace {

using Words = std::vector<std::uint32_t>;

Words noise(std::size_t n, unsigned seed) {
  Words v(n);
  for (std::uint32_t& x : v) {
    seed = seed * 1664525U + 1013904223U;
    x = seed ^ (seed >> 15U);
  }
  return v;
}

/// Two buffers of noise, `a` input and `b` input and output, and the number of work-items; all ranges and widths.
struct Case {
  const char* name;
  const char* source;
  bool vectorised = true;
};

/// True if a loop of the kernel became vectors.
bool has_vectors(const abi::Reply& reply) {
  return reply.log.find(": width ") != std::string::npos;
}

struct Shape {
  Range range;
  const char* name;
};

std::vector<Shape> shapes() {
  return {{Range(256, 64), "multiple"},
          {Range(251, 37), "odd"},
          {Range(100, 5), "small"},
          {Range(131, 131, 7), "offset"},
          {Range(75, 1, 2), "single"},
          {Range(131, 37, (std::size_t{1} << 31U) - 50), "across_int"},
          {Range(131, 37, (std::size_t{1} << 32U) - 50), "across_uint"},
          {Range(2, {5, 67, 1}, {1, 64, 1}), "column"},
          {Range(2, {40, 24, 1}, {8, 8, 1}), "tiles"},
          {Range(3, {11, 11, 15}, {3, 5, 7}, {0, 1, 0}), "primes"},
          {Range(2, {48, 6, 1}, {16, 2, 1}), "plane"},
          {Range(3, {20, 4, 3}, {20, 2, 3}, {3, 1, 2}), "space"}};
}

constexpr std::size_t kWords = 4096;

Words run_width(const abi::Reply& reply, const Range& range) {
  Words a = noise(kWords, 3);
  Words b = noise(kWords, 5);
  for (std::size_t i = 0; i < kWords; i += 3) a[i] &= 31U;  // small numbers: trip counts, indices
  const int n = static_cast<int>(range.global[0] - range.global[0] / 8);
  run_direct(reply, "k", range, {buffer(a), buffer(b), value(n)}, nullptr);
  b.insert(b.end(), a.begin(), a.end());
  return b;
}

// Each kernel writes only places of its own work-item (index g), so that order does not matter.
constexpr const char* kPrologue = R"(
  #define ID const int x = get_global_id(0) - get_global_offset(0); \
             const int g = x + get_global_size(0) * ((get_global_id(1) - get_global_offset(1)) + \
                           get_global_size(1) * (get_global_id(2) - get_global_offset(2)));
)";

const Case kCases[] = {
    {"plain", "kernel void k(global uint* a, global uint* b, int n) { ID b[g] += a[g] * 3; }"},
    {"floats", R"(kernel void k(global float* a, global float* b, int n) {
       ID const float f = (float)((global uint*)a)[g]; b[g] = sqrt(f) * 0.5f + fabs(f - 7.0f); })"},
    {"doubles", R"(kernel void k(global double* a, global double* b, int n) {
       ID if (g < 1000) b[g] = (double)((global uint*)a)[g] / 3.0 + g; })"},
    {"longs",
     "kernel void k(global long* a, global long* b, int n) { ID if (g < 2000) b[g] = a[g] * 7 - (b[g] >> 3); }"},
    {"shorts", "kernel void k(global ushort* a, global short* b, int n) { ID b[g] = (short)(a[g] + b[g] * x); }"},
    {"chars", "kernel void k(global uchar* a, global char* b, int n) { ID b[g] = (char)max((int)a[g], b[g] + x); }"},
    {"halves", R"(#pragma OPENCL EXTENSION cl_khr_fp16 : enable
       kernel void k(global ushort* a, global half* b, int n) {
       ID const half h = as_half((ushort)(a[g] & 0xbbff)); b[g] = x < n ? h * h + 1.5h / (h + 3.0h) : -h; })"},
    {"half_functions", R"(#pragma OPENCL EXTENSION cl_khr_fp16 : enable
       kernel void k(global ushort* a, global half* b, int n) {
       ID const half h = as_half((ushort)(a[g] & 0xbbff)); const half f = fma(h, h, -2.0h) + floor(h) + sqrt(fabs(h));
       b[2 * g] = convert_half_rtp(h * 1.001f) + (half)convert_char_sat(f); b[2 * g + 1] = exp2(h) + (half)(f / 3.0); })"},
    {"early_return", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID if (x >= n) return; b[g] = a[g] + 1; })"},
    {"guard_both_sides", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID if (x < 3 || x >= n - 2) return; b[g] = a[g - 1] + a[g + 1]; })"},
    {"guard_interval", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID if ((uint)x - 2u < (uint)n - 5u) b[g] = a[g] ^ 9; })"},
    {"guard_rows", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID if (x >= n || get_global_id(1) == 2) return; uint s = 0; for (int i = 0; i < 9; ++i) s += a[i] * b[g];
       if (get_global_id(1) > 1) s ^= a[g]; b[g] = s; })"},
    {"guard_chain", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID if (x <= 1) return; if (get_global_id(2) > 3) return; if (n - x <= 4) return; b[g] += a[g]; })"},
    {"guard_long", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID const size_t i = get_global_id(0); if (i < (size_t)n + get_global_offset(0) - 3 && i != 5) b[g] = i; })"},
    {"guard_int_wraps", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID const int i = get_global_id(0); if (i >= 40) return; b[g] = i; })"},
    {"guard_uint_wraps", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID const uint i = get_global_id(0); if (i > 4294967200u || i <= 17u) b[g] = i; if (i < 4u) return; b[g] += 1; })"},
    {"guard_uint_above", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID const uint i = get_global_id(0); if (i > 20u) b[g] = a[g] + i; })"},
    {"guard_int_above", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID const int i = get_global_id(0); if (i >= -2147483640) b[g] = a[g] + i; })"},
    {"guard_none", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID if (x >= n - 100000) return; b[g] = a[g] + 1; })"},
    {"guard_large", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID const uint m = (uint)(n - 100000); if ((uint)x < m) b[g] = a[g] + 1; })"},
    {"guard_with_table", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID const uint t[4] = {a[0], a[1], 7, 9}; if (x >= n) return; uint s = 0;
       for (uint i = 0; i < (a[g] & 7); ++i) s = s * 5 + t[(s + i) & 3]; b[g] = s; })"},
    {"if_else", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID uint v; if (a[g] & 1) v = a[g] * 5; else v = b[g] - 3; b[g] = v ^ x; })"},
    {"nested_if", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID if (a[g] & 1) { if (a[g] & 2) b[g] = 1; else if (a[g] & 4) b[g] = b[g] + x; } else if (x & 1) b[g] = 3;
       b[g] += 7; })"},
    {"guarded_division", R"(kernel void k(global int* a, global int* b, int n) {
       ID const int d = a[g] & 3; if (d != 0) b[g] = b[g] / d + b[g] % d; })"},
    {"uniform_division", R"(kernel void k(global int* a, global int* b, int n) {
       ID const int d = n - get_global_size(0); if (x < n && d != 0) b[g] = b[g] / d; })"},
    {"quotients", R"(kernel void k(global int* a, global int* b, int n) {
       ID const int u = b[g], v = a[g]; b[g] = u / v + u % (v | 1) + u / n + (u % (n - 300)) + (int)0x80000000 / (v | -16)
         + (v < 9 ? u / (v - 3) : 0) + ((x & 64) ? (int)0x80000000 : u) / (n - n - 1); })"},
    {"unsigned_quotients", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID const uint u = b[g], v = a[g]; b[g] = u / v + u % (v | 1) + u / (uint)n + u % (n * 1000003u) + ~0u / (v | 1); })"},
    {"short_quotients", R"(kernel void k(global short* a, global short* b, int n) {
       ID const ushort u = b[g], v = a[g]; b[g] = u / (v | 1) + b[g] % (short)(a[g] | 1) + u % (ushort)n + b[g] / (short)n; })"},
    {"flattened_index", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID const int w = n / 3 + 1, r = g / w, c = g % w; b[r * w + c] += a[r * w + c] + a[c]; if (c > 2) b[g] ^= a[r * w + c - 1]; })"},
    {"clamped_index", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID uint s = 0; for (int i = -2; i < 3; ++i) s = s * 3 + a[clamp(x + i, 3, n)] + a[min(g + i + 2, n * 2)]; b[g] = s; })"},
    {"saturated", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID const float f = as_float(a[g]), d = (float)(int)b[g] * 0.0001f;
       b[g] = convert_uchar_sat(f) + 256 * convert_char_sat(d) + convert_short_sat(f) + 65536 * convert_ushort_sat(d)
         + convert_uchar_sat(d); })"},
    {"divergent_loop", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID uint s = b[g]; for (uint i = 0; i < (a[g] & 31); ++i) s = s * 3 + i; b[g] = s; })"},
    {"divergent_break", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID uint s = a[g]; int i = 0; for (; i < n; ++i) { s = s * 1664525 + 1013904223; if ((s >> 27) == 3) break; }
       b[g] = s + i; })"},
    {"mandelbrot", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID const float cr = -2.0f + 0.01f * x; const float ci = -1.0f + 0.05f * g; float zr = 0, zi = 0; uint c = 0;
       while (c < 100 && zr * zr + zi * zi <= 4.0f) { float t = zr * zr - zi * zi + cr; zi = 2 * zr * zi + ci;
         zr = t; ++c; } b[g] = c; })"},
    {"uniform_loop", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID uint s = 0; for (int i = 0; i < n; ++i) s += a[i] * b[g] + i; b[g] = s; })"},
    {"uniform_loop_under_mask", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID if (a[g] & 1) { uint s = 0; for (int i = 0; i < n; ++i) { if (a[i] & 4) s += a[i] ^ b[g]; } b[g] = s; } })"},
    {"nested_loops", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID uint s = 0; for (uint i = 0; i < (a[g] & 7); ++i) for (uint j = i; j < (b[g] & 15); ++j) {
         if ((i ^ j) == 5) continue; if (s > 100000) break; s += i * j + a[j]; } b[g] = s; })"},
    {"return_in_loop", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID for (int i = 0; i < n; ++i) { if (a[(g + i) & 1023] % 7 == 3) { b[g] = i; return; } } b[g] = 12345; })"},
    {"goto_out", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID uint s = 0; for (int i = 0; i < 9; ++i) for (int j = 0; j < 9; ++j) { s += a[g] >> (i + j);
         if (s > 0xFF000000u) goto out; if ((s & 255) == 17) goto end; } s += 5; out: s ^= 1; end: b[g] = s; })"},
    {"switched", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID uint v = b[g]; switch (a[g] & 7) { case 0: v += 1; break; case 1: v *= 3; case 2: v -= 9; break;
         case 5: v = a[g]; break; default: v ^= 77; } b[g] = v; })"},
    {"uniform_if", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID uint v; if (n & 1) v = a[g]; else { v = x; if (a[g] & 8) v = b[g]; } b[g] = v; })"},
    {"uniform_over_varying", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID uint v = 1; if (x < n) { v = 2; if (a[0] & 1) { v = 3; if (a[g] & 2) v = b[g]; } else v = a[g]; } b[g] = v; })"},
    {"strided", "kernel void k(global uint* a, global uint* b, int n) { ID b[g] = a[(g * 3) & 4095] + a[g / 2]; }"},
    {"strided_two",
     "kernel void k(global uint* a, global uint* b, int n) { ID if (g < 2000) b[2 * g] = a[2 * g + 1] + x; }"},
    {"backwards", "kernel void k(global uint* a, global uint* b, int n) { ID b[g] = a[2000 - g]; }"},
    {"backwards_masked", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID if (a[x] & 1) b[4000 - g] += a[4090 - g]; })"},
    {"backwards_int", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID const int i = 4095 - g - 1, j = n - x - 1; b[i] = a[i] + 7; if (j >= 0) b[i] ^= a[j]; })"},
    {"backwards_uint_wraps", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID const uint i = (uint)(n / 2) - (uint)x, j = ~(uint)x; b[g] += i < 4000u ? a[i] : 3; b[g] ^= j < 9u ? a[j] : j; })"},
    {"backwards_vectors", R"(kernel void k(global uchar4* a, global uchar4* b, int n) {
       ID const int i = 4000 - g; const uchar4 v = a[i]; b[4090 - g - 1] = v.wzyx + (uchar4)(1, 2, 3, 4); })"},
    {"backwards_vectors_masked", R"(kernel void k(global ushort2* a, global ushort2* b, int n) {
       ID const int i = n - x - 1; if (i < 0 || (a[g].x & 1)) return; b[4090 - g - 1] = a[i].yx; })"},
    {"backwards_bytes", R"(kernel void k(global uchar* a, global uchar* b, int n) {
       ID const uchar i = (uchar)(200 - x); const short j = (short)(n - x - 1); if (j >= 0) b[16000 - g - 1] = a[i] + a[j]; })"},
    {"backwards_step", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID if (g < 2000) b[4095 - 2 * g - 1] = a[4000 - (g ^ 1)] + a[4000 - 2 * g]; })"},
    {"backwards_clamped", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID uint s = 0; for (int i = -2; i < 3; ++i) s = s * 3 + a[clamp(n - x - 1 + i, 0, n - 1)]; b[g] = s; })"},
    {"gather", "kernel void k(global uint* a, global uint* b, int n) { ID b[g] = a[a[g] & 1023] + a[b[g] & 511]; }"},
    {"masked_gather", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID if (a[g] & 1) b[g] = a[a[g] & 1023]; })"},
    {"scatter", "kernel void k(global uint* a, global uint* b, int n) { ID b[(g ^ 5) & 4095] = a[g]; }"},
    {"uint_index_wraps", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID const uint i = (uint)g - 3u; b[g] = i < 4000u ? a[i] : 1; })"},
    {"ushort_index", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID const ushort i = (ushort)(g + 65530); const uchar j = (uchar)(g * 2); if (i < 4000) b[g] = a[i] + a[j]; })"},
    {"vectors", R"(kernel void k(global float4* a, global float4* b, int n) {
       ID if (g < 1000) { float4 v = convert_float4(as_uint4(a[g])); b[g] = v * 0.5f + v.yzwx + dot(v, v.wzyx); } })"},
    {"int_vectors", R"(kernel void k(global int2* a, global int2* b, int n) {
       ID if (g < 2000) { int2 v = a[g]; if (v.x > 0) v = v.yx + b[g]; b[g] = v; } })"},
    {"three", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID if (g < 1300) { uint3 v = vload3(g, a); vstore3(v.zxy + 1u, g, b); } })"},
    {"packed_bytes", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID uchar4 v = as_uchar4(a[g]); v += as_uchar4(b[g]); b[g] = as_uint(v.wzyx); })"},
    {"private_array", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID uint t[8]; for (int i = 0; i < 8; ++i) t[i] = a[(g + i) & 1023]; uint s = 0;
       for (int i = 0; i < 5; ++i) { t[a[i] & 7] += s; s += t[(a[g] + i) & 7]; } b[g] = s; })"},
    {"private_table", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID uint t[16]; for (int i = 0; i < 16; ++i) t[i] = a[i] * g; uint s = 0;
       for (int i = 0; i < n; ++i) s = s * 31 + t[i & 15]; if (a[g] & 1) t[a[g] & 15] = s; b[g] = s + t[b[g] & 15]; })"},
    {"private_vectors", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID uint4 t[4]; for (int i = 0; i < 4; ++i) t[i] = (uint4)(a[i], g, i, b[g]);
       for (int i = 0; i < (a[g] & 7); ++i) t[i & 3] += t[(i + x) & 3].wxyz; b[g] = t[a[g] & 3].y + t[n & 3].z; })"},
    {"private_bytes", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID uchar t[32]; for (int i = 0; i < 32; ++i) t[i] = (uchar)(a[g] >> (i & 7)); uint s = 0;
       for (int i = 0; i < 32; ++i) if (t[i] & 1) s += t[(i * b[g]) & 31]; b[g] = s; })"},
    {"private_struct", R"(struct S { uint x; ushort y; uchar z[6]; };
       kernel void k(global uint* a, global uint* b, int n) { ID struct S t[3];
       for (int i = 0; i < 3; ++i) { t[i].x = a[g] + i; t[i].y = (ushort)x; for (int j = 0; j < 6; ++j) t[i].z[j] = (uchar)(g + j); }
       b[g] = t[a[g] % 3].x + t[b[g] % 3].y + t[n % 3].z[(a[g] >> 3) % 6]; })"},
    {"private_pointer", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID uint t[8], u[8]; for (int i = 0; i < 8; ++i) { t[i] = a[g] + i; u[i] = b[g] * i; }
       uint* p = (a[g] & 1) ? t : u; for (int i = 0; i < (b[g] & 7); ++i) p[i] += p[7 - i]; b[g] = p[n & 7] + t[1] + u[2]; })"},
    {"atomics", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID atomic_add((volatile global uint*)&b[g & 63], a[g]); if (a[g] & 1) atomic_max((volatile global uint*)&b[64 + g % 7], a[g]); })"},
    {"local_memory", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID local uint t[512]; const int l = get_local_linear_id(); t[l] = a[g]; barrier(CLK_LOCAL_MEM_FENCE);
       uint s = t[l / 2] + t[0]; barrier(CLK_LOCAL_MEM_FENCE); t[l] = s; barrier(CLK_LOCAL_MEM_FENCE);
       b[g] = t[l] + s + a[g]; })"},
    {"barrier_loop", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID local uint t[512]; const int l = get_local_linear_id(); uint v = a[g];
       for (int i = 0; i < (n & 7); ++i) { t[l] = v; barrier(CLK_LOCAL_MEM_FENCE); v += t[l ^ (l & 1)]; if (v & 1) v += i;
         barrier(CLK_LOCAL_MEM_FENCE); } b[g] = v; })"},
    {"returns_before_barrier", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID if (n < 0) return; local uint t[1]; if (get_local_linear_id() == 0) t[0] = a[g]; barrier(CLK_LOCAL_MEM_FENCE);
       b[g] = t[0] + x; })"},
    {"uniform_store", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID if (x == 5 && get_global_id(1) == get_global_offset(1) && get_global_id(2) == get_global_offset(2)) b[0] = a[g];
       if (g > 0) b[g] = x; })"},
    {"math", R"(kernel void k(global uint* a, global float* b, int n) {
       ID const float f = (float)(a[g] & 1023) * 0.01f; b[g] = exp(f) + sin(f) * log(f + 1.0f) + pow(f, 1.5f); })"},
    {"bits", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID b[g] = popcount(a[g]) + clz(b[g]) + rotate(a[g], b[g]) + add_sat(a[g], b[g]) + mul_hi(a[g], b[g]); })"},
    {"infinite_for_the_others", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID uint i = a[g] & 15; if (i & 1) { while (i != 31) i = (i + 2) & 31; b[g] = i; } })"},
    {"lock", R"(kernel void k(global uint* a, global uint* b, int n) {
       ID volatile global uint* w = b; if (g < 0) while (atomic_cmpxchg(w, 0, 1)) a[g] = 1; else b[g] = x; })",
     false},
};

class Spmd : public testing::TestWithParam<Case> {};

TEST_P(Spmd, EqualsScalarAtTwoWidths) {
  const Case& c = GetParam();
  const std::string source = std::string(kPrologue) + c.source;
  for (const Isa isa : runnable_levels()) {
    const abi::Reply scalar = build_vectors(source, 1, isa);
    ASSERT_EQ(scalar.status, 0) << scalar.log;
    EXPECT_FALSE(has_vectors(scalar));
    std::vector<Words> expected;
    for (const Shape& s : shapes()) expected.push_back(run_width(scalar, s.range));
    // 0: the width and the tail that cost least.
    const std::vector<unsigned> widths = isa == Isa() ? std::vector{4U} : std::vector{0U, 2U, 4U, 8U, 16U, 32U};
    for (const unsigned width : drawn(widths, 2, c.name + isa.name())) {
      const abi::Reply reply = build_vectors(source, width, isa);
      ASSERT_EQ(reply.status, 0) << reply.log;
      if (width != 0) EXPECT_EQ(has_vectors(reply), c.vectorised) << reply.log;
      std::size_t i = 0;
      for (const Shape& s : shapes())
        EXPECT_TRUE(run_width(reply, s.range) == expected[i++])
            << c.name << ", " << s.name << ", width " << width << ", " << isa.name() << "\n"
            << reply.log;
    }
  }
}

/// `bytes` bytes that end where a page without access begins.
class Edge {
 public:
  explicit Edge(std::size_t bytes) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))), bytes_(bytes) {
    mapped_ = static_cast<char*>(mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(mapped_ + page_, page_, PROT_NONE);
  }
  ~Edge() { munmap(mapped_, 2 * page_); }
  Edge(const Edge&) = delete;
  Edge& operator=(const Edge&) = delete;
  Arg arg() { return {Arg::Kind::buffer, mapped_ + page_ - bytes_, bytes_, {}}; }
  const std::uint32_t* data() const { return reinterpret_cast<const std::uint32_t*>(mapped_ + page_ - bytes_); }

 private:
  std::size_t page_;
  std::size_t bytes_;
  char* mapped_;
};

TEST(SpmdMemory, InactiveLanesTouchNothing) {
  const char* source = R"(
    kernel void k(global const uint* a, global uint* b, int n, global uint* none) {
      const int g = get_global_id(0);
      if (g < n) b[g] = a[g] + a[n - 1 - g] + (g == 0 ? 1 : a[g - 1]);
      if (g >= 1000) none[0] = none[g] + none[2];
      if (g >= 1000) for (uint i = 0; i < none[1]; ++i) b[i] = 0;
    })";
  for (const unsigned width : {1U, 4U, 8U, 16U, 32U}) {
    const abi::Reply reply = build_vectors(source, width, IsaLevel::x86_64_v3);
    ASSERT_EQ(reply.status, 0) << reply.log;
    Edge a(13 * 4);
    Edge b(13 * 4);
    run_direct(reply, "k", Range(64, 64), {a.arg(), b.arg(), value(13), value(std::uint64_t{0})}, nullptr);
    for (std::size_t i = 0; i < 13; ++i) EXPECT_EQ(b.data()[i], i == 0 ? 1U : 0U) << width;
  }
}

/// A store to one place writes the value of the last active lane; if no lane is active nothing is written.
TEST(SpmdMemory, LastLaneOfNone) {
  const char* source = R"(
    __attribute__((reqd_work_group_size(64, 1, 1)))
    kernel void k(global const ushort* a, global ushort* t, global const uint* c, int n, uint u) {
      const uint l = get_local_id(0);
      const uint q = get_group_id(0);
      t += q * 64;
      t[l] = l;
      barrier(CLK_GLOBAL_MEM_FENCE);
      for (uint i = 0; i < (((q - 64) ^ 64) & 7u); i++) {
        if ((int)c[9] < ~n) continue;
        if (l == (u & q) % 64) t[32] = a[i] ^ 7;
        barrier(CLK_GLOBAL_MEM_FENCE);
        barrier(CLK_GLOBAL_MEM_FENCE);
        if ((bitselect(q + i, i, 64u) & 3u) != 0) continue;
      }
    })";
  const auto left = [&](unsigned width, Isa isa) {
    std::vector<std::uint16_t> a(16, 100);
    std::vector<std::uint16_t> t(256, 0);
    Words c(16, 0x80000000U);
    run_direct(build_vectors(source, width, isa), "k", Range(256, 64),
               {buffer(a), buffer(t), buffer(c), value(3), value(5)}, nullptr);
    return t;
  };
  for (const Isa isa : runnable_levels())
    for (const unsigned width : {4U, 8U, 16U, 32U, 64U})
      EXPECT_EQ(left(width, isa), left(1, isa)) << width << ", " << isa.name();
}

TEST(SpmdWidth, LanesThatWalkUnrelatedMemoryStayScalar) {
  const abi::Reply reply = build_vectors(R"(
    kernel void k(global const int* row, global const int* column, global const float* v, global const float* x,
                  global float* y) {
      const int r = get_global_id(0);
      float s = 0;
      for (int i = row[r]; i < row[r + 1]; ++i) s += v[i] * x[column[i]];
      y[r] = s;
    })",
                                         0, IsaLevel::x86_64_v3);
  EXPECT_NE(reply.log.find("do not pay"), std::string::npos) << reply.log;
}

TEST(SpmdWidth, VectorsOfTheSourceThatFitTheRegistersStay) {
  const auto log = [](unsigned chains) {
    std::string body = "kernel void k(global float16* a) { size_t g = get_global_id(0);";
    for (unsigned c = 0; c < chains; ++c)
      body += " float16 s" + std::to_string(c) + " = a[g + " + std::to_string(c) + "];";
    body += " for (int i = 0; i < 512; ++i) {";
    for (unsigned c = 0; c < chains; ++c)
      body += " s" + std::to_string(c) + " = fma(s" + std::to_string(c) + ", 0.5f, 1.0f);";
    body += " } a[g] = s0";
    for (unsigned c = 1; c < chains; ++c) body += " + s" + std::to_string(c);
    return build_vectors(body + "; }", 0, IsaLevel::x86_64_v4).log;
  };
  EXPECT_NE(log(1).find("width 16"), std::string::npos) << log(1);
  EXPECT_NE(log(4).find("those of all lanes do not"), std::string::npos) << log(4);
}

TEST(SpmdReport, NamesWidthsReasonsAndLines) {
  const std::string log = build(R"(kernel void k(global const int* a, global const int* i, global int* b) {
  const int g = get_global_id(0);
  int v = a[i[g]];
  b[g * 3] = v;
  b[g + 9000] = v * a[g];
}
kernel void row(global const int* first, global const float* v, global const int* column, global float* y) {
  const int r = get_global_id(0);
  float s = 0;
  for (int j = first[r]; j < first[r + 1]; ++j)
    s += v[column[j]];
  y[r] = s;
})",
                                "-cl-std=CL3.0 -cl-lanewise-report-vectors")
                              .log;
  EXPECT_NE(log.find("k region.0.items: width "), std::string::npos) << log;
  EXPECT_NE(log.find("from line 2"), std::string::npos) << log;
  EXPECT_NE(log.find("% of the scalar cost"), std::string::npos) << log;
  EXPECT_NE(log.find("line 3: gather\n"), std::string::npos) << log;
  EXPECT_NE(log.find("line 4: store with a stride of 12 bytes\n"), std::string::npos) << log;
  EXPECT_EQ(log.find("line 5: "), std::string::npos) << log;
  EXPECT_NE(log.find("row region.0.items: scalar, vectors do not pay"), std::string::npos) << log;
  EXPECT_EQ(build("kernel void k(global int* a) { a[get_global_id(0)] = 1; }").log, "");
}

TEST(SpmdWidth, FollowsTheElements) {
  const auto width = [](const char* type, Isa isa) {
    const std::string t = type;
    return build_vectors("kernel void k(global " + t + "* a, global " + t +
                             "* b) { size_t g = get_global_id(0); "
                             "b[g] = a[g] * b[g] + a[g]; }",
                         0, isa)
        .log;
  };
  EXPECT_NE(width("float", IsaLevel::x86_64_v3).find("width 8"), std::string::npos);
  EXPECT_NE(width("float", IsaLevel::x86_64_v2).find("width 4"), std::string::npos);
  EXPECT_NE(width("float", IsaLevel::x86_64_v4).find("width 16"), std::string::npos);
  EXPECT_NE(width("double", IsaLevel::x86_64_v3).find("width 4"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Kernels, Spmd, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case>& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace lanewise::test
