// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/translated_form.h"

#include <spirv-tools/libspirv.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "compiler/spirv/private_linkage.h"
#include "compiler/spirv/translated_types.h"

namespace lanewise::spirv {

namespace {

constexpr std::uint32_t kInt16 = 22;  // capabilities
constexpr std::uint32_t kUntypedPointers = 4473;
constexpr std::uint32_t kBfloat16Type = 5116;
constexpr std::uint32_t kBfloat16DotProduct = 5117;
constexpr std::uint32_t kBfloat16Conversion = 6115;
constexpr std::uint32_t kRoundingMode = 39;  // decorations
constexpr std::uint32_t kLinkageAttributes = 41;
constexpr std::uint32_t kImport = 1;

/// Of OpenCL.std.
enum Extended : std::uint32_t {
  fract = 30,
  frexp = 31,
  lgamma_r = 36,
  modf = 45,
  remquo = 52,
  sincos = 58,
  vload_half = 173,
  vstorea_halfn_r = 181,
};

struct Range {
  std::uint32_t first, last;
};

/// Instructions that move values and do not compute: what type a value has is all the same to them.
constexpr Range kMoves[] = {{op_undef, op_undef},
                            {op_name, op_member_name},
                            {op_entry_point, op_entry_point},
                            {op_constant, op_spec_constant_composite},
                            {op_function, op_variable},
                            {op_load, op_store},
                            {op_decorate, op_group_member_decorate},
                            {op_vector_extract_dynamic, op_copy_object},
                            {op_bitcast, op_bitcast},
                            {op_select, op_select},
                            {op_phi, op_phi},
                            {op_return_value, op_return_value},
                            {op_lifetime_start, op_lifetime_stop},
                            {op_execution_mode_id, op_decorate_id},
                            {op_copy_logical, op_copy_logical},
                            {op_untyped_variable, op_untyped_variable}};

/// Instructions on pointers that the translator knows how to do on untyped ones.
constexpr Range kTakesUntypedPointers[] = {{op_copy_memory, op_copy_memory_sized},
                                           {op_access_chain, op_generic_ptr_mem_semantics},
                                           {op_in_bounds_ptr_access_chain, op_in_bounds_ptr_access_chain},
                                           {op_convert_ptr_to_u, op_convert_ptr_to_u},
                                           {op_convert_u_to_ptr, op_generic_cast_to_ptr_explicit},
                                           {op_atomic_load, op_atomic_xor},
                                           {op_atomic_f_min, op_atomic_f_max},
                                           {op_atomic_f_add, op_atomic_f_add},
                                           {op_ptr_equal, op_ptr_not_equal},
                                           {op_untyped_access_chain, op_untyped_in_bounds_ptr_access_chain}};

template <std::size_t kCount>
bool is_among(const Range (&ranges)[kCount], std::uint32_t opcode) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [&](const Range& range) { return opcode >= range.first && opcode <= range.last; });
}

/// Where the memory operands that begin at `at` end.
std::size_t end_of_memory_operands(const Words& instruction, std::size_t at) {
  constexpr std::uint32_t kWithOperand[] = {2, 8, 16, 0x10000, 0x20000};  // Aligned and others
  if (at >= instruction.size()) return at;
  std::size_t end = at + 1;
  for (const std::uint32_t bit : kWithOperand) end += (instruction[at] & bit) != 0 ? 1 : 0;
  return std::min(end, instruction.size());
}

/// Writes the module anew, instruction by instruction. New types and functions go before the first function.
class Writer {
 public:
  explicit Writer(const std::vector<Instruction>& module) : types_(module) {
    for (const Instruction& i : module) {
      if (i.opcode == op_ext_inst_import && text_at(i.words, 2) == "OpenCL.std") standard_.insert(i.id);
      if (i.opcode == op_function) out_ = &functions_;
      write(i);
      if (!fault_.empty()) return;
    }
  }

  [[nodiscard]] const std::string& fault() const { return fault_; }
  [[nodiscard]] Words words(View header) const {
    Words all(header.begin(), header.end());
    all[kBoundWord] = types_.bound();
    for (const Words* part : {&declarations_, &types_.added(), &imports_, &functions_}) append(all, *part);
    return all;
  }

 private:
  void emit(Words instruction) { append(*out_, resized(std::move(instruction))); }

