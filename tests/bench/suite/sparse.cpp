// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses that come from memory: gather, scatter, histograms, sparse matrices.
#include <numeric>

#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

const char* const kSource = R"(
kernel void gather(global const float* in, global const uint* index, global float* out) {
  size_t i = get_global_id(0);
  out[i] = in[index[i]];
}
kernel void scatter(global const float* in, global const uint* index, global float* out) {
  size_t i = get_global_id(0);
  out[index[i]] = in[i];
}
kernel void histogram_global(global const uchar* in, global uint* bins, uint n) {
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&bins[in[i]]);
}
kernel void histogram_local(global const uchar* in, global uint* bins, uint n) {
  local uint mine[256];
  for (uint b = get_local_id(0); b < 256; b += get_local_size(0)) mine[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&mine[in[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint b = get_local_id(0); b < 256; b += get_local_size(0)) atomic_add(&bins[b], mine[b]);
}
kernel void csr_scalar(global const uint* first, global const uint* column, global const float* value,
                       global const float* x, global float* y, uint rows) {
  uint row = get_global_id(0);
  if (row >= rows) return;
  float sum = 0;
  for (uint k = first[row]; k < first[row + 1]; ++k) sum += value[k] * x[column[k]];
  y[row] = sum;
}
#define WIDTH 32
kernel void csr_vector(global const uint* first, global const uint* column, global const float* value,
                       global const float* x, global float* y) {
  local float part[WIDTH];
  uint row = get_group_id(0), lane = get_local_id(0);
  float sum = 0;
  for (uint k = first[row] + lane; k < first[row + 1]; k += WIDTH) sum += value[k] * x[column[k]];
  part[lane] = sum;
  for (uint half_width = WIDTH / 2; half_width > 0; half_width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < half_width) part[lane] += part[lane + half_width];
  }
  if (lane == 0) y[row] = part[0];
}
)";

void gather(Run& r) {
  const std::size_t n = r.size(4'194'304, 4096);
  const auto a = floats(n, 1);
  // Within 64 Ki elements of its own place, as in a mesh, so that some accesses hit the cache.
  auto index = integers(n, 2, 65536);
  for (std::size_t i = 0; i < n; ++i) index[i] = static_cast<std::uint32_t>((i + index[i]) % n);
  std::vector<float> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) want[i] = a[index[i]];
    });
  });
  r.source(kSource);
  r.launch("gather", {{n}, {256}, {}}, in(a), in(index), out_of(out));
  r.work(12.0 * n, "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want);
}

void scatter(Run& r) {
  const std::size_t n = r.size(4'194'304, 4096);
  const auto a = floats(n, 1);
  std::vector<std::uint32_t> index(n);
  // A permutation: odd factor modulo a power of two inside of blocks.
  for (std::size_t i = 0; i < n; ++i)
    index[i] = static_cast<std::uint32_t>((i & ~std::size_t{4095}) | ((i * 1237 + 41) & 4095));
  std::vector<float> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) want[index[i]] = a[i];
    });
  });
  r.source(kSource);
  r.launch("scatter", {{n}, {256}, {}}, in(a), in(index), out_of(out));
  r.work(12.0 * n, "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want);
}

void histogram_of(Run& r, const char* kernel, std::size_t n) {
  const auto a = octets(n, 1);
  std::vector<std::uint32_t> out(256), want(256);
  r.plain([&] {
    constexpr std::size_t kParts = 16;
    std::vector<std::uint32_t> part(kParts * 256);
    parallel(
        kParts,
        [&](std::size_t p, std::size_t end) {
          for (; p < end; ++p) {
            std::uint32_t bins[4][256] = {};  // equal neighbours do not wait for each other
            std::size_t i = n * p / kParts;
            const std::size_t stop = n * (p + 1) / kParts;
            for (; i + 4 <= stop; i += 4)
              for (std::size_t k = 0; k < 4; ++k) ++bins[k][a[i + k]];
            for (; i < stop; ++i) ++bins[0][a[i]];
            for (std::size_t b = 0; b < 256; ++b) part[p * 256 + b] = bins[0][b] + bins[1][b] + bins[2][b] + bins[3][b];
          }
        },
        kParts);
    for (std::size_t b = 0; b < 256; ++b) {
      want[b] = 0;
      for (std::size_t p = 0; p < kParts; ++p) want[b] += part[p * 256 + b];
    }
  });
  r.source(kSource);
  r.launch(kernel, {{8192}, {256}, {}}, in(a), updated(out), static_cast<cl_uint>(n));
  r.work(static_cast<double>(n), "item");
  if (r.go()) r.check(out, want);
}
void histogram_global(Run& r) {
  histogram_of(r, "histogram_global", r.size(1'000'003, 20'011));
}
void histogram_local(Run& r) {
  histogram_of(r, "histogram_local", r.size(8'000'009, 20'011));
}

void csr_of(Run& r, const char* kernel, bool group_per_row, std::size_t rows, std::uint32_t longest) {
  const auto lengths = integers(rows, 1, longest);
  std::vector<std::uint32_t> first(rows + 1);
  for (std::size_t i = 0; i < rows; ++i) first[i + 1] = first[i] + lengths[i];
  const std::size_t entries = first[rows];
  auto column = integers(entries, 2, 4096);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::uint32_t k = first[row]; k < first[row + 1]; ++k)
      column[k] = static_cast<std::uint32_t>((row + column[k]) % rows);
  const auto value = floats(entries, 3), x = floats(rows, 4);
  std::vector<float> out(rows), want(rows);
  r.plain([&] {
    parallel(rows, [&](std::size_t row, std::size_t end) {
      for (; row < end; ++row) {
        float sum = 0;
        for (std::uint32_t k = first[row]; k < first[row + 1]; ++k) sum += value[k] * x[column[k]];
        want[row] = sum;
      }
    });
  });
  r.source(kSource);
  if (group_per_row)
    r.launch(kernel, {{rows * 32}, {32}, {}}, in(first), in(column), in(value), in(x), out_of(out));
  else
    r.launch(kernel, {{round_up(rows, 64)}, {64}, {}}, in(first), in(column), in(value), in(x), out_of(out),
             static_cast<cl_uint>(rows));
  r.work(2.0 * static_cast<double>(entries), "FLOP");
  if (r.go()) r.check(out, want, 1e-4);
}
void csr_scalar(Run& r) {
  csr_of(r, "csr_scalar", false, r.size(262'144, 1003), 33);
}
void csr_vector(Run& r) {
  csr_of(r, "csr_vector", true, r.size(32'768, 503), 257);
}

}  // namespace

void add_sparse(Suite& suite) {
  suite.insert(suite.end(), {{"memory/gather", gather},
                             {"memory/scatter", scatter},
                             {"memory/histogram_global", histogram_global},
                             {"memory/histogram_local", histogram_local},
                             {"memory/csr_scalar", csr_scalar},
                             {"memory/csr_vector", csr_vector}});
}

}  // namespace lanewise::bench
