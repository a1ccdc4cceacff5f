// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The effect of the build options for floating-point arithmetic (OpenCL API 5.8.6.2): a program builds with each, and
/// results stay within the bounds that hold with it. The harness in conformance/ulp measures the functions one by one.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

constexpr const char* kSource = R"(
  kernel void k(global const float* a, global const float* b, global float* out, uint n) {
    const uint i = get_global_id(0);
    const float x = a[i], y = b[i];
    out[i] = pow(x, y);
    out[n + i] = log(x);
    out[2 * n + i] = tan(y);
    out[3 * n + i] = x / y;
    out[4 * n + i] = sqrt(x);
    out[5 * n + i] = exp(y);
    const float2 two = log((float2)(x, y * y));
    out[6 * n + i] = two.y;
  #ifdef __FAST_RELAXED_MATH__
    out[7 * n + i] = 1;
  #else
    out[7 * n + i] = 0;
  #endif
  })";
constexpr std::size_t kCount = 1000;

struct Values {
  std::vector<float> a, b, out;
};

Values results(const std::string& options) {
  Values v{std::vector<float>(kCount), std::vector<float>(kCount), std::vector<float>(8 * kCount)};
  for (std::size_t i = 0; i < kCount; ++i) {
    v.a[i] = std::exp2(static_cast<float>(i % 83) / 8.0F - 5.0F) * 1.01F;
    v.b[i] = (static_cast<float>(i * 37 % 1000) - 499.5F) / 61.0F;
  }
  run(kSource, "k", {kCount, 100}, {buffer(v.a), buffer(v.b), buffer(v.out), value(static_cast<std::uint32_t>(kCount))},
      "-cl-std=CL1.2 " + options);
  return v;
}

double ulps(float got, double exact) {
  const double ulp = std::ldexp(1.0, std::max(std::ilogb(exact), -126) - 23);
  return std::fabs(got - exact) / ulp;
}

/// The relaxed logarithm is bounded absolutely around 1.
double log_error(float got, double x, bool relaxed) {
  const double exact = std::log(x);
  if (relaxed && x >= 0.5 && x <= 2) return std::fabs(got - exact) <= 0x1p-21 ? 0 : ulps(got, exact);
  return ulps(got, exact);
}

struct Bounds {
  double pow, log, tan, divide, sqrt;
  bool relaxed;
};
constexpr Bounds kFull{16, 3, 5, 2.5, 3, false}, kRounded{16, 3, 5, 0.5, 0.5, false},
    kRelaxed{8192, 3, 8192, 2.5, 3, true};

void check(const Values& v, const Bounds& bounds) {
  for (std::size_t i = 0; i < kCount; ++i) {
    const double x = v.a[i], y = v.b[i];
    const auto out = [&](std::size_t row) { return v.out[row * kCount + i]; };
    EXPECT_LE(ulps(out(0), std::pow(x, y)), bounds.pow) << x << " " << y;
    EXPECT_LE(log_error(out(1), x, bounds.relaxed), bounds.log) << x;
    EXPECT_LE(ulps(out(2), std::tan(y)), bounds.tan) << y;
    EXPECT_LE(ulps(out(3), x / y), bounds.divide) << x << " " << y;
    EXPECT_LE(ulps(out(4), std::sqrt(x)), bounds.sqrt) << x;
    EXPECT_LE(ulps(out(5), std::exp(y)), 3 + (bounds.relaxed ? std::floor(std::fabs(2 * y)) : 0)) << y;
    EXPECT_LE(log_error(out(6), static_cast<double>(v.b[i] * v.b[i]), bounds.relaxed), bounds.log) << y;
  }
}

TEST(MathOptions, OptionsThatChangeNoBound) {
  for (const char* option :
       {"", "-cl-denorms-are-zero", "-cl-finite-math-only", "-cl-mad-enable", "-cl-no-signed-zeros"}) {
    SCOPED_TRACE(option);
    const Values v = results(option);
    check(v, kFull);
    EXPECT_EQ(v.out[7 * kCount], 0);
  }
}

TEST(MathOptions, CorrectlyRoundedDivideAndSquareRoot) {
  check(results("-cl-fp32-correctly-rounded-divide-sqrt"), kRounded);
}

