// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divergent branches: switches, early exits, ray against spheres, backtracking.
#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

const char* const kSource = R"(
kernel void machine(global const uint* in, global uint* out) {
  size_t i = get_global_id(0);
  uint x = in[i], acc = 1;
  for (int n = 0; n < 16; ++n) {
    switch (x & 7u) {
      case 0: acc += x; break;
      case 1: acc ^= x << 3; break;
      case 2: acc *= 2654435761u; break;
      case 3: acc = rotate(acc, 5u); break;
      case 4: acc -= x >> 2; // fall through
      case 5: acc |= 1u; break;
      case 6: acc = ~acc; break;
      default: acc = acc * acc + x;
    }
    x = x * 1664525u + acc;
  }
  out[i] = acc;
}
kernel void early_exit(global const float* in, global float* out, float threshold) {
  size_t i = get_global_id(0);
  float x = in[i];
  if (x < threshold) { out[i] = 0; return; }
  float sum = 0;
  for (int k = 1; k <= 32; ++k) {
    sum += x / (x + k);
    if (sum > 4.0f) { out[i] = sum * 2; return; }
  }
  out[i] = sum;
}
kernel void branch_half(global const float* in, global float* out) {
  size_t i = get_global_id(0);
  float x = in[i], y;
  if (x > 0.5f) { y = sqrt(x) * 3.0f + x * x; if (y > 3.0f) y = 1.0f / y; }
  else { y = x * x * x - 2.0f * x; if (x > 0.25f) y += native_recip(x + 1.0f); }
  out[i] = y;
}
kernel void find_first(global const uchar* text, global int* out, int length) {
  size_t i = get_global_id(0);
  global const uchar* line = text + i * length;
  int at = -1;
  for (int k = 0; k < length; ++k)
    if (line[k] < 8) { at = k; break; }
  out[i] = at;
}
#define SPHERES 16
kernel void ray_sphere(global const float4* sphere, global float* out, int width, int height) {
  int px = get_global_id(0), py = get_global_id(1);
  float3 direction = normalize((float3)((px + 0.5f) / width - 0.5f, (py + 0.5f) / height - 0.5f, 1.0f));
  float nearest = 1e30f;
  int hit = -1;
  for (int k = 0; k < SPHERES; ++k) {
    float4 s = sphere[k];
    float b = dot(direction, s.xyz), c = dot(s.xyz, s.xyz) - s.w * s.w, d = b * b - c;
    if (d < 0.0f) continue;
    float t = b - sqrt(d);
    if (t > 0.001f && t < nearest) { nearest = t; hit = k; }
  }
  float shade = 0.1f;
  if (hit >= 0) {
    float4 s = sphere[hit];
    float3 normal = (nearest * direction - s.xyz) / s.w;
    shade = fmax(0.0f, -dot(normal, direction));
  }
  out[py * width + px] = shade;
}
kernel void queens(global uint* out, int n) {
  int i = get_global_id(0);
  uint all = (1u << n) - 1u;
  int c0 = i % n, c1 = i / n;
  out[i] = 0;
  if (abs(c0 - c1) < 2) return;
  uint columns[16], left[16], right[16], open[16];
  int depth = 2;
  columns[2] = (1u << c0) | (1u << c1);
  left[2] = ((1u << c0) << 2) | ((1u << c1) << 1);
  right[2] = ((1u << c0) >> 2) | ((1u << c1) >> 1);
  open[2] = all & ~(columns[2] | left[2] | right[2]);
  uint found = 0;
  while (depth >= 2) {
    uint free = open[depth];
    if (free == 0) { --depth; continue; }
    uint bit = free & (0u - free);
    open[depth] = free ^ bit;
    if (depth == n - 1) { ++found; continue; }
    columns[depth + 1] = columns[depth] | bit;
    left[depth + 1] = (left[depth] | bit) << 1;
    right[depth + 1] = (right[depth] | bit) >> 1;
    ++depth;
    open[depth] = all & ~(columns[depth] | left[depth] | right[depth]);
  }
  out[i] = found;
}
)";

void machine(Run& r) {
  map_of<std::uint32_t, std::uint32_t>(r, kSource, "machine", integers(r.size(524'288, 1024), 1),
                                       [](std::uint32_t x) {
                                         std::uint32_t acc = 1;
                                         for (int n = 0; n < 16; ++n) {
                                           switch (x & 7u) {
                                             case 0:
                                               acc += x;
                                               break;
                                             case 1:
                                               acc ^= x << 3;
                                               break;
                                             case 2:
                                               acc *= 2654435761u;
                                               break;
                                             case 3:
                                               acc = acc << 5 | acc >> 27;
                                               break;
                                             case 4:
                                               acc -= x >> 2;
                                               [[fallthrough]];
                                             case 5:
                                               acc |= 1u;
                                               break;
                                             case 6:
                                               acc = ~acc;
                                               break;
                                             default:
                                               acc = acc * acc + x;
                                           }
                                           x = x * 1664525u + acc;
                                         }
                                         return acc;
                                       },
                                       {});
}

void early_exit(Run& r) {
  const std::size_t n = r.size(1'048'576, 1024);
  const auto a = floats(n, 1);
  std::vector<float> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        const float x = a[i];
        float sum = 0;
        bool done = x < 0.25f;
        for (int k = 1; k <= 32 && !done; ++k) {
          sum += x / (x + static_cast<float>(k));
          done = sum > 4.0f;
          if (done) sum *= 2;
        }
        want[i] = sum;
      }
    });
  });
  r.source(kSource);
  r.launch("early_exit", {{n}, {64}, {}}, in(a), out_of(out), 0.25f);
  r.work(static_cast<double>(n), "item");
  if (r.go()) r.check(out, want, 1e-5, 1e-4);
}

