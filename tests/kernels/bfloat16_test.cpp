// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_intel_bfloat16_conversions in OpenCL C.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

/// To the nearest, ties to even; a NaN is a quiet one.
std::uint16_t nearest(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(bits >> 16 | 0x40U);
  const std::uint32_t rest = bits & 0xffffU;
  const std::uint32_t kept = bits >> 16;
  const bool up = rest > 0x8000U || (rest == 0x8000U && (kept & 1U) != 0);
  return static_cast<std::uint16_t>(kept + (up ? 1 : 0));
}

std::vector<float> floats(std::size_t n) {
  std::mt19937 random(11);
  std::vector<float> out(n);
  for (float& value : out) value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
  const float edges[] = {0.0F,
                         -0.0F,
                         1.0F,
                         std::bit_cast<float>(0x3f808000U),
                         std::bit_cast<float>(0x3f818000U),
                         std::numeric_limits<float>::infinity(),
                         std::numeric_limits<float>::max(),
                         std::bit_cast<float>(0x00000001U),
                         std::bit_cast<float>(0x7f800001U),
                         std::bit_cast<float>(0xffffffffU)};
  std::copy(std::begin(edges), std::end(edges), out.begin());
  return out;
}

TEST(Bfloat16, IsTheNearestAndComesBackInEveryWidth) {
  constexpr std::size_t kItems = 480;
  for (const unsigned n : {1U, 2U, 3U, 4U, 8U, 16U}) {
    const std::string w = n == 1 ? "" : std::to_string(n);
    const auto at = [&](const std::string& pointer) {
      return n == 1 ? pointer + "[i]" : "vload" + w + "(i, " + pointer + ")";
    };
    const auto put = [&](const std::string& value, const std::string& pointer) {
      return n == 1 ? pointer + "[i] = " + value + ";" : "vstore" + w + "(" + value + ", i, " + pointer + ");";
    };
    auto in = floats(kItems * n);
    std::vector<std::uint16_t> small(kItems * n, 0);
    std::vector<std::uint32_t> back(kItems * n, 0);
    run("kernel void k(global const float* a, global ushort* b, global float* c) { const size_t i = get_global_id(0);\n"
        "const ushort" +
            w + " x = intel_convert_bfloat16" + w + "_as_ushort" + w + "(" + at("a") + ");\n" + put("x", "b") +
            put("intel_convert_as_bfloat16" + w + "_float" + w + "(x)", "c") + "}",
        "k", Range(kItems, 48), {buffer(in), buffer(small), buffer(back)}, "-cl-std=CL1.2");
    for (std::size_t i = 0; i < in.size(); ++i) {
      ASSERT_EQ(small[i], nearest(in[i])) << "width " << n << ", " << in[i];
      ASSERT_EQ(back[i], std::uint32_t{small[i]} << 16) << "width " << n << ", " << in[i];
    }
  }
}

}  // namespace
}  // namespace lanewise::test