TEST(MathOptions, RelaxedFunctionsAreShorterAndWithinTheirBounds) {
  if (compares_widths()) GTEST_SKIP() << "relaxed operations may be ordered in another way in vectors";
  const Values full = results("");
  const Values unsafe = results("-cl-unsafe-math-optimizations"), fast = results("-cl-fast-relaxed-math");
  check(unsafe, kRelaxed);
  check(fast, kRelaxed);
  EXPECT_EQ(unsafe.out[7 * kCount], 0);
  EXPECT_EQ(fast.out[7 * kCount], 1);
  const auto row = [](const Values& v, std::size_t r) {
    return std::vector<float>(v.out.begin() + static_cast<std::ptrdiff_t>(r * kCount),
                              v.out.begin() + static_cast<std::ptrdiff_t>((r + 1) * kCount));
  };
  for (const std::size_t r : {0U, 2U}) {
    EXPECT_NE(row(full, r), row(unsafe, r)) << "the relaxed form is not used: row " << r;
    EXPECT_EQ(row(unsafe, r), row(fast, r)) << "row " << r;
  }
  // A program without the options is not affected by programs built before it.
  EXPECT_EQ(row(results("-D UNUSED"), 0), row(full, 0));
}

/// Under finite-math-only results that are not finite may be anything; without it, infinities and NaN keep their
/// meaning.
TEST(MathOptions, SpecialValuesWithoutFiniteMath) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const char* option : {"", "-cl-mad-enable", "-cl-denorms-are-zero", "-cl-unsafe-math-optimizations"}) {
    SCOPED_TRACE(option);
    std::vector<float> a = {0, kInfinity, -2, -2, 0, 2, nan, 1}, b = {2, -1, 3, 2, 0, 1000, 0, nan}, out(8);
    run("kernel void k(global float* a, global float* b, global float* out) {"
        " const size_t i = get_global_id(0); out[i] = pow(a[i], b[i]); }",
        "k", {8, 8}, {buffer(a), buffer(b), buffer(out)}, std::string("-cl-std=CL1.2 ") + option);
    const std::vector<float> exact = {0, 0, -8, 4, 1, kInfinity, 1, 1};
    for (std::size_t i = 0; i < exact.size(); ++i)
      EXPECT_TRUE(out[i] == exact[i] || std::fabs(out[i] - exact[i]) < 0.002F) << a[i] << " " << b[i] << " " << out[i];
  }
}

/// CL_FP_DENORM is reported for all three types; -cl-denorms-are-zero only permits flushing denormals.
template <class Bits>
void check_subnormals(const std::string& type, Bits least_normal, Bits half, const std::string& option) {
  SCOPED_TRACE(type + " " + option);
  // Quotients by two of the smallest normal numbers and the differences of neighbours; all are exact.
  std::vector<Bits> a(64), halves(64), steps(64);
  for (std::size_t i = 0; i < 64; ++i) a[i] = static_cast<Bits>(least_normal + 2 * i);
  run("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\ntypedef " + type +
          " T; kernel void k(global const T* a, global T* h, "
          "global T* s, T half_of_one) { const size_t i = get_global_id(0);"
          " h[i] = a[i] * half_of_one; s[i] = a[i] - a[i / 2]; }",
      "k", {64, 64}, {buffer(a), buffer(halves), buffer(steps), value(half)}, "-cl-std=CL1.2 " + option);
  for (std::size_t i = 0; i < 64; ++i) {
    EXPECT_EQ(halves[i], static_cast<Bits>(least_normal / 2 + i)) << i;
    EXPECT_EQ(steps[i], static_cast<Bits>(2 * (i - i / 2))) << i;
  }
}

TEST(MathOptions, SubnormalNumbersAreKept) {
  for (const char* option : {"", "-cl-denorms-are-zero", "-cl-mad-enable", "-cl-no-signed-zeros"}) {
    check_subnormals<std::uint32_t>("float", 0x00800000, 0x3f000000, option);
    check_subnormals<std::uint64_t>("double", 0x0010000000000000, 0x3fe0000000000000, option);
    check_subnormals<std::uint16_t>("half", 0x0400, 0x3800, option);
  }
}

