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
inline constexpr std::size_t kBoundWord = 3;  ///< word of the header: one more than the largest id

/// The opcodes that something here looks at, by the names of the specification.
enum Opcode : std::uint32_t {
  op_undef = 1,
  op_name = 5,
  op_member_name = 6,
  op_extension = 10,
  op_ext_inst_import = 11,
  op_ext_inst = 12,
  op_entry_point = 15,
  op_execution_mode = 16,
  op_capability = 17,
  op_type_void = 19,
  op_type_int = 21,
  op_type_float = 22,
  op_type_vector = 23,
  op_type_image = 25,
  op_type_sampled_image = 27,
  op_type_array = 28,
  op_type_struct = 30,
  op_type_pointer = 32,
  op_type_event = 34,
  op_type_function = 33,
  op_constant = 43,
  op_constant_composite = 44,
  op_constant_null = 46,
  op_spec_constant_true = 48,
  op_spec_constant = 50,
  op_spec_constant_composite = 51,
  op_spec_constant_op = 52,
  op_function = 54,
  op_function_parameter = 55,
  op_function_end = 56,
  op_function_call = 57,
  op_variable = 59,
  op_load = 61,
  op_store = 62,
  op_copy_memory = 63,
  op_copy_memory_sized = 64,
  op_access_chain = 65,
  op_generic_ptr_mem_semantics = 69,
  op_in_bounds_ptr_access_chain = 70,
  op_decorate = 71,
  op_member_decorate = 72,
  op_group_member_decorate = 75,
  op_vector_extract_dynamic = 77,
  op_composite_insert = 82,
  op_copy_object = 83,
  op_sampled_image = 86,
  op_image_sample_explicit_lod = 88,
  op_image_read = 98,
  op_image_write = 99,
  op_image_query_size_lod = 103,
  op_image_query_size = 104,
  op_convert_f_to_u = 109,
  op_convert_f_to_s = 110,
  op_convert_s_to_f = 111,
  op_convert_u_to_f = 112,
  op_f_convert = 115,
  op_convert_ptr_to_u = 117,
  op_convert_u_to_ptr = 120,
  op_ptr_cast_to_generic = 121,
  op_generic_cast_to_ptr = 122,
  op_generic_cast_to_ptr_explicit = 123,
  op_bitcast = 124,
  op_i_add = 128,
  op_i_sub = 130,
  op_i_mul = 132,
  op_u_div = 134,
  op_dot = 148,
  op_select = 169,
  op_atomic_load = 227,
  op_atomic_xor = 242,
  op_phi = 245,
  op_label = 248,
  op_return_value = 254,
  op_lifetime_start = 256,
  op_lifetime_stop = 257,
  op_atomic_flag_test_and_set = 318,
  op_atomic_flag_clear = 319,
  op_type_named_barrier = 327,
  op_named_barrier_initialize = 328,
  op_memory_named_barrier = 329,
  op_execution_mode_id = 331,
  op_decorate_id = 332,
  op_copy_logical = 400,
  op_ptr_equal = 401,
  op_ptr_not_equal = 402,
  op_ptr_diff = 403,
  op_type_untyped_pointer = 4417,
  op_untyped_variable = 4418,
  op_untyped_access_chain = 4419,
  op_untyped_in_bounds_access_chain = 4420,
  op_untyped_ptr_access_chain = 4423,
  op_untyped_in_bounds_ptr_access_chain = 4424,
  op_untyped_prefetch = 4426,
  op_untyped_group_async_copy = 4434,
  op_sub_group_block_read = 5575,
  op_sub_group_block_write = 5576,
  op_constant_function_pointer = 5600,
  op_atomic_f_min = 5614,
  op_atomic_f_max = 5615,
  op_alias_domain = 5911,
  op_alias_scope_list = 5913,
  op_atomic_f_add = 6035,
  op_constant_composite_continued = 6091,
  op_spec_constant_composite_continued = 6092,
  op_convert_f_to_bfloat16 = 6116,
  op_convert_bfloat16_to_f = 6117,
  op_sub_group_block_prefetch = 6221,
  op_bitwise_function = 6242,
  op_predicated_load = 6258,
  op_predicated_store = 6259,
  op_round_f_to_tf32 = 6426,
};
inline constexpr std::uint32_t kFastMathDefault = 6028;  ///< execution mode
inline constexpr std::uint32_t kVloadn = 171;            ///< instruction of OpenCL.std
inline constexpr std::uint32_t kVstoren = 172;
inline constexpr std::uint32_t kPrintf = 184;          ///< instruction of OpenCL.std
inline constexpr std::uint32_t kBfloat16Encoding = 0;  ///< operand of OpTypeFloat

inline std::uint32_t opcode(View instruction) {
  return instruction[0] & 0xffffU;
}

/// Calls `visit` with each instruction. What is no instruction, and all after it, is one span, for which the second
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

/// An instruction whose only operand is text.
inline Words text_instruction(Opcode op, std::string_view text) {
  Words made(1 + text.size() / sizeof(std::uint32_t) + 1);
  made[0] = op;
  std::memcpy(made.data() + 1, text.data(), text.size());
  return resized(std::move(made));
}

inline Words words_of(std::span<const std::uint8_t> module) {
  Words words(module.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), module.data(), words.size() * sizeof(std::uint32_t));
  return words;
}

inline std::vector<std::uint8_t> bytes_of(View words) {
  std::vector<std::uint8_t> bytes(words.size_bytes());
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

inline void append(Words& words, View more) {
  words.insert(words.end(), more.begin(), more.end());
}

}  // namespace lanewise::spirv
