// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/bfloat16.h"

#include <string>

namespace lanewise::spirv {

std::uint32_t Bfloat16::widened(std::uint32_t value) {
  const std::uint32_t id = types_.new_id();
  out_.emit({op_convert_bfloat16_to_f, types_.floats(32, types_.count(types_.of(value))), id, value});
  return id;
}

void Bfloat16::convert(const Instruction& i) {
  const std::uint32_t value = i.words[3];
  const std::uint32_t from = types_.of(value);
  if (types_.is_bfloat16(i.type)) return out_.emit({op_convert_f_to_bfloat16, i.type, i.id, to_float(i, value, from)});
  if (!types_.is_bfloat16(from)) return out_.emit(i.words);
  if (i.opcode == op_f_convert && types_.bits(i.type) == 32)
    return out_.emit({op_convert_bfloat16_to_f, i.type, i.id, value});
  out_.emit({i.opcode, i.type, i.id, widened(value)});
}

std::uint32_t Bfloat16::to_float(const Instruction& i, std::uint32_t value, std::uint32_t from) {
  const std::uint32_t bits = types_.bits(from);
  if (types_.is_float(from) && bits == 32) return value;
  const std::uint32_t type = types_.floats(32, types_.count(from));
  const std::uint32_t id = types_.new_id();
  if (bits <= 16)
    out_.emit({i.opcode, type, id, value});
  else
    out_.emit({op_function_call, type, id, to_odd(i, from, type), value});
  return id;
}

std::uint32_t Bfloat16::to_odd(const Instruction& i, std::uint32_t from, std::uint32_t to) {
  std::string letter = "d";
  if (i.opcode == op_convert_s_to_f) letter = types_.bits(from) == 64 ? "l" : "i";
  if (i.opcode == op_convert_u_to_f) letter = types_.bits(from) == 64 ? "m" : "j";
  return out_.imported("_Z11__lw_to_odd" + mangled(types_, from, letter), to, {from});
}

void Bfloat16::dot(const Instruction& i) {
  const std::uint32_t x = widened(i.words[3]);
  const std::uint32_t y = widened(i.words[4]);
  const std::uint32_t sum = types_.new_id();
  out_.emit({op_dot, types_.floats(32, 1), sum, x, y});
  out_.emit({op_convert_f_to_bfloat16, i.type, i.id, sum});
}

}  // namespace lanewise::spirv