/// A constant without suffix is double: a product with it is rounded twice. With the option it is float.
TEST(MathOptions, SinglePrecisionConstants) {
  for (const bool single : {false, true}) {
    std::vector<float> out(64);
    run("kernel void k(global float* out) { const size_t i = get_global_id(0); out[i] = (float)(i + 1) * 0.1; }", "k",
        {64, 64}, {buffer(out)}, single ? "-cl-single-precision-constant" : "");
    unsigned different = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto x = static_cast<float>(i + 1);
      const volatile float once = x * 0.1F, twice = static_cast<float>(static_cast<double>(x) * 0.1);
      EXPECT_EQ(out[i], single ? once : twice) << i;
      different += once != twice ? 1 : 0;
    }
    EXPECT_GT(different, 8U) << "the arguments tell nothing";
  }
}

/// x * y + z is fused where the program allows it and the processor can; with contraction off it has two roundings.
TEST(MathOptions, ContractionOffRoundsTwice) {
  std::vector<float> x(16), z(16), off(16), fused(16);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 1.0F + static_cast<float>(i + 1) * 0x1p-23F;
    const volatile float square = x[i] * x[i];
    z[i] = -square;
  }
  const auto source = [](const char* line, const char* expression) {
    return std::string(line) +
           "\nkernel void k(global const float* x, global const float* z, global float* out) {"
           " const size_t i = get_global_id(0); out[i] = " +
           expression + "; }";
  };
  run(source("#pragma OPENCL FP_CONTRACT OFF", "x[i] * x[i] + z[i]"), "k", {16, 16},
      {buffer(x), buffer(z), buffer(off)});
  run(source("", "fma(x[i], x[i], z[i])"), "k", {16, 16}, {buffer(x), buffer(z), buffer(fused)});
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(off[i], 0.0F) << i;
    EXPECT_EQ(fused[i], std::fma(x[i], x[i], z[i])) << i;
  }
}

// The compiler makes products of them; zeros, infinities and NaN give what pow does, except where programs exclude them.
TEST(MathOptions, PowersWithConstantExponents) {
  const float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> x = {0.0F, -0.0F, infinity, -infinity, std::nanf(""), 1.0F,  -1.0F,   -2.0F, 3.0F,
                          0.1F, -7.3F, 1e20F,    -1e20F,    1e-20F,        1e30F, -1e-30F, 11.0F, 125.0F};
  constexpr double kExponents[] = {0, 1, 2, 3, 4, -1, 0.5};
  std::string source = "kernel void k(global const float* x, global float* r) { const size_t i = get_global_id(0);";
  std::size_t count = 0;
  for (const double e : kExponents) {
    source += " r[" + std::to_string(count++ * x.size()) + " + i] = pow(x[i], " + std::to_string(e) + "f);";
    if (e == 0.5) continue;
    source += " r[" + std::to_string(count++ * x.size()) + " + i] = pown((float2)(1.0f, x[i]), (int2)(" +
              std::to_string(static_cast<int>(e)) + ")).y;";
  }
  for (const char* options : {"", "-cl-unsafe-math-optimizations"}) {
    std::vector<float> r(count * x.size());
    run(source + " }", "k", Range(x.size(), 6), {buffer(x), buffer(r)}, options);
    std::size_t at = 0;
    for (const double e : kExponents)
      for (int twice = e == 0.5; twice < 2; ++twice)
        for (const float v : x) {
          const float got = r[at++], want = std::pow(v, static_cast<float>(e));
          if (*options != '\0' && (v == 0 || !(std::abs(v) < infinity))) continue;
          ASSERT_EQ(std::isnan(got), std::isnan(want)) << v << " to " << e << options;
          if (std::isnan(want)) continue;
          ASSERT_EQ(std::signbit(got), std::signbit(want)) << v << " to " << e << options;
          if (std::isfinite(want) && want != 0)
            ASSERT_NEAR(got / want, 1.0F, want < 1e-38F ? 1e-5F : 3e-7F) << v << " to " << e << options;
          else
            ASSERT_EQ(got, want) << v << " to " << e << options;
        }
  }
}

}  // namespace
}  // namespace lanewise::test
