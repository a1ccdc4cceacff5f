// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The OpenCL C types of generated kernels.
#pragma once

#include <cstddef>
#include <string>

namespace lanewise::fuzz {

enum class Base { i8, u8, i16, u16, i32, u32, i64, u64, f16, f32, f64 };
inline constexpr std::size_t kBases = 11;

struct Type {
  Base base = Base::u32;
  unsigned lanes = 1;

  bool operator==(const Type&) const = default;
  [[nodiscard]] bool is_float() const { return base >= Base::f16; }
  [[nodiscard]] bool is_signed() const { return is_float() || static_cast<int>(base) % 2 == 0; }
  [[nodiscard]] unsigned bits() const {
    return is_float() ? 16U << (static_cast<unsigned>(base) - static_cast<unsigned>(Base::f16))
                      : 8U << (static_cast<unsigned>(base) / 2);
  }
  [[nodiscard]] Type element() const { return {base, 1}; }
  [[nodiscard]] Type of(unsigned n) const { return {base, n}; }
  /// The integer type of the same size.
  [[nodiscard]] Type integer(bool with_sign) const {
    const unsigned index = bits() == 8 ? 0 : bits() == 16 ? 2 : bits() == 32 ? 4 : 6;
    return {static_cast<Base>(index + (with_sign ? 0 : 1)), lanes};
  }
  [[nodiscard]] std::string name() const {
    static constexpr const char* names[kBases] = {"char", "uchar", "short", "ushort", "int",   "uint",
                                                  "long", "ulong", "half",  "float",  "double"};
    return names[static_cast<std::size_t>(base)] + (lanes == 1 ? std::string() : std::to_string(lanes));
  }
};

}  // namespace lanewise::fuzz