  void write(const Instruction& i) {
    switch (i.opcode) {
      case op_capability:
        return capability(i);
      case op_extension:
        return emit(text_at(i.words, 1) == "SPV_KHR_bfloat16"
                        ? text_instruction(op_extension, "SPV_INTEL_bfloat16_conversion")
                        : i.words);
      case op_type_float:
        return emit(types_.is_bfloat16(i.id) ? Words{op_type_int, i.id, 16, 0} : i.words);
      case op_decorate:
        if (!is_rounding_of_bfloat16(i)) emit(i.words);
        return;
      case op_convert_f_to_u:
      case op_convert_f_to_s:
      case op_convert_s_to_f:
      case op_convert_u_to_f:
      case op_f_convert:
        return conversion(i);
      case op_dot:
        return types_.is_bfloat16(i.type) ? dot(i) : emit(i.words);
      case op_ext_inst:
        return standard_.contains(i.words[3]) ? extended(i) : emit(i.words);
      case op_copy_memory:
        return copy(i);
      case op_untyped_prefetch:
        return;
      default:
        check(i);
        return emit(i.words);
    }
  }

  void capability(const Instruction& i) {
    const std::uint32_t name = i.words[1];
    if (name == kBfloat16DotProduct) return;
    if (name != kBfloat16Type) return emit(i.words);
    emit({op_capability, kInt16});
    emit({op_capability, kBfloat16Conversion});
  }

  /// Conversions to bfloat16 round to the nearest.
  bool is_rounding_of_bfloat16(const Instruction& i) {
    if (i.words[2] != kRoundingMode || !types_.is_bfloat16(types_.of(i.words[1]))) return false;
    if (i.words[3] != 0) fault_ = "conversions to bfloat16 with another rounding mode than RTE are not supported";
    return true;
  }

  void refuse(std::uint32_t opcode, const char* what) {
    fault_ = std::string(spvOpcodeString(opcode)) + " of " + what + " is not supported";
  }

  void check(const Instruction& i) {
    const bool constant = i.opcode == op_spec_constant_op;
    const std::uint32_t opcode = constant ? i.words[3] : i.opcode;
    if (is_among(kMoves, opcode)) return;
    const bool takes_untyped = !constant && is_among(kTakesUntypedPointers, opcode);
    const auto check_type = [&](std::uint32_t type) {
      if (types_.is_bfloat16(type)) refuse(opcode, "a bfloat16");
      if (types_.is_untyped_pointer(type) && !takes_untyped) refuse(opcode, "an untyped pointer");
    };
    check_type(i.type);
    for (const std::uint32_t value : i.values) check_type(types_.of(value));
  }

  // bfloat16

  std::uint32_t widened(std::uint32_t value) {
    const std::uint32_t id = types_.new_id();
    emit({op_convert_bfloat16_to_f, types_.floats(32, types_.count(types_.of(value))), id, value});
    return id;
  }

  void conversion(const Instruction& i) {
    const std::uint32_t value = i.words[3];
    const std::uint32_t from = types_.of(value);
    if (types_.is_bfloat16(i.type)) return emit({op_convert_f_to_bfloat16, i.type, i.id, to_float(i, value, from)});
    if (!types_.is_bfloat16(from)) return emit(i.words);
    if (i.opcode == op_f_convert && types_.bits(i.type) == 32)
      return emit({op_convert_bfloat16_to_f, i.type, i.id, value});
    emit({i.opcode, i.type, i.id, widened(value)});
  }

  /// `value` as a float that rounds to the same bfloat16.
  std::uint32_t to_float(const Instruction& i, std::uint32_t value, std::uint32_t from) {
    const std::uint32_t bits = types_.bits(from);
    if (types_.is_float(from) && bits == 32) return value;
    const std::uint32_t type = types_.floats(32, types_.count(from));
    const std::uint32_t id = types_.new_id();
    if (bits <= 16)
      emit({i.opcode, type, id, value});
    else
      emit({op_function_call, type, id, to_odd(i, from, type), value});
    return id;
  }

  /// The function of the library (kernels-builtin/convert/bfloat16.cl) that rounds values of this type to odd.
  std::uint32_t to_odd(const Instruction& i, std::uint32_t from, std::uint32_t to) {
    std::string letter = "d";
    if (i.opcode == op_convert_s_to_f) letter = types_.bits(from) == 64 ? "l" : "i";
    if (i.opcode == op_convert_u_to_f) letter = types_.bits(from) == 64 ? "m" : "j";
    const std::uint32_t count = types_.count(from);
    const std::string name =
        "_Z11__lw_to_odd" + (count == 1 ? std::string() : "Dv" + std::to_string(count) + "_") + letter;
    std::uint32_t& function = imported_[name];
    if (function != 0) return function;
    function = types_.new_id();
    Words decoration = text_instruction(op_decorate, name);
    decoration.insert(decoration.begin() + 1, {function, kLinkageAttributes});
    decoration.push_back(kImport);
    append(imports_, resized(std::move(decoration)));
    append(imports_, resized({op_function, to, function, 0, types_.type({op_type_function, to, from})}));
    append(imports_, resized({op_function_parameter, from, types_.new_id()}));
    append(imports_, resized({op_function_end}));
    return function;
  }

