// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Small integers that become floating-point numbers, are perhaps computed with, and become integers again, in the code
/// of hot kernels: every number of 8 and 16 bits, with and without a sign; to all integer types, in all rounding modes,
/// saturating or behind a clamp; with the arithmetic of the table below between. Compared with the same in C++.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/compiler/direct_launch.h"
#include "tests/compiler/isas.h"
#include "tests/compiler/requests.h"

namespace lanewise::test {
namespace {

/// One number as its type has it, and as the type of the same size without a sign.
struct Number {
  int x;
  int u;
};

struct Arithmetic {
  const char* type;  ///< of the result
  const char* text;  ///< of `x`; U is the type without a sign
  double (*value)(Number);
};

constexpr Arithmetic kArithmetic[] = {
    {"float", "(float)x", [](Number n) -> double { return n.x; }},
    {"float", "(float)x * 255.0f", [](Number n) -> double { return static_cast<float>(n.x) * 255.0F; }},
    {"float", "(float)x + 0.5f", [](Number n) -> double { return static_cast<float>(n.x) + 0.5F; }},
    {"float", "255.0f - (float)x", [](Number n) -> double { return 255.0F - static_cast<float>(n.x); }},
    {"float", "-(float)x", [](Number n) -> double { return -static_cast<float>(n.x); }},
    {"float", "(float)x * (1.0f / 65535.0f) * 65535.0f",
     [](Number n) -> double { return static_cast<float>(n.x) * (1.0F / 65535.0F) * 65535.0F; }},
    {"float", "rint((float)x * (1.0f / 127.0f) * 127.0f)",
     [](Number n) -> double { return std::rint(static_cast<float>(n.x) * (1.0F / 127.0F) * 127.0F); }},
    {"float", "(float)x / 3.0f", [](Number n) -> double { return static_cast<float>(n.x) / 3.0F; }},
    {"float", "fma((float)x, 3.0f, -7.5f)",
     [](Number n) -> double { return std::fma(static_cast<float>(n.x), 3.0F, -7.5F); }},
    {"float", "clamp((float)x, -5.0f, 300.0f)",
     [](Number n) -> double { return std::fmin(std::fmax(static_cast<float>(n.x), -5.0F), 300.0F); }},
    {"float", "fmax((float)x, -100.0f)",
     [](Number n) -> double { return std::fmax(static_cast<float>(n.x), -100.0F); }},
    {"float", "(float)x < 0.0f ? -(float)x : (float)x", [](Number n) -> double { return std::abs(n.x); }},
    {"float", "(float)(x >> 1) * 2.0f", [](Number n) -> double { return static_cast<float>(n.x >> 1) * 2.0F; }},
    {"float", "(float)(x & 127) - 64.0f", [](Number n) -> double { return static_cast<float>(n.x & 127) - 64.0F; }},
    {"float", "(float)(x - 1000)", [](Number n) -> double { return n.x - 1000; }},
    {"float", "(float)(uint)x", [](Number n) -> double { return static_cast<float>(static_cast<unsigned>(n.x)); }},
    {"float", "(float)x + (float)(U)x", [](Number n) -> double { return n.x + n.u; }},
    {"float", "convert_float4((short4)(x, 1, x, 2)).z * 0.5f",
     [](Number n) -> double { return static_cast<float>(static_cast<std::int16_t>(n.x)) * 0.5F; }},
    {"double", "(double)x * 0.5", [](Number n) -> double { return n.x * 0.5; }},
};

struct Type {
  const char* name;
  unsigned bytes;
  bool is_signed;

