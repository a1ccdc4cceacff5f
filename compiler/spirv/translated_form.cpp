// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/translated_form.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "compiler/spirv/bfloat16.h"
#include "compiler/spirv/library_calls.h"
#include "compiler/spirv/module_writer.h"
#include "compiler/spirv/pointers.h"
#include "compiler/spirv/private_linkage.h"
#include "compiler/spirv/translated_types.h"

namespace lanewise::spirv {

namespace {

constexpr std::uint32_t kInt16 = 22;  // capabilities
constexpr std::uint32_t kNamedBarrier = 59;
constexpr std::uint32_t kUntypedPointers = 4473;
constexpr std::uint32_t kBfloat16Type = 5116;
constexpr std::uint32_t kBfloat16DotProduct = 5117;
constexpr std::uint32_t kBfloat16Conversion = 6115;
constexpr std::uint32_t kFloatControls2 = 6029;
constexpr std::uint32_t kSubgroupBufferPrefetch = 6220;
constexpr std::uint32_t kTernaryBitwiseFunction = 6241;
constexpr std::uint32_t kPredicatedIo = 6257;
constexpr std::uint32_t kTensorFloat32Rounding = 6425;
/// Of what is not there any more where the translator looks.
constexpr std::uint32_t kDropped[] = {kBfloat16DotProduct,     kFloatControls2, kSubgroupBufferPrefetch, kNamedBarrier,
                                      kTernaryBitwiseFunction, kPredicatedIo,   kTensorFloat32Rounding};
constexpr std::uint32_t kFuncParamAttr = 38;  // decorations
constexpr std::uint32_t kRoundingMode = 39;
constexpr std::uint32_t kFastMathMode = 40;
constexpr std::uint32_t kAllowTransform = 0x40000;
constexpr std::uint32_t kWorkgroup = 4;  // storage class
constexpr std::uint32_t kByVal = 2;      // attributes of parameters
constexpr std::uint32_t kSret = 3;

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

/// Extensions for which the translator has another name, or none.
struct Renamed {
  std::string_view name, translated;
};
constexpr Renamed kRenamed[] = {{"SPV_KHR_bfloat16", "SPV_INTEL_bfloat16_conversion"},
                                {"SPV_KHR_float_controls2", ""},
                                {"SPV_EXT_split_barrier", "SPV_INTEL_split_barrier"},
                                {"SPV_ALTERA_arbitrary_precision_integers", "SPV_INTEL_arbitrary_precision_integers"},
                                {"SPV_INTEL_predicated_io", ""},
                                {"SPV_INTEL_subgroup_buffer_prefetch", ""},
                                {"SPV_INTEL_tensor_float32_conversion", ""},
                                {"SPV_INTEL_ternary_bitwise_function", ""}};

const Renamed* renamed(std::string_view extension) {
  const auto* found =
      std::find_if(std::begin(kRenamed), std::end(kRenamed), [&](const Renamed& r) { return r.name == extension; });
  return found == std::end(kRenamed) ? nullptr : found;
}

struct OpcodeRange {
  std::uint32_t first, last;
};

/// Instructions that move values and do not compute: what type a value has is all the same to them.
constexpr OpcodeRange kMoves[] = {{op_undef, op_undef},
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
constexpr OpcodeRange kTakesUntypedPointers[] = {{op_copy_memory, op_copy_memory_sized},
                                                 {op_access_chain, op_generic_ptr_mem_semantics},
                                                 {op_in_bounds_ptr_access_chain, op_in_bounds_ptr_access_chain},
                                                 {op_convert_ptr_to_u, op_convert_ptr_to_u},
                                                 {op_convert_u_to_ptr, op_generic_cast_to_ptr_explicit},
                                                 {op_atomic_load, op_atomic_xor},
                                                 {op_atomic_f_min, op_atomic_f_max},
                                                 {op_atomic_f_add, op_atomic_f_add},
                                                 {op_ptr_equal, op_ptr_not_equal}};

/// Operands for which the translator needs the type of what a pointer points to.
enum class Pointee { byte, word, element };
struct PointerOperand {
  std::uint32_t opcode;
  std::size_t word;
  Pointee pointee;
};
constexpr PointerOperand kPointerOperands[] = {{op_ptr_diff, 3, Pointee::byte},
                                               {op_ptr_diff, 4, Pointee::byte},
                                               {op_atomic_flag_test_and_set, 3, Pointee::word},
                                               {op_atomic_flag_clear, 1, Pointee::word},
                                               {op_sub_group_block_read, 3, Pointee::element},
                                               {op_sub_group_block_write, 1, Pointee::element}};

bool is_untyped_access_chain(std::uint32_t opcode) {
  return opcode == op_untyped_access_chain || opcode == op_untyped_in_bounds_access_chain ||
         opcode == op_untyped_ptr_access_chain || opcode == op_untyped_in_bounds_ptr_access_chain;
}

template <std::size_t kCount>
bool is_among(const OpcodeRange (&ranges)[kCount], std::uint32_t opcode) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [&](const OpcodeRange& range) { return opcode >= range.first && opcode <= range.last; });
}

/// Where the memory operands that begin at `at` end.
std::size_t end_of_memory_operands(const Words& instruction, std::size_t at) {
  constexpr std::uint32_t kWithOperand[] = {2, 8, 16, 0x10000, 0x20000};  // Aligned and others
  if (at >= instruction.size()) return at;
  std::size_t end = at + 1;
  for (const std::uint32_t bit : kWithOperand) end += (instruction[at] & bit) != 0 ? 1 : 0;
  return std::min(end, instruction.size());
}

class Translated {
 public:
  explicit Translated(const std::vector<Instruction>& module) : out_(module) {
    for (const Instruction& i : module) {
      if (i.opcode == op_ext_inst_import && text_at(i.words, 2) == "OpenCL.std") standard_.insert(i.id);
      if (i.opcode == op_function) out_.begin_functions();
      write(i);
      types_.written(i);
      if (!out_.fault.empty()) return;
    }
  }

