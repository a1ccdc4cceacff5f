// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divergent loops: lanes that leave at different times.
#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

const char* const kSource = R"(
kernel void mandelbrot(global int* out, int width, float scale, int limit) {
  int px = get_global_id(0), py = get_global_id(1);
  float cx = px * scale - 2.0f, cy = py * scale - 1.25f, x = 0, y = 0;
  int n = 0;
  while (n < limit && x * x + y * y <= 4.0f) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    ++n;
  }
  out[py * width + px] = n;
}
kernel void mandelbrot_double(global int* out, int width, double scale, int limit) {
  int px = get_global_id(0), py = get_global_id(1);
  double cx = px * scale - 2.0, cy = py * scale - 1.25, x = 0, y = 0;
  int n;
  for (n = 0; n < limit; ++n) {
    if (x * x + y * y > 4.0) break;
    double t = x * x - y * y + cx;
    y = 2.0 * x * y + cy;
    x = t;
  }
  out[py * width + px] = n;
}
kernel void trips(global const uint* count, global const float* in, global float* out) {
  size_t i = get_global_id(0);
  float x = in[i], sum = 0;
  for (uint n = 0; n < count[i]; ++n) { sum = sum * 0.5f + x; x = x * 0.75f + 0.125f; }
  out[i] = sum;
}
kernel void trips_coalesced(global const uint* count, global const float* in, global float* out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float sum = 0;
  for (uint k = 0; k < count[i]; ++k) sum += in[k * n + i];
  out[i] = sum;
}
kernel void collatz(global const uint* in, global uint* out) {
  size_t i = get_global_id(0);
  ulong x = in[i];
  uint n = 0;
  while (x > 1) { x = (x & 1) ? 3 * x + 1 : x >> 1; ++n; }
  out[i] = n;
}
kernel void newton(global const float* in, global float* out) {
  size_t i = get_global_id(0);
  float a = in[i], x = a;
  for (int n = 0; n < 100; ++n) {
    float next = x - (x * x * x - a) / (3.0f * x * x);
    if (fabs(next - x) <= 1e-6f * fabs(next)) break;
    x = next;
  }
  out[i] = x;
}
kernel void binary_search(global const uint* sorted, global const uint* wanted, global uint* out, uint n) {
  size_t i = get_global_id(0);
  uint key = wanted[i], low = 0, high = n;
  while (low < high) {
    uint middle = (low + high) / 2;
    if (sorted[middle] < key) low = middle + 1;
    else high = middle;
  }
  out[i] = low;
}
kernel void gcd(global const uint* a, global const uint* b, global uint* out) {
  size_t i = get_global_id(0);
  uint x = a[i], y = b[i];
  while (y != 0) { uint t = x % y; x = y; y = t; }
  out[i] = x;
}
)";

/// Rows of `kLanes` points iterate together, as one would write it by hand for SIMD.
template <class T>
void mandelbrot_rows(std::vector<cl_int>& want, std::size_t width, std::size_t height, T scale, cl_int limit) {
  constexpr std::size_t kLanes = 128 / sizeof(T);
  parallel(
      height,
      [&](std::size_t row, std::size_t end) {
        for (; row < end; ++row)
          for (std::size_t at = 0; at < width; at += kLanes) {
            T cx[kLanes], x[kLanes] = {}, y[kLanes] = {}, count[kLanes] = {};
            const T cy = static_cast<T>(row) * scale - T(1.25);
            for (std::size_t k = 0; k < kLanes; ++k) cx[k] = static_cast<T>(at + k) * scale - T(2);
            T live = 1;
            for (cl_int n = 0; n < limit && live > 0; ++n) {
              live = 0;
              for (std::size_t k = 0; k < kLanes; ++k) {
                const T on = x[k] * x[k] + y[k] * y[k] <= T(4) ? T(1) : T(0);
                const T t = x[k] * x[k] - y[k] * y[k] + cx[k];
                y[k] = on > 0 ? T(2) * x[k] * y[k] + cy : y[k];
                x[k] = on > 0 ? t : x[k];
                count[k] += on;
                live += on;
              }
            }
            for (std::size_t k = 0; k < std::min(kLanes, width - at); ++k)
              want[row * width + at + k] = static_cast<cl_int>(count[k]);
          }
      },
      height);
}

template <class T>
void mandelbrot_of(Run& r, const char* kernel) {
  const std::size_t width = r.size(512, 67), height = r.size(384, 31);
  const cl_int limit = 200;
  const T scale = static_cast<T>(2.5) / static_cast<T>(height);
  std::vector<cl_int> out(width * height), want(width * height);
  r.plain([&] { mandelbrot_rows(want, width, height, scale, limit); });
  double iterations = 0;
  for (cl_int n : want) iterations += n;
  r.source(kSource);
  r.launch(kernel, {{width, height}, {}, {}}, out_of(out), static_cast<cl_int>(width), scale, limit);
  r.work(iterations, "iteration");
  if (r.go()) r.check(out, want, 0, 0.02);  // the border is chaotic
}
void mandelbrot(Run& r) {
  mandelbrot_of<float>(r, "mandelbrot");
}
void mandelbrot_double(Run& r) {
  mandelbrot_of<double>(r, "mandelbrot_double");
}