  [[nodiscard]] long double low() const { return is_signed ? -std::ldexp(1.0L, static_cast<int>(8 * bytes - 1)) : 0; }
  [[nodiscard]] long double high() const {
    return std::ldexp(1.0L, static_cast<int>(8 * bytes - (is_signed ? 1 : 0))) - 1;
  }
  /// Greatest number of the type that a float can be.
  [[nodiscard]] float float_high() const {
    const auto most = static_cast<float>(high());
    return most <= high() ? most : std::nextafter(most, 0.0F);
  }
  /// The number at `place`.
  [[nodiscard]] std::int64_t read(const char* place) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, place, bytes);
    const unsigned unused = 64 - 8 * bytes;
    return is_signed ? static_cast<std::int64_t>(bits << unused) >> unused : static_cast<std::int64_t>(bits);
  }
};

constexpr Type kSources[] = {{"char", 1, true}, {"uchar", 1, false}, {"short", 2, true}, {"ushort", 2, false}};
constexpr Type kTargets[] = {{"char", 1, true}, {"uchar", 1, false}, {"short", 2, true}, {"ushort", 2, false},
                             {"int", 4, true},  {"uint", 4, false},  {"long", 8, true}};
constexpr const char* kModes[] = {"", "_rte", "_rtz", "_rtp", "_rtn"};
constexpr std::size_t kSlotBytes = 8;

struct Conversion {
  const Type* target;
  unsigned mode;
  bool saturates;  ///< else behind a clamp

  [[nodiscard]] std::string text() const {
    const std::string name = std::string("convert_") + target->name + (saturates ? "_sat" : "") + kModes[mode];
    if (saturates) return name + "(y)";
    const auto number = [](long double v) { return "(Y)" + std::to_string(v); };
    return name + "(clamp(y, " + number(target->low()) + ", " + number(target->float_high()) + "))";
  }

  /// What becomes of each of the numbers.
  [[nodiscard]] std::vector<std::int64_t> values(const std::vector<double>& numbers) const {
    const std::string_view suffix = kModes[mode];
    if (suffix == "_rte") return values(numbers, [](double y) { return std::nearbyint(y); });
    if (suffix == "_rtp") return values(numbers, [](double y) { return std::ceil(y); });
    if (suffix == "_rtn") return values(numbers, [](double y) { return std::floor(y); });
    return values(numbers, [](double y) { return std::trunc(y); });
  }

 private:
  template <class Round>
  [[nodiscard]] std::vector<std::int64_t> values(const std::vector<double>& numbers, Round round) const {
    const auto low = static_cast<double>(target->low()), clamp = static_cast<double>(target->float_high());
    const auto high = static_cast<double>(target->high());  // 2^63 for the greatest long
    const auto least = static_cast<std::int64_t>(target->low()), most = static_cast<std::int64_t>(target->high());
    std::vector<std::int64_t> results;
    results.reserve(numbers.size());
    for (const double y : numbers) {
      const double v = round(saturates ? y : std::min(std::max(y, low), clamp));
      results.push_back(v <= low ? least : v >= high ? most : static_cast<std::int64_t>(v));
    }
    return results;
  }
};

std::vector<Conversion> conversions() {
  std::vector<Conversion> all;
  for (const Type& target : kTargets) {
    for (unsigned mode = 0; mode < std::size(kModes); ++mode) all.push_back({&target, mode, true});
    for (const unsigned mode : {0U, 1U}) all.push_back({&target, mode, false});
  }
  return all;
}

/// Every conversion of the results of one arithmetic, each to a place of its own.
std::string kernel_of(const Type& source, const Arithmetic& arithmetic, std::size_t numbers, const std::string& name) {
  std::string text =
      "kernel void " + name + "(global const " + source.name + "* restrict in, global char* restrict out) {\n";
  text += "  const size_t i = get_global_id(0);\n  const " + std::string(source.name) + " x = in[i];\n  typedef " +
          arithmetic.type + " Y;\n  const Y y = " + arithmetic.text + ";\n";
  std::size_t at = 0;
  for (const Conversion& conversion : conversions()) {
    text += "  ((global " + std::string(conversion.target->name) + "*)(out + " + std::to_string(at) +
            "))[i] = " + conversion.text() + ";\n";
    at += numbers * kSlotBytes;
  }
  return text + "}\n";
}