  [[nodiscard]] const std::string& fault() const { return out_.fault; }
  Words words(View header) { return out_.words(header); }

 private:
  void write(const Instruction& i) {
    switch (i.opcode) {
      case op_capability:
        return capability(i);
      case op_extension:
        return extension(i);
      case op_type_float:
        return out_.emit(types_.is_bfloat16(i.id) ? Words{op_type_int, i.id, 16, 0} : i.words);
      case op_type_named_barrier:
        return out_.emit({op_type_pointer, i.id, kWorkgroup, types_.type({op_type_struct})});
      case op_decorate:
        return decoration(i);
      case op_execution_mode_id:
        return i.words[2] == kFastMathDefault ? void() : unchanged(i);
      case op_convert_f_to_u:
      case op_convert_f_to_s:
      case op_convert_s_to_f:
      case op_convert_u_to_f:
      case op_f_convert:
        return bfloat16_.convert(i);
      case op_dot:
        return types_.is_bfloat16(i.type) ? bfloat16_.dot(i) : out_.emit(i.words);
      case op_ext_inst:
        return standard_.contains(i.words[3]) ? extended(i) : out_.emit(i.words);
      case op_copy_memory:
        return copy(i);
      case op_untyped_prefetch:
      case op_sub_group_block_prefetch:
        return;
      case op_bitwise_function:
        return calls_.bitwise_function(i);
      case op_round_f_to_tf32:
        return calls_.round_to_tf32(i);
      case op_named_barrier_initialize:
      case op_memory_named_barrier:
        return calls_.named_barrier(i);
      case op_predicated_load:
      case op_predicated_store:
        return calls_.predicated_access(i);
      default:
        return is_untyped_access_chain(i.opcode) ? access_chain(i) : pointers(i);
    }
  }

  /// Instructions that need the type of what pointers point to.
  void pointers(const Instruction& i) {
    switch (i.opcode) {
      case op_spec_constant_op:
        return is_untyped_access_chain(i.words[3]) ? access_chain(i) : unchanged(i);
      case op_untyped_group_async_copy:
        return calls_.async_copy(i);
      case op_ptr_equal:
      case op_ptr_not_equal:
      case op_ptr_diff:
        return comparison(i);
      default:
        return with_typed(i);
    }
  }

  void comparison(const Instruction& i) {
    const std::uint32_t a = types_.of(i.words[3]);
    const std::uint32_t b = types_.of(i.words[4]);
    if (a == b || types_.is_untyped_pointer(a) || types_.is_untyped_pointer(b)) return with_typed(i);
    Words made = i.words;
    made[4] = out_.typed(made[4], types_.pointee(a));
    out_.emit(std::move(made));
  }