void branch_half(Run& r) {
  map_of<float, float>(r, kSource, "branch_half", floats(r.size(4'194'304, 1024), 1),
                       [](float x) {
                         float y;
                         if (x > 0.5f) {
                           y = std::sqrt(x) * 3.0f + x * x;
                           if (y > 3.0f) y = 1.0f / y;
                         } else {
                           y = x * x * x - 2.0f * x;
                           if (x > 0.25f) y += 1.0f / (x + 1.0f);
                         }
                         return y;
                       },
                       {.tolerance = 2e-3, .misses = 1e-4});
}

void find_first(Run& r) {
  const std::size_t n = r.size(262'144, 1024), length = 64;
  const auto text = octets(n * length, 1);
  std::vector<std::int32_t> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        std::int32_t at = -1;
        for (std::size_t k = 0; k < length; ++k)
          if (text[i * length + k] < 8) {
            at = static_cast<std::int32_t>(k);
            break;
          }
        want[i] = at;
      }
    });
  });
  r.source(kSource);
  r.launch("find_first", {{n}, {64}, {}}, in(text), out_of(out), static_cast<cl_int>(length));
  r.work(static_cast<double>(n), "item");
  if (r.go()) r.check(out, want);
}

struct Ray {
  float x, y, z;
};
float shade_of(const Ray& d, const std::vector<float>& sphere) {
  float nearest = 1e30f;
  int hit = -1;
  for (int k = 0; k < 16; ++k) {
    const float* s = &sphere[static_cast<std::size_t>(k) * 4];
    const float b = d.x * s[0] + d.y * s[1] + d.z * s[2];
    const float c = s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - s[3] * s[3], inside = b * b - c;
    if (inside < 0) continue;
    const float t = b - std::sqrt(inside);
    if (t > 0.001f && t < nearest) nearest = t, hit = k;
  }
  if (hit < 0) return 0.1f;
  const float* s = &sphere[static_cast<std::size_t>(hit) * 4];
  const float along = (nearest * d.x - s[0]) * d.x + (nearest * d.y - s[1]) * d.y + (nearest * d.z - s[2]) * d.z;
  return std::fmax(0.0f, -along / s[3]);
}

void ray_sphere(Run& r) {
  const std::size_t width = r.size(1024, 64), height = r.size(512, 31);
  auto sphere = floats(64, 1);
  for (std::size_t k = 0; k < 16; ++k) {
    sphere[k * 4] = sphere[k * 4] * 4 - 2;
    sphere[k * 4 + 1] = sphere[k * 4 + 1] * 4 - 2;
    sphere[k * 4 + 2] = sphere[k * 4 + 2] * 4 + 4;
    sphere[k * 4 + 3] = sphere[k * 4 + 3] * 0.7f + 0.3f;
  }
  std::vector<float> out(width * height), want(width * height);
  r.plain([&] {
    parallel(
        height,
        [&](std::size_t row, std::size_t end) {
          for (; row < end; ++row)
            for (std::size_t column = 0; column < width; ++column) {
              const float x = (static_cast<float>(column) + 0.5f) / static_cast<float>(width) - 0.5f;
              const float y = (static_cast<float>(row) + 0.5f) / static_cast<float>(height) - 0.5f;
              const float scale = 1 / std::sqrt(x * x + y * y + 1);
              want[row * width + column] = shade_of({x * scale, y * scale, scale}, sphere);
            }
        },
        height);
  });
  r.source(kSource);
  r.launch("ray_sphere", {{width, height}, {}, {}}, in(sphere), out_of(out), static_cast<cl_int>(width),
           static_cast<cl_int>(height));
  r.work(static_cast<double>(width * height * 16), "test");
  if (r.go()) r.check(out, want, 3e-3, 1e-3);  // a silhouette may be hit or not
}

std::uint32_t queens_below(std::uint32_t all, std::uint32_t columns, std::uint32_t left, std::uint32_t right) {
  if (columns == all) return 1;
  std::uint32_t found = 0;
  for (std::uint32_t open = all & ~(columns | left | right); open != 0; open &= open - 1) {
    const std::uint32_t bit = open & (0u - open);
    found += queens_below(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return found;
}

void queens(Run& r) {
  const std::size_t n = r.size(12, 8);
  std::vector<std::uint32_t> out(n * n), want(n * n);
  r.plain([&] {
    parallel(
        n * n,
        [&](std::size_t i, std::size_t end) {
          for (; i < end; ++i) {
            const std::uint32_t a = 1u << (i % n), b = 1u << (i / n);
            const bool apart = i % n > i / n + 1 || i / n > i % n + 1;
            want[i] = apart ? queens_below((1u << n) - 1, a | b, a << 2 | b << 1, a >> 2 | b >> 1) : 0;
          }
        },
        n * n);
  });
  double solutions = 0;
  for (std::uint32_t found : want) solutions += found;
  r.source(kSource);
  r.launch("queens", {{n * n}, {n}, {}}, out_of(out), static_cast<cl_int>(n));
  r.work(solutions, "solution");
  if (r.go()) r.check(out, want);
}

}  // namespace

void add_branches(Suite& suite) {
  suite.insert(suite.end(), {{"control/switch", machine},
                             {"control/early_exit", early_exit},
                             {"control/branches", branch_half},
                             {"control/find_first", find_first},
                             {"control/ray_sphere", ray_sphere},
                             {"control/queens", queens}});
}

}  // namespace lanewise::bench