  void dot(const Instruction& i) {
    const std::uint32_t x = widened(i.words[3]);
    const std::uint32_t y = widened(i.words[4]);
    const std::uint32_t sum = types_.new_id();
    emit({op_dot, types_.floats(32, 1), sum, x, y});
    emit({op_convert_f_to_bfloat16, i.type, i.id, sum});
  }

  // Untyped pointers

  std::uint32_t typed(std::uint32_t pointer, std::uint32_t pointee) {
    const std::uint32_t id = types_.new_id();
    emit({op_bitcast, types_.type({op_type_pointer, types_.storage(types_.of(pointer)), pointee}), id, pointer});
    return id;
  }

  /// What the pointer operand of a function of OpenCL.std points to; 0 if it has none.
  std::uint32_t pointee(const Instruction& i) {
    const std::uint32_t function = i.words[4];
    if (function == fract || function == modf || function == sincos) return i.type;
    if (function == frexp || function == lgamma_r || function == remquo) return types_.integers(types_.count(i.type));
    if (function == kVloadn) return types_.element(i.type);
    if (function == kVstoren) return types_.element(types_.of(i.words[5]));
    return function >= vload_half && function <= vstorea_halfn_r ? types_.floats(16, 1) : 0;
  }

  void extended(const Instruction& i) {
    Words made = i.words;
    const bool moves = i.words[4] == kVloadn || i.words[4] == kVstoren;
    if (types_.is_bfloat16(i.type) && !moves) refuse(i.opcode, "a bfloat16");
    for (std::size_t at = 5; at < made.size() && i.words[4] != kPrintf; ++at) {
      const std::uint32_t type = types_.of(made[at]);
      if (types_.is_bfloat16(type) && !moves) refuse(i.opcode, "a bfloat16");
      if (!types_.is_untyped_pointer(type)) continue;
      const std::uint32_t to = pointee(i);
      if (to == 0) return refuse(i.opcode, "an untyped pointer");
      made[at] = typed(made[at], to);
    }
    emit(std::move(made));
  }

  /// One set of memory operands is for both sides, of two the first is for the target.
  void copy(const Instruction& i) {
    const std::uint32_t target = i.words[1];
    const std::uint32_t source = i.words[2];
    const bool from_untyped = types_.is_untyped_pointer(types_.of(source));
    if (!from_untyped && !types_.is_untyped_pointer(types_.of(target))) return emit(i.words);
    const auto place = [&](std::size_t at) { return i.words.begin() + static_cast<std::ptrdiff_t>(at); };
    const std::size_t second = end_of_memory_operands(i.words, 3);
    const std::uint32_t id = types_.new_id();
    Words load{op_load, types_.pointee(types_.of(from_untyped ? target : source)), id, source};
    load.insert(load.end(), place(second < i.words.size() ? second : 3), i.words.end());
    emit(std::move(load));
    Words store{op_store, target, id};
    store.insert(store.end(), place(3), place(second));
    emit(std::move(store));
  }

  Types types_;
  std::set<std::uint32_t> standard_;               ///< ids of OpenCL.std
  std::map<std::string, std::uint32_t> imported_;  ///< functions
  std::string fault_;
  Words declarations_, imports_, functions_;
  Words* out_ = &declarations_;
};

bool is_changed(View module) {
  bool found = false;
  for_each_instruction(module, [&](View i, bool whole) {
    found |=
        whole && opcode(i) == op_capability && i.size() == 2 && (i[1] == kUntypedPointers || i[1] == kBfloat16Type);
  });
  return found;
}

}  // namespace

TranslatedForm translated_form(std::span<const std::uint8_t> module) {
  if (!is_changed(words_of(module))) return {.module = {module.begin(), module.end()}, .fault = {}};
  const Words words = without_private_linkage(module);
  const auto instructions = parsed(words);
  if (!instructions) return {.module = {}, .fault = "it is not valid"};
  const Writer writer(*instructions);
  if (!writer.fault().empty()) return {.module = {}, .fault = writer.fault()};
  const Words made = writer.words(View(words).first(kHeaderWords));
  TranslatedForm form{.module = std::vector<std::uint8_t>(made.size() * sizeof(std::uint32_t)), .fault = {}};
  std::memcpy(form.module.data(), made.data(), form.module.size());
  return form;
}

}  // namespace lanewise::spirv