  void unchanged(const Instruction& i) {
    check(i);
    out_.emit(i.words);
  }

  void extension(const Instruction& i) {
    const Renamed* other = renamed(text_at(i.words, 1));
    if (other == nullptr) return out_.emit(i.words);
    if (!other->translated.empty()) out_.emit(text_instruction(op_extension, other->translated));
  }

  void capability(const Instruction& i) {
    const std::uint32_t name = i.words[1];
    if (std::find(std::begin(kDropped), std::end(kDropped), name) != std::end(kDropped)) return;
    if (name != kBfloat16Type) return out_.emit(i.words);
    out_.emit({op_capability, kInt16});
    out_.emit({op_capability, kBfloat16Conversion});
  }

  /// Conversions to bfloat16 round to the nearest.
  bool is_rounding_of_bfloat16(const Instruction& i) {
    if (i.words[2] != kRoundingMode || !types_.is_bfloat16(types_.of(i.words[1]))) return false;
    if (i.words[3] != 0) out_.fault = "conversions to bfloat16 with another rounding mode than RTE are not supported";
    return true;
  }

  void decoration(const Instruction& i) {
    if (is_rounding_of_bfloat16(i)) return;
    const bool by_value = i.words[2] == kFuncParamAttr && (i.words[3] == kByVal || i.words[3] == kSret);
    if (by_value && types_.is_untyped_pointer(types_.of(i.words[1])))
      out_.fault = "a parameter that is passed by value has an untyped pointer: nothing names its type";
    Words made = i.words;
    if (made[2] == kFastMathMode) made[3] &= ~kAllowTransform;
    out_.emit(std::move(made));
  }

  void check(const Instruction& i) {
    const bool constant = i.opcode == op_spec_constant_op;
    const std::uint32_t opcode = constant ? i.words[3] : i.opcode;
    if (is_among(kMoves, opcode)) return;
    check_no_bfloat16(i, opcode);
    if (is_among(kTakesUntypedPointers, opcode)) return;
    bool untyped = types_.is_untyped_pointer(i.type);
    for (const std::uint32_t value : i.values) untyped |= types_.is_untyped_pointer(types_.of(value));
    if (untyped) out_.refuse(opcode, "an untyped pointer");
  }

  void check_no_bfloat16(const Instruction& i, std::uint32_t opcode) {
    bool found = types_.is_bfloat16(i.type);
    for (const std::uint32_t value : i.values) found |= types_.is_bfloat16(types_.of(value));
    if (found) out_.refuse(opcode, "a bfloat16");
  }

  // Untyped pointers

  std::uint32_t type_of(Pointee pointee, const Instruction& i) {
    if (pointee == Pointee::byte) return types_.integers(8, 1);
    if (pointee == Pointee::word) return types_.integers(32, 1);
    return types_.element(i.type != 0 ? i.type : types_.of(i.words[2]));
  }

  /// The instruction with typed pointers for those of its untyped ones that need it.
  void with_typed(const Instruction& i) {
    Instruction made = i;
    for (const auto& [opcode, word, pointee] : kPointerOperands) {
      if (opcode != i.opcode || !types_.is_untyped_pointer(types_.of(i.words[word]))) continue;
      made.words[word] = out_.typed(i.words[word], type_of(pointee, i));
      std::erase(made.values, i.words[word]);
    }
    unchanged(made);
  }

  /// Also as the operation of a constant expression.
  void access_chain(const Instruction& i) {
    const bool constant = i.opcode == op_spec_constant_op;
    const std::uint32_t opcode = constant ? i.words[3] : i.opcode;
    const std::size_t base_type = constant ? 4 : 3;
    const bool has_element = opcode >= op_untyped_ptr_access_chain;
    const std::size_t indices = base_type + (has_element ? 3 : 2);
    Words made = i.words;
    const std::uint32_t type = types_.opcode_of(made[base_type]);
    if (type == op_type_vector || type == op_type_pointer || type == op_type_untyped_pointer) {
      made[base_type] = out_.in_structure(made[base_type]);
      if (!has_element || made.size() > indices)
        made.insert(made.begin() + static_cast<std::ptrdiff_t>(indices), out_.number(types_.integers(32, 1), 0));
    }
    out_.emit(std::move(made));
  }

