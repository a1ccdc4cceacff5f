// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The instructions of a module, as words.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace lanewise::spirv {

using Words = std::vector<std::uint32_t>;
using View = std::span<const std::uint32_t>;

inline constexpr std::size_t kHeaderWords = 5;
inline constexpr std::size_t kBoundWord = 3;  ///< of the header: one more than the largest id

/// Those that something here looks at, by the names of the specification.
enum Opcode : std::uint32_t {
  op_undef = 1,
  op_name = 5,
  op_extension = 10,
  op_ext_inst_import = 11,
  op_ext_inst = 12,
  op_entry_point = 15,
  op_execution_mode = 16,
  op_capability = 17,
  op_type_int = 21,
  op_type_float = 22,
  op_type_vector = 23,
  op_type_array = 28,
  op_type_pointer = 32,
  op_constant = 43,
  op_constant_null = 46,
  op_spec_constant = 50,
  op_spec_constant_op = 52,
  op_function = 54,
  op_function_parameter = 55,
  op_variable = 59,
  op_load = 61,
  op_store = 62,
  op_copy_memory = 63,
  op_copy_memory_sized = 64,
  op_access_chain = 65,
  op_in_bounds_ptr_access_chain = 70,
  op_decorate = 71,
  op_image_read = 98,
  op_image_write = 99,
  op_convert_f_to_u = 109,
  op_convert_u_to_f = 112,
  op_ptr_cast_to_generic = 121,
  op_bitcast = 124,
  op_i_add = 128,
  op_i_sub = 130,
  op_i_mul = 132,
  op_u_div = 134,
  op_execution_mode_id = 331,
  op_decorate_id = 332,
  op_alias_domain = 5911,
  op_alias_scope_list = 5913,
  op_convert_f_to_bfloat16 = 6116,
  op_convert_bfloat16_to_f = 6117,
};
inline constexpr std::uint32_t kPrintf = 184;  ///< in OpenCL.std

inline std::uint32_t opcode(View instruction) {
  return instruction[0] & 0xffffU;
}

/// Calls `visit` with each instruction. What is no instruction, and all behind it, is one span, for which the second
/// argument is false.
template <class Visit>
void for_each_instruction(View words, Visit visit) {
  for (std::size_t at = std::min(kHeaderWords, words.size()); at < words.size();) {
    const std::size_t count = words[at] >> 16U;
    const std::size_t rest = words.size() - at;
    const bool whole = count != 0 && count <= rest;
    visit(words.subspan(at, whole ? count : rest), whole);
    at += whole ? count : rest;
  }
}

/// `instruction` with a changed number of words in its first word.
inline Words resized(Words instruction) {
  instruction[0] = opcode(instruction) | static_cast<std::uint32_t>(instruction.size()) << 16U;
  return instruction;
}

inline std::string_view text_at(View instruction, std::size_t word) {
  const auto* begin = reinterpret_cast<const char*>(instruction.data() + word);
  const std::size_t room = (instruction.size() - word) * sizeof(std::uint32_t);
  return {begin, strnlen(begin, room)};
}

inline Words words_of(std::span<const std::uint8_t> module) {
  Words words(module.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), module.data(), words.size() * sizeof(std::uint32_t));
  return words;
}

inline void append(Words& words, View more) {
  words.insert(words.end(), more.begin(), more.end());
}

}  // namespace lanewise::spirv
