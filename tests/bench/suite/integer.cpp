// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic, bit operations, packed bytes and conversions.
#include <bit>

#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

const char* const kSource = R"(
kernel void mix_int(global const uint* in, global uint* out) {
  size_t i = get_global_id(0);
  uint x = in[i];
  for (int n = 0; n < 32; ++n) {  // each round a constant, or the last shift would undo the next round's first
    x += 0x9e3779b9u; x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16;
  }
  out[i] = x;
}
kernel void mix_long(global const uint* in, global ulong* out) {
  size_t i = get_global_id(0);
  ulong x = in[i];
  for (int n = 0; n < 16; ++n) {
    x += 0x9e3779b97f4a7c15ul;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ul;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebul;
    x ^= x >> 31;
  }
  out[i] = x;
}
kernel void bits(global const uint* in, global uint* out) {
  size_t i = get_global_id(0);
  uint x = in[i], sum = 0;
  for (int n = 0; n < 16; ++n) {
    sum += popcount(x) * 3 + clz(x | 1);
    x = rotate(x, 7u) + sum;
  }
  out[i] = sum;
}
kernel void saturate(global const int* in, global int* out) {
  size_t i = get_global_id(0);
  int x = in[i], acc = 0;
  for (int n = 0; n < 16; ++n) {
    acc = add_sat(acc, mul_hi(x, 0x12345678 + n));
    x = sub_sat(x, acc) ^ n;
    acc += hadd(x, acc) + (int)abs_diff(x, n);
  }
  out[i] = acc;
}
kernel void divide(global const uint* in, global uint* out) {
  size_t i = get_global_id(0);
  uint x = in[i], d = (x & 1023u) + 3u, sum = 0;
  for (int n = 0; n < 8; ++n) {
    sum += x / d + x % (d + n);
    x = x * 1664525u + 1013904223u;
  }
  out[i] = sum;
}
kernel void dot_float4(global const float4* a, global const float4* b, global float* out) {
  size_t i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += dot(a[i * 16 + k], b[k]);
  out[i] = sum;
}
kernel void dot_bytes(global const char4* a, global const char4* b, global int* out, int n) {
  int i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < n; ++k) {
    int4 p = convert_int4(a[k * (int)get_global_size(0) + i]) * convert_int4(b[k]);
    sum += p.x + p.y + p.z + p.w;
  }
  out[i] = sum;
}
kernel void grey(global const uchar4* in, global uchar* out) {
  size_t i = get_global_id(0);
  uint4 p = convert_uint4(in[i]);
  out[i] = (uchar)((p.x * 77 + p.y * 150 + p.z * 29 + 128) >> 8);
}
kernel void blend(global const uchar4* a, global const uchar4* b, global uchar4* out) {
  size_t i = get_global_id(0);
  ushort4 p = convert_ushort4(a[i]), q = convert_ushort4(b[i]);
  ushort4 sum = p * p.w + q * (ushort4)(255 - p.w);
  out[i] = convert_uchar4((sum + (ushort4)128) >> (ushort4)8);
}
kernel void to_float(global const uchar* in, global float* out) {
  size_t i = get_global_id(0);
  out[i] = convert_float(in[i]) * (1.0f / 255.0f);
}
kernel void to_char_sat(global const float* in, global uchar* out) {
  size_t i = get_global_id(0);
  out[i] = convert_uchar_sat_rte(in[i] * 300.0f - 20.0f);
}
)";

void mix_int(Run& r) {
  map_of<std::uint32_t, std::uint32_t>(r, kSource, "mix_int", integers(r.size(1'048'576, 1024), 1),
                                       [](std::uint32_t x) {
                                         for (int n = 0; n < 32; ++n) {
                                           x += 0x9e3779b9u;
                                           x ^= x >> 16;
                                           x *= 0x7feb352du;
                                           x ^= x >> 15;
                                           x *= 0x846ca68bu;
                                           x ^= x >> 16;
                                         }
                                         return x;
                                       },
                                       {.amount = 32 * 9, .unit = "op"});
}

