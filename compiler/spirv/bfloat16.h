// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arithmetic of bfloat16, which is 16 bits of an integer for the translator (translated_form.h).
#pragma once

#include <cstdint>

#include "compiler/spirv/module_writer.h"

namespace lanewise::spirv {

class Bfloat16 {
 public:
  explicit Bfloat16(ModuleWriter& out) : out_(out), types_(out.types) {}

  /// Writes the conversion `i`, of bfloat16 or not.
  void convert(const Instruction& i);
  /// Writes OpDot of bfloat16.
  void dot(const Instruction& i);

 private:
  std::uint32_t widened(std::uint32_t value);
  /// `value` as a float that rounds to the same bfloat16.
  std::uint32_t to_float(const Instruction& i, std::uint32_t value, std::uint32_t from);
  /// The function of the library (kernels-builtin/convert/bfloat16.cl) that rounds values of this type to odd.
  std::uint32_t to_odd(const Instruction& i, std::uint32_t from, std::uint32_t to);

  ModuleWriter& out_;
  Types& types_;
};

}  // namespace lanewise::spirv
