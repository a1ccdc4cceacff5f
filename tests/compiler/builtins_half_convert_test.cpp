// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Conversions from half, all 65536 of them, and to half; vload_half and vstore_half: every type, all rounding modes,
/// saturation, scalars and vectors, at every ISA level that this machine runs.
#include <cstring>
#include <random>
#include <string>
#include <utility>

#include "tests/compiler/builtins_half.h"
#include "tests/compiler/builtins_program.h"

namespace lanewise::test {
namespace {

struct Mode {
  const char* suffix;
  Rounding to_float, to_integer;  ///< without a suffix: to nearest, and toward zero
};
constexpr Mode kModes[] = {{"", Rounding::nearest, Rounding::zero},
                           {"_rte", Rounding::nearest, Rounding::nearest},
                           {"_rtz", Rounding::zero, Rounding::zero},
                           {"_rtp", Rounding::up, Rounding::up},
                           {"_rtn", Rounding::down, Rounding::down}};
constexpr const char* kWidths[] = {"", "3", "16"};

Wide round_to_integer(Wide x, Rounding rounding) {
  switch (rounding) {
    case Rounding::nearest:
      return std::nearbyint(x);
    case Rounding::up:
      return std::ceil(x);
    case Rounding::down:
      return std::floor(x);
    default:
      return std::trunc(x);
  }
}

std::string header(const std::string& name, const std::string& from, const std::string& to) {
  return "void " + name + "(global const " + from + "* x, global " + to + "* r, int n) { for (int i = 0; i < n; ++i) ";
}

/// name(x, r, n) converts n elements by vectors of `width`; memory is packed.
std::string converter(const std::string& name, const std::string& from, const std::string& to,
                      const std::string& function, const std::string& width) {
  const std::string begin = header(name, from, to);
  return width.empty() ? begin + "r[i] = " + function + "(x[i]); }\n"
                       : begin.substr(0, begin.find("for")) + "for (int i = 0; i < n / " + width + "; ++i) vstore" +
                             width + "(" + function + "(vload" + width + "(i, x)), i, r); }\n";
}

std::string all_converters(const std::string& from, const std::string& to, bool saturate) {
  std::string text = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  for (const std::string sat : {"", "_sat"})
    for (const Mode& mode : kModes)
      for (const std::string width : kWidths)
        if (sat.empty() || saturate)
          text +=
              converter("f" + width + sat + mode.suffix, from, to, "convert_" + to + width + sat + mode.suffix, width);
  return text;
}

class BuiltinHalfConvert : public ::testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override {
    if (GetParam() > host_level()) GTEST_SKIP() << "this machine cannot run x86-64-v" << GetParam();
  }

  template <class D>
  void from_half(const char* type) {
    BuiltinProgram program(all_converters("half", type, std::is_integral_v<D>), GetParam());
    auto x = all_halves();
    while (x.size() % 48 != 0) x.push_back(0x3c00);
    std::vector<D> r(x.size());
    for (const bool sat : {false, true})
      for (const Mode& mode : kModes)
        for (const std::string width : kWidths) {
          if (sat && !std::is_integral_v<D>) continue;
          const std::string name = "f" + width + (sat ? "_sat" : "") + mode.suffix;
          auto* run = program.get<void(const HalfBits*, D*, int)>(name.c_str());
          ASSERT_TRUE(run);
          run(x.data(), r.data(), static_cast<int>(x.size()));
          for (std::size_t i = 0; i < x.size(); ++i)
            if (!is_right(r[i], x[i], sat, mode)) return wrong(r[i], x[i], type + name);
        }
  }

  static void wrong(Wide got, HalfBits source, const std::string& name) {
    ADD_FAILURE() << name << "(" << wide_of(source) << ") = " << got;
  }

  template <class D>
  static bool is_right(D got, HalfBits source, bool sat, const Mode& mode) {
    const Wide exact = wide_of(source);
    if constexpr (std::is_integral_v<D>) {
      const Wide rounded = round_to_integer(exact, mode.to_integer);
      const Wide low = std::numeric_limits<D>::min(), high = std::numeric_limits<D>::max();
      const bool inside = rounded >= low && rounded <= high;
      if (!inside && !sat) return true;  // left open by the specification
      const D want = inside              ? static_cast<D>(rounded)
                     : std::isnan(exact) ? D{0}
                     : exact < 0         ? std::numeric_limits<D>::min()
                                         : std::numeric_limits<D>::max();
      return got == want;
    } else {
      return (std::isnan(exact) ? std::isnan(got) : got == static_cast<D>(exact)) &&
             std::signbit(got) == std::signbit(exact);
    }
  }