void mix_long(Run& r) {
  map_of<std::uint32_t, std::uint64_t>(r, kSource, "mix_long", integers(r.size(1'048'576, 1024), 1),
                                       [](std::uint64_t x) {
                                         for (int n = 0; n < 16; ++n) {
                                           x += 0x9e3779b97f4a7c15ull;
                                           x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
                                           x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
                                           x ^= x >> 31;
                                         }
                                         return x;
                                       },
                                       {.amount = 16 * 9, .unit = "op"});
}

void bits(Run& r) {
  map_of<std::uint32_t, std::uint32_t>(
      r, kSource, "bits", integers(r.size(1'048'576, 1024), 1),
      [](std::uint32_t x) {
        std::uint32_t sum = 0;
        for (int n = 0; n < 16; ++n) {
          sum += static_cast<std::uint32_t>(std::popcount(x) * 3 + std::countl_zero(x | 1));
          x = std::rotl(x, 7) + sum;
        }
        return sum;
      },
      {.amount = 16 * 7, .unit = "op"});
}

std::int32_t saturated(std::int64_t x) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(x, INT32_MIN, INT32_MAX));
}
void saturate(Run& r) {
  const auto bits32 = integers(r.size(1'048'576, 1024), 1);
  map_of<std::int32_t, std::int32_t>(
      r, kSource, "saturate", std::vector<std::int32_t>(bits32.begin(), bits32.end()),
      [](std::int32_t x) {
        std::int32_t acc = 0;
        for (int n = 0; n < 16; ++n) {
          acc = saturated(std::int64_t{acc} + ((std::int64_t{x} * (0x12345678 + n)) >> 32));
          x = saturated(std::int64_t{x} - acc) ^ n;
          const std::int64_t apart = std::int64_t{x} - n;
          acc = static_cast<std::int32_t>(static_cast<std::uint32_t>(acc) +
                                          static_cast<std::uint32_t>((std::int64_t{x} + acc) >> 1) +
                                          static_cast<std::uint32_t>(apart < 0 ? -apart : apart));
        }
        return acc;
      },
      {.amount = 16 * 8, .unit = "op"});
}

void divide(Run& r) {
  map_of<std::uint32_t, std::uint32_t>(r, kSource, "divide", integers(r.size(1'048'576, 1024), 1),
                                       [](std::uint32_t x) {
                                         const std::uint32_t d = (x & 1023u) + 3u;
                                         std::uint32_t sum = 0;
                                         for (std::uint32_t n = 0; n < 8; ++n) {
                                           sum += x / d + x % (d + n);
                                           x = x * 1664525u + 1013904223u;
                                         }
                                         return sum;
                                       },
                                       {.amount = 16, .unit = "division"});
}

void dot_float4(Run& r) {
  const std::size_t n = r.size(32'768, 512);
  const auto a = floats(n * 64, 1), b = floats(64, 2);
  std::vector<float> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        float sum = 0;
        for (std::size_t k = 0; k < 64; ++k) sum += a[i * 64 + k] * b[k];
        want[i] = sum;
      }
    });
  });
  r.source(kSource);
  r.launch("dot_float4", {{n}, {64}, {}}, in(a), in(b), out_of(out));
  r.work(128.0 * n, "FLOP", Limit::kFloat);
  if (r.go()) r.check(out, want, 1e-4);
}

/// Of cl_khr_integer_dot_product.
const char* const kPackedSource = R"(
kernel void dot_packed(global const uint* a, global const uint* b, global int* out, int n) {
  int i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += dot_4x8packed_ss_int(a[k * (int)get_global_size(0) + i], b[k]);
  out[i] = sum;
}
)";

/// Sums of products of four bytes: written out, or by the built-in function.
void dot_of_bytes(Run& r, const char* source, const char* options, const char* kernel) {
  const std::size_t n = r.size(4096, 256), depth = r.size(512, 33);
  const auto a = octets(n * depth * 4, 1), b = octets(depth * 4, 2);
  std::vector<std::int32_t> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) want[i] = 0;
      for (std::size_t k = 0; k < depth; ++k)
        for (std::size_t i = first; i < end; ++i)
          for (std::size_t c = 0; c < 4; ++c)
            want[i] += static_cast<std::int8_t>(a[(k * n + i) * 4 + c]) * static_cast<std::int8_t>(b[k * 4 + c]);
    });
  });
  r.source(source, options);
  r.launch(kernel, {{n}, {64}, {}}, in(a), in(b), out_of(out), static_cast<cl_int>(depth));
  r.work(8.0 * n * depth, "op");
  if (r.go()) r.check(out, want);
}

