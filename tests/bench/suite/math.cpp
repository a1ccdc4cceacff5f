// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Built-in functions in straight-line code.
#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

const char* const kSource = R"(
kernel void exp_log(global const float* in, global float* out) {
  size_t i = get_global_id(0);
  float x = in[i];
  for (int n = 0; n < 8; ++n) x = log(1.0f + exp(x));
  out[i] = x;
}
kernel void sin_cos(global const float* in, global float* out) {
  size_t i = get_global_id(0);
  float c, s = sincos(in[i] * 20.0f, &c);
  out[i] = s * c + sin(in[i]) + cos(in[i] * 3.0f);
}
kernel void power(global const float* in, global float* out) {
  size_t i = get_global_id(0);
  out[i] = pow(in[i] + 0.5f, 2.2f);
}
kernel void exp_double(global const double* in, global double* out) {
  size_t i = get_global_id(0);
  out[i] = exp(in[i]) * sin(in[i]);
}
kernel void black_scholes(global const float* spot, global const float* strike, global float* call, float rate,
                          float sigma, float years) {
  size_t i = get_global_id(0);
  float s = spot[i], k = strike[i], root = sigma * sqrt(years);
  float d1 = (log(s / k) + (rate + 0.5f * sigma * sigma) * years) / root, d2 = d1 - root;
  float n1 = 0.5f * erfc(-d1 * 0.70710678f), n2 = 0.5f * erfc(-d2 * 0.70710678f);
  call[i] = s * n1 - k * exp(-rate * years) * n2;
}
kernel void quaternion(global const float4* in, global float4* out) {
  size_t i = get_global_id(0);
  float4 q = normalize(in[i]);
  float3 v = (float3)(1.0f, 2.0f, 3.0f);
  float3 t = 2.0f * cross(q.xyz, v);
  out[i] = (float4)(v + q.w * t + cross(q.xyz, t), length(q));
}
)";

void exp_log(Run& r) {
  map_of<float, float>(r, kSource, "exp_log", floats(r.size(1'048'576, 1024), 1, -3, 3),
                       [](float x) {
                         for (int n = 0; n < 8; ++n) x = std::log(1.0f + std::exp(x));
                         return x;
                       },
                       {.tolerance = 1e-5});
}
void sin_cos(Run& r) {
  map_of<float, float>(
      r, kSource, "sin_cos", floats(r.size(2'097'152, 1024), 1, -3, 3),
      [](float x) { return std::sin(x * 20.0f) * std::cos(x * 20.0f) + std::sin(x) + std::cos(x * 3.0f); },
      {.tolerance = 1e-4});
}
void power(Run& r) {
  map_of<float, float>(r, kSource, "power", floats(r.size(2'097'152, 1024), 1),
                       [](float x) { return std::pow(x + 0.5f, 2.2f); }, {.tolerance = 1e-5});
}
void exp_double(Run& r) {
  map_of<double, double>(r, kSource, "exp_double", doubles(r.size(2'097'152, 1024), 1, -3, 3),
                         [](double x) { return std::exp(x) * std::sin(x); }, {.tolerance = 1e-12});
}

void black_scholes(Run& r) {
  const std::size_t n = r.size(2'097'152, 1024);
  const auto spot = floats(n, 1, 10, 100), strike = floats(n, 2, 10, 100);
  std::vector<float> out(n), want(n);
  const float rate = 0.02f, sigma = 0.3f, years = 2;
  r.plain([&] {
    const float root = sigma * std::sqrt(years), discount = std::exp(-rate * years);
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        const float d1 = (std::log(spot[i] / strike[i]) + (rate + 0.5f * sigma * sigma) * years) / root;
        const float d2 = d1 - root;
        want[i] =
            spot[i] * 0.5f * std::erfc(-d1 * 0.70710678f) - strike[i] * discount * 0.5f * std::erfc(-d2 * 0.70710678f);
      }
    });
  });
  r.source(kSource);
  r.launch("black_scholes", {{n}, {64}, {}}, in(spot), in(strike), out_of(out), rate, sigma, years);
  r.work(static_cast<double>(n), "option");
  if (r.go()) r.check(out, want, 1e-3);
}

void quaternion(Run& r) {
  const std::size_t n = r.size(2'097'152, 1024);
  const auto q = floats(n * 4, 1, 0.1f, 1);
  std::vector<float> out(n * 4), want(n * 4);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        float a = q[i * 4], b = q[i * 4 + 1], c = q[i * 4 + 2], w = q[i * 4 + 3];
        const float scale = 1 / std::sqrt(a * a + b * b + c * c + w * w);
        a *= scale, b *= scale, c *= scale, w *= scale;
        const float tx = 2 * (b * 3 - c * 2), ty = 2 * (c * 1 - a * 3), tz = 2 * (a * 2 - b * 1);
        want[i * 4] = 1 + w * tx + b * tz - c * ty;
        want[i * 4 + 1] = 2 + w * ty + c * tx - a * tz;
        want[i * 4 + 2] = 3 + w * tz + a * ty - b * tx;
        want[i * 4 + 3] = std::sqrt(a * a + b * b + c * c + w * w);
      }
    });
  });
  r.source(kSource);
  r.launch("quaternion", {{n}, {64}, {}}, in(q), out_of(out));
  r.work(32.0 * n, "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want, 1e-5);
}

}  // namespace

void add_math(Suite& suite) {
  suite.insert(suite.end(), {{"compute/exp_log", exp_log},
                             {"compute/sin_cos", sin_cos},
                             {"compute/pow", power},
                             {"compute/exp_double", exp_double},
                             {"compute/black_scholes", black_scholes},
                             {"compute/quaternion", quaternion}});
}

}  // namespace lanewise::bench
