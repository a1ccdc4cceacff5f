// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same small polynomial over NDRanges of awkward shapes, and launches so small that their cost is the launch.
#include <functional>
#include <numeric>

#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

const char* const kSource = R"(
float body(float x) {
  float y = x;
  for (int n = 0; n < 16; ++n) y = y * x + 0.25f;
  return y;
}
kernel void line(global const float* in, global float* out) {
  size_t i = get_global_id(0);
  out[i] = body(in[i]);
}
kernel void guarded(global const float* in, global float* out, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = body(in[i]);
}
kernel void shifted(global const float* in, global float* out) {
  size_t i = get_global_id(0) - get_global_offset(0);
  out[i] = body(in[i]);
}
kernel void plane(global const float* in, global float* out) {
  size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  out[i] = body(in[i]);
}
kernel void volume(global const float* in, global float* out) {
  size_t i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
  out[i] = body(in[i]);
}
)";

/// @param count  elements; the range may be larger where the kernel guards
void shape_of(Run& r, const char* kernel, const Sizes& sizes, std::size_t count, bool guarded = false, int repeat = 1) {
  const auto a = floats(count, 1);
  std::vector<float> out(count), want(count);
  r.plain([&] {
    for (int launch = 0; launch < repeat; ++launch)
      parallel(count, [&](std::size_t i, std::size_t end) {
        for (; i < end; ++i) {
          const float x = a[i];
          float y = x;
          for (int n = 0; n < 16; ++n) y = y * x + 0.25f;
          want[i] = y;
        }
      });
  });
  r.source(kSource, sizes.local.empty() ? "" : "-cl-std=CL1.2");
  if (guarded)
    r.launch(kernel, sizes, in(a), out_of(out), static_cast<cl_int>(count));
  else
    r.launch(kernel, sizes, in(a), out_of(out));
  r.repeat(repeat);
  r.work(static_cast<double>(count), "item");
  if (r.go()) r.check(out, want, 1e-5);
}

void free_prime(Run& r) {
  const std::size_t n = r.size(1'000'003, 1009);
  shape_of(r, "line", {{n}, {}, {}}, n);
}
void free_odd_plane(Run& r) {
  const std::size_t x = r.size(1021, 61), y = r.size(1013, 31);
  shape_of(r, "plane", {{x, y}, {}, {}}, x * y);
}
void prime_guarded(Run& r) {
  const std::size_t n = r.size(1'000'003, 1009);
  shape_of(r, "guarded", {{round_up(n, 64)}, {64}, {}}, n, true);
}
void local_1(Run& r) {
  const std::size_t n = r.size(262'144, 1024);
  shape_of(r, "line", {{n}, {1}, {}}, n);
}
void local_3(Run& r) {
  const std::size_t n = r.size(786'432, 3072);
  shape_of(r, "line", {{n}, {3}, {}}, n);
}
void local_4(Run& r) {
  const std::size_t n = r.size(1'048'576, 1024);
  shape_of(r, "line", {{n}, {4}, {}}, n);
}
void local_17(Run& r) {
  const std::size_t n = r.size(1'048'560, 1020);
  shape_of(r, "line", {{n / 17 * 17}, {17}, {}}, n / 17 * 17);
}
void local_61(Run& r) {
  const std::size_t n = r.size(61 * 16'384, 610);
  shape_of(r, "line", {{n}, {61}, {}}, n);
}
void local_8x8(Run& r) {
  const std::size_t x = r.size(1024, 64), y = r.size(1024, 32);
  shape_of(r, "plane", {{x, y}, {8, 8}, {}}, x * y);
}
void local_2x64(Run& r) {
  const std::size_t x = r.size(1024, 64), y = r.size(1024, 64);
  shape_of(r, "plane", {{x, y}, {2, 64}, {}}, x * y);
}
void local_1x64(Run& r) {
  const std::size_t x = r.size(512, 64), y = r.size(1024, 64);
  shape_of(r, "plane", {{x, y}, {1, 64}, {}}, x * y);
}
void local_4x4x4(Run& r) {
  const std::size_t x = r.size(128, 16), y = r.size(64, 8), z = r.size(128, 4);
  shape_of(r, "volume", {{x, y, z}, {4, 4, 4}, {}}, x * y * z);
}
void rows_of_3(Run& r) {
  const std::size_t y = r.size(262'144, 500);
  shape_of(r, "plane", {{3, y}, {}, {}}, 3 * y);
}
void offset(Run& r) {
  const std::size_t n = r.size(1'048'576, 1024);
  shape_of(r, "shifted", {{n}, {64}, {1000}}, n);
}
void not_multiple(Run& r) {
  if (!r.needs_non_uniform()) return;
  const std::size_t n = r.size(1'000'003, 1009);
  const auto a = floats(n, 1);
  std::vector<float> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        float y = a[i];
        for (int k = 0; k < 16; ++k) y = y * a[i] + 0.25f;
        want[i] = y;
      }
    });
  });
  r.source(kSource, "-cl-std=CL3.0");
  r.launch("line", {{n}, {100}, {}}, in(a), out_of(out));
  r.work(static_cast<double>(n), "item");
  if (r.go()) r.check(out, want, 1e-5);
}
void small_64(Run& r) {
  shape_of(r, "line", {{64}, {64}, {}}, 64, false, 2000);
}
void small_4096(Run& r) {
  shape_of(r, "line", {{4096}, {64}, {}}, 4096, false, 1000);
}

}  // namespace

void add_launch(Suite& suite) {
  suite.insert(suite.end(), {{"launch/free_prime", free_prime},
                             {"launch/free_odd_plane", free_odd_plane},
                             {"launch/prime_guarded", prime_guarded},
                             {"launch/not_multiple", not_multiple},
                             {"launch/local_1", local_1},
                             {"launch/local_3", local_3},
                             {"launch/local_4", local_4},
                             {"launch/local_17", local_17},
                             {"launch/local_61", local_61},
                             {"launch/local_8x8", local_8x8},
                             {"launch/local_2x64", local_2x64},
                             {"launch/local_1x64", local_1x64},
                             {"launch/local_4x4x4", local_4x4x4},
                             {"launch/rows_of_3", rows_of_3},
                             {"launch/offset", offset},
                             {"launch/small_64", small_64},
                             {"launch/small_4096", small_4096}});
}

}  // namespace lanewise::bench