std::string name_of(std::size_t arithmetic) {
  return "k" + std::to_string(arithmetic);
}

class HotConversions : public ::testing::TestWithParam<std::tuple<unsigned, unsigned>> {
 protected:
  HotConversions() : source_(kSources[std::get<0>(GetParam())]), width_(std::get<1>(GetParam())) {
    for (std::size_t i = 0; i < numbers_; ++i) std::memcpy(in_.data() + i * source_.bytes, &i, source_.bytes);
  }

  /// The canonical IR of the kernels for all of the table.
  [[nodiscard]] abi::Reply compile_kernels() const {
    std::string text =
        "#pragma OPENCL FP_CONTRACT OFF\ntypedef " + std::string(source_.bytes == 1 ? "uchar" : "ushort") + " U;\n";
    for (std::size_t k = 0; k < std::size(kArithmetic); ++k)
      text += kernel_of(source_, kArithmetic[k], numbers_, name_of(k));
    return compile_only(text, {"-cl-std=CL3.0"});
  }

  void check(std::size_t k, const abi::Reply& program) {
    abi::Specialise q = specialise(program, name_of(k).c_str(), {64, 1, 1});
    q.code.isa = runnable_levels().back();
    q.code.vector_width = width_;
    const abi::Reply hot = run_request(q);
    ASSERT_EQ(hot.status, 0) << hot.log;
    ASSERT_EQ(launch_direct(hot, name_of(k), Range(numbers_, 64), {buffer(in_), buffer(out_)}, nullptr), "");
    std::vector<double> numbers;
    numbers.reserve(numbers_);
    for (std::size_t i = 0; i < numbers_; ++i) numbers.push_back(kArithmetic[k].value(number(i)));
    std::size_t at = 0;
    for (const Conversion& conversion : conversions()) {
      compare(kArithmetic[k], conversion, conversion.values(numbers), out_.data() + at);
      at += numbers_ * kSlotBytes;
    }
  }

 private:
  [[nodiscard]] Number number(std::size_t i) const {
    return {static_cast<int>(source_.read(in_.data() + i * source_.bytes)), static_cast<int>(i)};
  }

  void compare(const Arithmetic& arithmetic, const Conversion& conversion, const std::vector<std::int64_t>& expected,
               const char* results) const {
    std::size_t wrong = 0;
    std::string first;
    for (std::size_t i = 0; i < numbers_; ++i) {
      const std::int64_t got = conversion.target->read(results + i * conversion.target->bytes);
      if (got == expected[i] || wrong++ != 0) continue;
      first =
          std::to_string(number(i).x) + " gives " + std::to_string(got) + ", expected " + std::to_string(expected[i]);
    }
    EXPECT_EQ(wrong, 0U) << source_.name << " x, y = " << arithmetic.text << ", " << conversion.text() << ": " << first;
  }

  const Type& source_;
  unsigned width_;
  std::size_t numbers_ = std::size_t{1} << 8 * source_.bytes;
  std::vector<char> in_ = std::vector<char>(numbers_ * source_.bytes);
  std::vector<char> out_ = std::vector<char>(numbers_ * kSlotBytes * conversions().size());
};

TEST_P(HotConversions, GiveEveryNumber) {
  const abi::Reply program = compile_kernels();
  ASSERT_EQ(program.status, 0) << program.log;
  for (std::size_t k = 0; k < std::size(kArithmetic); ++k) check(k, program);
}

std::string name_of_case(const ::testing::TestParamInfo<std::tuple<unsigned, unsigned>>& info) {
  return std::string(kSources[std::get<0>(info.param)].name) + (std::get<1>(info.param) == 1 ? "Scalar" : "Vectors");
}

INSTANTIATE_TEST_SUITE_P(Sources, HotConversions,
                         ::testing::Combine(::testing::Range(0U, 4U), ::testing::Values(1U, 0U)), name_of_case);

}  // namespace
}  // namespace lanewise::test
