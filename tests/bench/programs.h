// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs of given sizes for measuring builds, made by a generator so that every run and every driver gets the same.
#pragma once

#include <cstdint>
#include <string>

namespace lanewise::bench {

/// Ten lines: a loop, three loads with index arithmetic, a square root. `salt` makes a source that is in no cache.
inline std::string ten_lines(long salt, const std::string& result = "sqrt(sum)") {
  return "__kernel void smooth(__global const float* in, __global float* out, int n) {\n"
         "  int i = get_global_id(0);\n"
         "  float sum = 0.0f;\n"
         "  for (int k = -2; k <= 2; ++k) {\n"
         "    int at = clamp(i + k, 0, n - 1);\n"
         "    sum += in[at] * (float)(3 - abs(k));\n"
         "  }\n"
         "  if (i < n)\n"
         "    out[i] = " +
         result + " + " + std::to_string(salt) + ".0f;\n}\n";
}

/// Statements of seven kinds in a fixed pseudo-random order: float and integer arithmetic, branches of both kinds,
/// loads at shifted places, small loops, conditional stores.
class Statements {
 public:
  explicit Statements(std::uint32_t seed) : state_(seed) {}

  /// Appends `count` lines, or up to three more.
  void append(std::string& text, unsigned count) {
    for (unsigned lines = 0; lines < count;) lines += append_one(text);
  }

 private:
  unsigned append_one(std::string& text) {
    state_ = (state_ * 1103515245U + 12345U) & 0x7fffffffU;
    const auto x = [&](unsigned shift) { return "x" + std::to_string((state_ >> shift) % 8); };
    const auto n = [&](unsigned shift) { return "n" + std::to_string((state_ >> shift) % 4); };
    const auto number = [&](unsigned below) { return std::to_string(state_ % below); };
    switch ((state_ >> 8) % 7) {
      case 0:
        text += "  " + x(3) + " = " + x(11) + " * " + number(9) + ".5f + " + x(17) + ";\n";
        return 1;
      case 1:
        text += "  " + n(3) + " = (" + n(11) + " ^ " + number(1000) + ") + (" + n(17) + " >> 3);\n";
        return 1;
      case 2:
        text += "  if (" + x(3) + " > " + x(11) + ")\n    " + x(17) + " -= " + x(3) + " * 0.25f;\n  else\n    " +
                x(11) + " += (float)" + n(3) + ";\n";
        return 4;
      case 3:
        text += "  " + x(3) + " = fmin(" + x(11) + ", " + x(17) + " + " + number(10) + ".0f);\n";
        return 1;
      case 4:
        text += "  " + x(3) + " += in[(i + " + number(4096) + ") & mask];\n";
        return 1;
      case 5:
        text += "  for (int k = 0; k < n; ++k) {\n    " + x(3) + " = mad(" + x(3) + ", " + x(11) +
                ", in[(i + k) & mask]);\n  }\n";
        return 3;
      default:
        text += "  if ((" + n(3) + " & " + number(7) + ") == 0) {\n    " + x(11) + " *= " + x(17) + ";\n    out[(i + " +
                number(64) + ") & mask] = " + x(11) + ";\n  }\n";
        return 4;
    }
  }

  std::uint32_t state_;
};

/// One kernel of about `lines` lines (at least 20). `salt` as above.
inline std::string kernel_of(const std::string& name, unsigned lines, long salt) {
  std::string text = "__kernel void " + name +
                     "(__global const float* in, __global float* out, int n, int mask) {\n"
                     "  int i = get_global_id(0);\n";
  for (int k = 0; k < 8; ++k)
    text += "  float x" + std::to_string(k) + " = in[(i + " + std::to_string(k) + ") & mask];\n";
  for (int k = 0; k < 4; ++k) text += "  int n" + std::to_string(k) + " = i + " + std::to_string(k) + ";\n";
  Statements(static_cast<std::uint32_t>(name.size() * 977 + name.back())).append(text, lines - 17);
  text += "  out[i & mask] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + (float)(n0 + n1 + n2 + n3) + " +
          std::to_string(salt) + ".0f;\n}\n";
  return text;
}

/// `kernels` kernels of `lines` lines each: k, k0, k1, ... ("k" is always there).
inline std::string program_of(unsigned kernels, unsigned lines, long salt) {
  std::string text = kernel_of("k", lines, salt);
  for (unsigned k = 1; k < kernels; ++k) text += kernel_of("k" + std::to_string(k), lines, salt);
  return text;
}

}  // namespace lanewise::bench