  /// What the pointer operand of a function of OpenCL.std points to; 0 if it has none.
  std::uint32_t pointee(const Instruction& i) {
    const std::uint32_t function = i.words[4];
    if (function == fract || function == modf || function == sincos) return i.type;
    if (function == frexp || function == lgamma_r || function == remquo)
      return types_.integers(32, types_.count(i.type));
    if (function == kVloadn) return types_.element(i.type);
    if (function == kVstoren) return types_.element(types_.of(i.words[5]));
    return function >= vload_half && function <= vstorea_halfn_r ? types_.floats(16, 1) : 0;
  }

  void extended(const Instruction& i) {
    Words made = i.words;
    const bool moves = i.words[4] == kVloadn || i.words[4] == kVstoren;
    if (types_.is_bfloat16(i.type) && !moves) out_.refuse(i.opcode, "a bfloat16");
    for (std::size_t at = 5; at < made.size() && i.words[4] != kPrintf; ++at) {
      const std::uint32_t type = types_.of(made[at]);
      if (types_.is_bfloat16(type) && !moves) out_.refuse(i.opcode, "a bfloat16");
      if (!types_.is_untyped_pointer(type)) continue;
      const std::uint32_t to = pointee(i);
      if (to == 0) return out_.refuse(i.opcode, "an untyped pointer");
      made[at] = out_.typed(made[at], to);
    }
    out_.emit(std::move(made));
  }

  /// One set of memory operands is for both sides, of two the first is for the target.
  void copy(const Instruction& i) {
    const std::uint32_t target = i.words[1];
    const std::uint32_t source = i.words[2];
    const bool from_untyped = types_.is_untyped_pointer(types_.of(source));
    if (!from_untyped && !types_.is_untyped_pointer(types_.of(target))) return out_.emit(i.words);
    const auto place = [&](std::size_t at) { return i.words.begin() + static_cast<std::ptrdiff_t>(at); };
    const std::size_t second = end_of_memory_operands(i.words, 3);
    const std::uint32_t id = types_.new_id();
    Words load{op_load, types_.pointee(types_.of(from_untyped ? target : source)), id, source};
    load.insert(load.end(), place(second < i.words.size() ? second : 3), i.words.end());
    out_.emit(std::move(load));
    Words store{op_store, target, id};
    store.insert(store.end(), place(3), place(second));
    out_.emit(std::move(store));
  }

  ModuleWriter out_;
  Types& types_ = out_.types;
  Bfloat16 bfloat16_{out_};
  LibraryCalls calls_{out_};
  std::set<std::uint32_t> standard_;  ///< ids of OpenCL.std
};

bool is_changed(View module) {
  bool found = false;
  Pointers pointers;
  for_each_instruction(module, [&](View i, bool whole) {
    if (!whole || i.size() < 2) return;
    pointers.read(i);
    found |= opcode(i) >= op_ptr_equal && opcode(i) <= op_ptr_diff && pointers.compares_two_types(i);
    found |= opcode(i) == op_capability && (i[1] == kUntypedPointers || i[1] == kBfloat16Type || i[1] == kNamedBarrier);
    found |= opcode(i) == op_execution_mode_id && i.size() > 2 && i[2] == kFastMathDefault;
    found |= opcode(i) == op_extension && renamed(text_at(i, 1)) != nullptr;
  });
  return found;
}

}  // namespace

TranslatedForm translated_form(std::span<const std::uint8_t> module) {
  if (!is_changed(words_of(module))) return {.module = {module.begin(), module.end()}, .fault = {}};
  const Words words = without_private_linkage(module);
  const auto instructions = parsed(words);
  if (!instructions) return {.module = {}, .fault = "it is not valid"};
  Translated translated(*instructions);
  if (!translated.fault().empty()) return {.module = {}, .fault = translated.fault()};
  const Words made = translated.words(View(words).first(kHeaderWords));
  TranslatedForm form{.module = std::vector<std::uint8_t>(made.size() * sizeof(std::uint32_t)), .fault = {}};
  std::memcpy(form.module.data(), made.data(), form.module.size());
  return form;
}

}  // namespace lanewise::spirv