  template <class S>
  static std::vector<S> sources() {
    std::vector<S> out;
    std::mt19937_64 random(17);
    if constexpr (std::is_integral_v<S>) {
      if constexpr (sizeof(S) <= 2)
        for (int i = std::numeric_limits<S>::min(); i <= std::numeric_limits<S>::max(); ++i)
          out.push_back(static_cast<S>(i));
      for (int i = -70000; i <= 70000; ++i) out.push_back(static_cast<S>(i));
      for (int i = 0; i < 20000; ++i) out.push_back(static_cast<S>(random() >> (random() % 64)));
      out.push_back(std::numeric_limits<S>::min()), out.push_back(std::numeric_limits<S>::max());
    } else {
      // Every half, the ties between them, and neighbours of both in S.
      for (unsigned h = 0; h < 0xfc00; ++h) {
        if (h >= 0x7c00 && h < 0x8000) continue;
        const S exact = static_cast<S>(wide_of(static_cast<HalfBits>(h)));
        const S next = (h & 0x7fff) == 0x7bff ? std::copysign(S(65536), exact)
                                              : static_cast<S>(wide_of(static_cast<HalfBits>(h + 1)));
        for (const S v : {exact, (exact + next) / 2, exact + (next - exact) / 3})
          for (const S w : {v, std::nextafter(v, S(-HUGE_VAL)), std::nextafter(v, S(HUGE_VAL))}) out.push_back(w);
      }
      using Limits = std::numeric_limits<S>;
      for (const S v : {Limits::infinity(), Limits::max(), Limits::min(), Limits::denorm_min(), Limits::quiet_NaN()})
        out.push_back(v), out.push_back(-v);
    }
    while (out.size() % 48 != 0) out.push_back(S(1));
    return out;
  }

  template <class S>
  void to_half(const char* type) {
    BuiltinProgram program(all_converters(type, "half", false), GetParam());
    const auto x = sources<S>();
    std::vector<HalfBits> r(x.size());
    for (const Mode& mode : kModes) {
      const auto want = halves_of(x, mode.to_float);
      for (const std::string width : kWidths) {
        auto* run = program.get<void(const S*, HalfBits*, int)>(("f" + width + mode.suffix).c_str());
        ASSERT_TRUE(run);
        run(x.data(), r.data(), static_cast<int>(x.size()));
        check_to(x, r, want, "convert_half" + width + mode.suffix + " of " + type);
      }
    }
  }

  template <class S>
  static std::vector<HalfBits> halves_of(const std::vector<S>& x, Rounding rounding) {
    std::vector<HalfBits> halves;
    halves.reserve(x.size());
    for (const S v : x) halves.push_back(half_of(static_cast<Wide>(v), rounding));
    return halves;
  }

  template <class S>
  static void check_to(const std::vector<S>& x, const std::vector<HalfBits>& r, const std::vector<HalfBits>& want,
                       const std::string& name) {
    int failures = 0;
    for (std::size_t i = 0; i < x.size() && failures < 4; ++i) {
      if (r[i] == want[i] || (is_nan(r[i]) && is_nan(want[i]))) continue;
      ++failures;
      ADD_FAILURE() << name << "(" << +x[i] << ") = " << wide_of(r[i]) << " instead of " << wide_of(want[i]);
    }
  }

  template <class S>
  void stores(const char* type) {
    std::string text;
    for (const Mode& mode : kModes)
      for (const std::string width : kWidths)
        for (const std::string form : {"vstore_half", "vstorea_half"}) {
          if (form == "vstorea_half" && (width.empty() || width == "3"))
            continue;  // no such form; a gap behind each vector
          const std::string value = width.empty() ? "x[i]" : "vload" + width + "(i, x)";
          const std::string begin = header(form + width + mode.suffix + "_", type, "half");
          text += begin.substr(0, begin.find("for")) + "for (int i = 0; i < n / " + (width.empty() ? "1" : width) +
                  "; ++i) " + form + width + mode.suffix + "(" + value + ", i, r); }\n";
        }
    BuiltinProgram program(text, GetParam());
    const auto x = sources<S>();
    struct alignas(32) Aligned {
      HalfBits half[16];
    };
    std::vector<Aligned> storage(x.size() / 16);
    for (const Mode& mode : kModes) {
      const auto want = halves_of(x, mode.to_float);
      for (const std::string width : kWidths)
        for (const std::string form : {"vstore_half", "vstorea_half"}) {
          if (form == "vstorea_half" && (width.empty() || width == "3")) continue;
          auto* run = program.get<void(const S*, HalfBits*, int)>((form + width + mode.suffix + "_").c_str());
          ASSERT_TRUE(run);
          run(x.data(), storage.front().half, static_cast<int>(x.size()));
          std::vector<HalfBits> r(x.size());
          std::memcpy(r.data(), storage.data(), r.size() * sizeof(HalfBits));
          check_to(x, r, want, form + width + mode.suffix + " of " + type);
        }
    }
  }
};

TEST_P(BuiltinHalfConvert, FromHalf) {
  from_half<std::int8_t>("char");
  from_half<std::uint8_t>("uchar");
  from_half<std::int16_t>("short");
  from_half<std::uint16_t>("ushort");
  from_half<std::int32_t>("int");
  from_half<std::uint32_t>("uint");
  from_half<std::int64_t>("long");
  from_half<std::uint64_t>("ulong");
  from_half<float>("float");
  from_half<double>("double");
}

TEST_P(BuiltinHalfConvert, ToHalf) {
  to_half<std::int8_t>("char");
  to_half<std::uint8_t>("uchar");
  to_half<std::int16_t>("short");
  to_half<std::uint16_t>("ushort");
  to_half<std::int32_t>("int");
  to_half<std::uint32_t>("uint");
  to_half<std::int64_t>("long");
  to_half<std::uint64_t>("ulong");
  to_half<float>("float");
  to_half<double>("double");
}

TEST_P(BuiltinHalfConvert, StoresRoundAsConversionsDo) {
  stores<float>("float");
  stores<double>("double");
}

INSTANTIATE_TEST_SUITE_P(Levels, BuiltinHalfConvert, ::testing::Values(2U, 3U, 4U));

}  // namespace
}  // namespace lanewise::test