void trips(Run& r) {
  const std::size_t n = r.size(524'288, 1024);
  const auto count = integers(n, 1, 65);
  const auto a = floats(n, 2);
  std::vector<float> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        float x = a[i], sum = 0;
        for (std::uint32_t k = 0; k < count[i]; ++k) {
          sum = sum * 0.5f + x;
          x = x * 0.75f + 0.125f;
        }
        want[i] = sum;
      }
    });
  });
  r.source(kSource);
  r.launch("trips", {{n}, {64}, {}}, in(count), in(a), out_of(out));
  r.work(32.0 * n, "iteration");
  if (r.go()) r.check(out, want, 1e-5);
}

void trips_coalesced(Run& r) {
  const std::size_t n = r.size(131'072, 1024);
  const auto count = integers(n, 1, 33);
  const auto a = floats(n * 32, 2);
  std::vector<float> out(n), want(n);
  r.plain([&] {
    parallel(
        n,
        [&](std::size_t first, std::size_t end) {
          for (std::size_t i = first; i < end; ++i) want[i] = 0;
          for (std::size_t k = 0; k < 32; ++k)
            for (std::size_t i = first; i < end; ++i) want[i] += k < count[i] ? a[k * n + i] : 0.0f;
        },
        n / 256);
  });
  r.source(kSource);
  r.launch("trips_coalesced", {{n}, {64}, {}}, in(count), in(a), out_of(out));
  r.work(16.0 * n, "iteration");
  if (r.go()) r.check(out, want, 1e-5);
}

void collatz(Run& r) {
  const std::size_t n = r.size(131'072, 1024);
  const auto a = integers(n, 1, 1'000'000);
  std::vector<std::uint32_t> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        std::uint32_t steps = 0;
        for (std::uint64_t x = a[i]; x > 1; ++steps) x = (x & 1) != 0 ? 3 * x + 1 : x >> 1;
        want[i] = steps;
      }
    });
  });
  double iterations = 0;
  for (std::uint32_t steps : want) iterations += steps;
  r.source(kSource);
  r.launch("collatz", {{n}, {64}, {}}, in(a), out_of(out));
  r.work(iterations, "iteration");
  if (r.go()) r.check(out, want);
}

void newton(Run& r) {
  const std::size_t n = r.size(524'288, 1024);
  const auto a = floats(n, 1, 0.01f, 1000);
  std::vector<float> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        float x = a[i];
        for (int k = 0; k < 100; ++k) {
          const float next = x - (x * x * x - a[i]) / (3.0f * x * x);
          if (std::fabs(next - x) <= 1e-6f * std::fabs(next)) break;
          x = next;
        }
        want[i] = x;
      }
    });
  });
  r.source(kSource);
  r.launch("newton", {{n}, {64}, {}}, in(a), out_of(out));
  r.work(static_cast<double>(n), "item");
  if (r.go()) r.check(out, want, 1e-5);
}

void binary_search(Run& r) {
  const std::size_t n = r.size(65'536, 1000), keys = r.size(524'288, 1024);
  std::vector<std::uint32_t> sorted(n);
  for (std::size_t i = 0; i < n; ++i) sorted[i] = static_cast<std::uint32_t>(i * 3);
  const auto wanted = integers(keys, 1, static_cast<std::uint32_t>(n * 3));
  std::vector<std::uint32_t> out(keys), want(keys);
  r.plain([&] {
    parallel(keys, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        std::uint32_t low = 0;
        for (auto length = static_cast<std::uint32_t>(n); length > 0;) {  // the body has no branch
          const std::uint32_t step = length / 2;
          const bool right = sorted[low + step] < wanted[i];
          low += right ? step + 1 : 0;
          length = right ? length - step - 1 : step;
        }
        want[i] = low;
      }
    });
  });
  r.source(kSource);
  r.launch("binary_search", {{keys}, {64}, {}}, in(sorted), in(wanted), out_of(out), static_cast<cl_uint>(n));
  r.work(static_cast<double>(keys), "search");
  if (r.go()) r.check(out, want);
}

void gcd(Run& r) {
  const std::size_t n = r.size(524'288, 1024);
  const auto a = integers(n, 1), b = integers(n, 2);
  std::vector<std::uint32_t> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        std::uint32_t x = a[i], y = b[i];
        while (y != 0) {
          const std::uint32_t t = x % y;
          x = y;
          y = t;
        }
        want[i] = x;
      }
    });
  });
  r.source(kSource);
  r.launch("gcd", {{n}, {64}, {}}, in(a), in(b), out_of(out));
  r.work(static_cast<double>(n), "item");
  if (r.go()) r.check(out, want);
}

}  // namespace

void add_loops(Suite& suite) {
  suite.insert(suite.end(), {{"control/mandelbrot", mandelbrot},
                             {"control/mandelbrot_double", mandelbrot_double},
                             {"control/trips", trips},
                             {"control/trips_coalesced", trips_coalesced},
                             {"control/collatz", collatz},
                             {"control/newton_break", newton},
                             {"control/binary_search", binary_search},
                             {"control/gcd", gcd}});
}

}  // namespace lanewise::bench