void dot_bytes(Run& r) {
  dot_of_bytes(r, kSource, "", "dot_bytes");
}

void dot_packed(Run& r) {
  if (!r.needs_extension("cl_khr_integer_dot_product")) return;
  dot_of_bytes(r, kPackedSource, "-cl-std=CL3.0", "dot_packed");
}

void grey(Run& r) {
  const std::size_t n = r.size(4'194'304, 2048);
  const auto a = octets(n * 4, 1);
  std::vector<std::uint8_t> out(n), want(n);
  const std::uint8_t* from = a.data();
  std::uint8_t* to = want.data();
  r.plain([&] {
    parallel(n, [=](std::size_t i, std::size_t end) {
      for (; i < end; ++i)
        to[i] =
            static_cast<std::uint8_t>((from[i * 4] * 77u + from[i * 4 + 1] * 150u + from[i * 4 + 2] * 29u + 128u) >> 8);
    });
  });
  r.source(kSource);
  r.launch("grey", {{n}, {256}, {}}, in(a), out_of(out));
  r.work(5.0 * n, "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want);
}

void blend(Run& r) {
  const std::size_t n = r.size(4'194'304, 2048);
  const auto a = octets(n * 4, 1), b = octets(n * 4, 2);
  std::vector<std::uint8_t> out(n * 4), want(n * 4);
  const std::uint8_t *from = a.data(), *other = b.data();
  std::uint8_t* to = want.data();  // by pointer: a byte may alias the vectors' own pointers
  r.plain([&] {
    parallel(n, [=](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        const unsigned w = from[i * 4 + 3];
        for (std::size_t c = 0; c < 4; ++c)
          to[i * 4 + c] = static_cast<std::uint8_t>((from[i * 4 + c] * w + other[i * 4 + c] * (255 - w) + 128) >> 8);
      }
    });
  });
  r.source(kSource);
  r.launch("blend", {{n}, {256}, {}}, in(a), in(b), out_of(out));
  r.work(12.0 * n, "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want);
}

void to_float(Run& r) {
  const std::size_t n = r.size(16'777'216, 2048);
  const auto a = octets(n, 1);
  std::vector<float> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) want[i] = static_cast<float>(a[i]) * (1.0f / 255.0f);
    });
  });
  r.source(kSource);
  r.launch("to_float", {{n}, {256}, {}}, in(a), out_of(out));
  r.work(5.0 * n, "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want, 1e-6);
}

void to_char_sat(Run& r) {
  const std::size_t n = r.size(16'777'216, 2048);
  const auto a = floats(n, 1);
  std::vector<std::uint8_t> out(n), want(n);
  const float* from = a.data();
  std::uint8_t* to = want.data();
  r.plain([&] {
    parallel(n, [=](std::size_t i, std::size_t end) {
      for (; i < end; ++i)
        to[i] = static_cast<std::uint8_t>(std::rint(std::min(255.0f, std::max(0.0f, from[i] * 300.0f - 20.0f))));
    });
  });
  r.source(kSource);
  r.launch("to_char_sat", {{n}, {256}, {}}, in(a), out_of(out));
  r.work(5.0 * n, "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want, 0.011, 1e-4);  // ties depend on whether operations are fused
}

}  // namespace

void add_integer(Suite& suite) {
  suite.insert(suite.end(), {{"compute/mix_int", mix_int},
                             {"compute/mix_long", mix_long},
                             {"compute/bits", bits},
                             {"compute/saturate", saturate},
                             {"compute/divide", divide},
                             {"compute/dot_float4", dot_float4},
                             {"compute/dot_bytes", dot_bytes},
                             {"compute/dot_packed", dot_packed},
                             {"compute/grey", grey},
                             {"compute/blend", blend},
                             {"compute/to_float", to_float},
                             {"compute/to_char_sat", to_char_sat}});
}

}  // namespace lanewise::bench
