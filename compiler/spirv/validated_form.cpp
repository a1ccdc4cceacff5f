// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/validated_form.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "compiler/spirv/instructions.h"
#include "compiler/spirv/pointers.h"
#include "compiler/spirv/private_linkage.h"

namespace lanewise::spirv {

namespace {

constexpr std::uint32_t kVersion14 = 0x00010400;
constexpr std::uint32_t kWorkItemPrivate = 7;  // storage class Function
constexpr std::uint32_t kCodeSection = 5605;   // storage class CodeSectionINTEL, of pointers to functions

constexpr std::uint32_t kDecorationAliasScope = 5914;
constexpr std::uint32_t kDecorationNoAlias = 5915;
constexpr std::string_view kSubGroups = "SPV_INTEL_subgroups";
constexpr std::uint32_t kFirstOfSubGroups = 5568;  // its capabilities
constexpr std::uint32_t kLastOfSubGroups = 5570;
constexpr std::uint32_t kSubgroupDispatch = 58;
constexpr std::uint32_t kSubgroupSize = 35;  // the execution modes that this capability is for
constexpr std::uint32_t kSubgroupsPerWorkgroupId = 37;
constexpr std::uint32_t kFloatControls2 = 6029;
constexpr std::uint32_t kBfloat16Conversion = 6115;
constexpr std::string_view kBfloat16Conversions = "SPV_INTEL_bfloat16_conversion";

/// Memory operands at `at`: a mask and what its bits ask for. Removes both scopes; returns the place after them.
std::size_t drop_scopes(Words& instruction, std::size_t at) {
  constexpr std::uint32_t kAligned = 2, kAvailable = 8, kVisible = 16, kAliasScope = 0x10000, kNoAlias = 0x20000;
  if (at >= instruction.size()) return at;
  const std::uint32_t mask = instruction[at];
  std::size_t behind = at + 1;
  for (const std::uint32_t bit : {kAligned, kAvailable, kVisible}) behind += (mask & bit) != 0 ? 1 : 0;
  for (const std::uint32_t bit : {kAliasScope, kNoAlias})
    if ((mask & bit) != 0 && behind < instruction.size())
      instruction.erase(instruction.begin() + static_cast<std::ptrdiff_t>(behind));
  instruction[at] = mask & ~(kAliasScope | kNoAlias);
  return behind;
}

Words without_level(Words instruction, std::size_t operands) {
  constexpr std::uint32_t kBias = 1, kLod = 2;
  if (operands >= instruction.size() || (instruction[operands] & kLod) == 0) return instruction;
  const std::size_t level = operands + 1 + ((instruction[operands] & kBias) != 0 ? 1 : 0);
  if (level >= instruction.size()) return instruction;
  instruction[operands] &= ~kLod;
  instruction.erase(instruction.begin() + static_cast<std::ptrdiff_t>(level));
  if (instruction[operands] == 0) instruction.erase(instruction.begin() + static_cast<std::ptrdiff_t>(operands));
  return resized(std::move(instruction));
}

/// Constants that are made of others.
class Composites {
 public:
  void read(View i) {
    const std::uint32_t op = opcode(i);
    if (op == op_untyped_variable && i.size() > 2) untyped_variables_.insert(i[2]);
    if (op >= op_spec_constant_true && op <= op_spec_constant_op && i.size() > 2) specialised_.insert(i[2]);
    if ((op == op_constant_composite || op == op_spec_constant_composite) && i.size() > 2) last_ = i[2];
    if (op == op_constant_composite_continued || op == op_spec_constant_composite_continued) continued_.insert(last_);
    if (op == op_constant_composite && any_part(i, specialised_)) specialised_.insert(i[2]);
  }

  [[nodiscard]] bool are_specialised(std::uint32_t id) const { return specialised_.contains(id); }
  [[nodiscard]] bool have_untyped_variables(View composite) const { return any_part(composite, untyped_variables_); }
  [[nodiscard]] bool are_continued(std::uint32_t id) const { return continued_.contains(id); }

 private:
  static bool any_part(View composite, const std::set<std::uint32_t>& of) {
    return composite.size() > 3 &&
           std::any_of(composite.begin() + 3, composite.end(), [&](std::uint32_t part) { return of.contains(part); });
  }

  std::set<std::uint32_t> untyped_variables_, specialised_, continued_;
  std::uint32_t last_ = 0;
};

/// What the module declares, as far as the changes ask for it.
class Declarations {
 public:
  explicit Declarations(View words) : lists_variables_(words.size() > 1 && words[1] >= kVersion14) {
    for_each_instruction(words, [&](View instruction, bool whole) {
      if (whole) read(instruction);
    });
  }

  [[nodiscard]] bool is_debug(View i) const {
    return opcode(i) == op_ext_inst && i.size() > 4 && debug_.contains(i[3]);
  }
  [[nodiscard]] bool is_dropped(std::uint32_t id) const { return dropped_.contains(id); }
  [[nodiscard]] const std::vector<std::uint32_t>& variables() const { return variables_; }
  [[nodiscard]] bool lists_variables() const { return lists_variables_; }
  [[nodiscard]] bool lacks_sub_groups() const { return uses_sub_groups_ && !names_sub_groups_; }
  [[nodiscard]] bool lacks_float_controls() const { return !names_float_controls_; }
  [[nodiscard]] bool lacks_dispatch() const { return has_sub_group_modes_ && !names_dispatch_; }
  /// A conversion between float and bfloat16, which is in 16 bits of an integer. Of its operand only the validator
  /// knows the type.
  [[nodiscard]] bool converts_bfloat16(View i) const {
    if (i.size() != 4 || !names_bfloat16_) return false;
    const auto vector = vectors_.find(i[1]);
    const std::uint32_t element = vector == vectors_.end() ? i[1] : vector->second;
    if (opcode(i) == op_convert_f_to_bfloat16) return bits_of(element) == 16;
    return opcode(i) == op_convert_bfloat16_to_f && singles_.contains(element);
  }
  /// A type of pointers to functions; without them the type is that of pointers to what the functions return.
  [[nodiscard]] Words without_functions(View pointer_type) const {
    Words made(pointer_type.begin(), pointer_type.end());
    if (made.size() != 4) return made;
    if (const auto function = functions_.find(made[3]); function != functions_.end()) made[3] = function->second;
    if (made[2] == kCodeSection) made[2] = kWorkItemPrivate;
    return made;
  }
  /// 0: no type of integers
  [[nodiscard]] std::uint32_t bits_of(std::uint32_t type) const {
    const auto found = integers_.find(type);
    return found == integers_.end() ? 0 : found->second;
  }
  [[nodiscard]] bool prints_array(View i) const {
    if (opcode(i) != op_ext_inst || i.size() < 6 || !standard_.contains(i[3]) || i[4] != kPrintf) return false;
    return arrays_.contains(pointers.pointee(i[5]));
  }
  /// With gradients as OpenCL C has them, of four components, where SPIR-V wants three.
  [[nodiscard]] bool samples_volume_by_gradients(View i) const {
    constexpr std::uint32_t kGrad = 4;
    return i.size() > 6 && (i[5] & kGrad) != 0 && volumes_.contains(i[3]);
  }
  [[nodiscard]] bool moves_through_untyped(View i, std::uint32_t function, std::size_t pointer) const {
    if (opcode(i) != op_ext_inst || i.size() != 8 || !standard_.contains(i[3]) || i[4] != function) return false;
    return pointers.is_untyped(i[pointer]);
  }

  Pointers pointers;
  Composites composites;

 private:
  void read(View i) {
    const std::uint32_t op = opcode(i);
    pointers.read(i);
    composites.read(i);
    if (op == op_capability && i.size() > 1) {
      uses_sub_groups_ |= i[1] >= kFirstOfSubGroups && i[1] <= kLastOfSubGroups;
      names_dispatch_ |= i[1] == kSubgroupDispatch;
      names_bfloat16_ |= i[1] == kBfloat16Conversion;
      names_float_controls_ |= i[1] == kFloatControls2;
    }
    if ((op == op_execution_mode || op == op_execution_mode_id) && i.size() > 2)
      has_sub_group_modes_ |= i[2] >= kSubgroupSize && i[2] <= kSubgroupsPerWorkgroupId;
    if (op == op_extension && i.size() > 1) names_sub_groups_ |= text_at(i, 1) == kSubGroups;
    if (op == op_ext_inst_import && i.size() > 2) {
      const std::string_view name = text_at(i, 2);
      if (name == "OpenCL.DebugInfo.100") debug_.insert(i[1]);
      if (name == "OpenCL.std") standard_.insert(i[1]);
    }
    if (op == op_type_function && i.size() > 2) functions_[i[1]] = i[2];
    if (op == op_type_int && i.size() > 2) integers_[i[1]] = i[2];
    if (op == op_type_float && i.size() == 3 && i[2] == 32) singles_.insert(i[1]);
    if (op == op_type_vector && i.size() > 2) vectors_[i[1]] = i[2];
    constexpr std::uint32_t kDim3D = 2;
    if (op == op_type_image && i.size() > 3 && i[3] == kDim3D) volumes_.insert(i[1]);
    if (op == op_type_sampled_image && i.size() > 2 && volumes_.contains(i[2])) volumes_.insert(i[1]);
    if (op == op_sampled_image && i.size() > 2 && volumes_.contains(i[1])) volumes_.insert(i[2]);
    if (op == op_type_array && i.size() > 1) arrays_.insert(i[1]);
    const bool variable = op == op_variable || op == op_untyped_variable;
    if (variable && i.size() > 3 && i[3] != kWorkItemPrivate) variables_.push_back(i[2]);
    if (op >= op_alias_domain && op <= op_alias_scope_list && i.size() > 1) dropped_.insert(i[1]);
    if (is_debug(i)) dropped_.insert(i[2]);
  }

  bool lists_variables_;
  bool uses_sub_groups_ = false;
  bool names_sub_groups_ = false;
  bool has_sub_group_modes_ = false;
  bool names_dispatch_ = false;
  bool names_bfloat16_ = false;
  bool names_float_controls_ = false;
  std::set<std::uint32_t> debug_, standard_, arrays_, dropped_, singles_;
  std::set<std::uint32_t> volumes_;  ///< types of 3D images, and such values with a sampler
  std::map<std::uint32_t, std::uint32_t> integers_, vectors_;
  std::map<std::uint32_t, std::uint32_t> functions_;  ///< types of functions: the types that these return
  std::vector<std::uint32_t> variables_;
};

Words with_interface(View instruction, const Declarations& declared) {
  Words made(instruction.begin(), instruction.end());
  if (!declared.lists_variables() || instruction.size() < 4) return made;
  const std::size_t first = 3 + text_at(instruction, 3).size() / sizeof(std::uint32_t) + 1;
  if (first > made.size()) return made;
  for (const std::uint32_t id : declared.variables())
    if (std::find(made.begin() + static_cast<std::ptrdiff_t>(first), made.end(), id) == made.end()) made.push_back(id);
  return made.size() > 0xffff ? Words(instruction.begin(), instruction.end()) : resized(std::move(made));
}

bool is_dropped(View i, const Declarations& declared) {
  switch (opcode(i)) {
    case op_capability:
      return i.size() > 1 && i[1] == kBfloat16Conversion;
    case op_extension:
      return i.size() > 1 && text_at(i, 1) == kBfloat16Conversions;
    case op_execution_mode_id:
      return i.size() > 2 && i[2] == kFastMathDefault && declared.lacks_float_controls();
    case op_name:
      return i.size() > 1 && declared.is_dropped(i[1]);
    case op_decorate:
    case op_decorate_id:
      return i.size() > 2 && (declared.is_dropped(i[1]) || i[2] == kDecorationAliasScope || i[2] == kDecorationNoAlias);
    case op_lifetime_start:
    case op_lifetime_stop:
    case op_atomic_flag_clear:
      return i.size() > 1 && declared.pointers.is_untyped(i[1]);
    case op_constant_composite_continued:
    case op_spec_constant_composite_continued:
      return true;
    case op_ext_inst:
      return declared.is_debug(i) || declared.moves_through_untyped(i, kVstoren, 7);
    default:
      return opcode(i) >= op_alias_domain && opcode(i) <= op_alias_scope_list;
  }
}

Words changed_constant(View i, const Declarations& declared) {
  Words made(i.begin(), i.end());
  switch (opcode(i)) {
    case op_constant_function_pointer:
      return i.size() == 4 ? resized({op_constant_null, i[1], i[2]}) : made;
    case op_constant_null:
      if (i.size() != 3 || declared.bits_of(i[1]) == 0 || declared.bits_of(i[1]) > 64) return made;
      return resized(declared.bits_of(i[1]) > 32 ? Words{op_constant, i[1], i[2], 0, 0}
                                                 : Words{op_constant, i[1], i[2], 0});
    case op_constant_composite:
    case op_spec_constant_composite:
      if (i.size() > 3 && (declared.composites.have_untyped_variables(i) || declared.composites.are_continued(i[2])))
        return resized({op_constant_null, i[1], i[2]});
      if (i.size() > 3 && declared.composites.are_specialised(i[2]))
        made[0] = (made[0] & 0xffff0000U) | op_spec_constant_composite;
      return made;
    case op_spec_constant_op:
      return declared.pointers.casts_to_another_type(i) ? resized({op_constant_null, i[1], i[2]}) : made;
    default:
      return made;
  }
}

Words changed(View i, const Declarations& declared) {
  Words made(i.begin(), i.end());
  switch (opcode(i)) {
    case op_load:
    case op_store:
      drop_scopes(made, opcode(i) == op_load ? 4 : 3);
      return resized(std::move(made));
    case op_copy_memory:
    case op_copy_memory_sized:
      drop_scopes(made, drop_scopes(made, opcode(i) == op_copy_memory ? 3 : 4));
      return resized(std::move(made));
    case op_type_pointer:
      return declared.without_functions(i);
    case op_constant_function_pointer:
    case op_constant_null:
    case op_constant_composite:
    case op_spec_constant_composite:
    case op_spec_constant_op:
      return changed_constant(i, declared);
    case op_ptr_cast_to_generic:
    case op_generic_cast_to_ptr:
    case op_generic_cast_to_ptr_explicit:
      return i.size() > 3 && declared.pointers.casts_to_the_other_kind(i[3], i[1]) ? resized({op_undef, i[1], i[2]})
                                                                                   : made;
    case op_ptr_equal:
    case op_ptr_not_equal:
    case op_ptr_diff:
      if (declared.pointers.compares_two_types(i)) made[4] = made[3];
      return made;
    case op_entry_point:
      return with_interface(i, declared);
    case op_image_sample_explicit_lod:
      return declared.samples_volume_by_gradients(i) ? resized({op_undef, i[1], i[2]}) : made;
    case op_image_read:
      return without_level(std::move(made), 5);
    case op_image_write:
      return without_level(std::move(made), 4);
    case op_convert_f_to_bfloat16:
    case op_convert_bfloat16_to_f:
      if (declared.converts_bfloat16(i))
        made[0] =
            (made[0] & 0xffff0000U) | (opcode(i) == op_convert_f_to_bfloat16 ? op_convert_f_to_u : op_convert_u_to_f);
      return made;
    case op_atomic_flag_test_and_set:
      return i.size() > 3 && declared.pointers.is_untyped(i[3]) ? resized({op_undef, i[1], i[2]}) : made;
    case op_untyped_ptr_access_chain:
    case op_untyped_in_bounds_ptr_access_chain:
      return i.size() > 3 && declared.pointers.is_type(i[3]) ? resized({op_undef, i[1], i[2]}) : made;
    case op_ext_inst:
      return declared.prints_array(i) || declared.moves_through_untyped(i, kVloadn, 6) ? resized({op_undef, i[1], i[2]})
                                                                                       : made;
    default:
      return made;
  }
}

}  // namespace

std::vector<std::uint32_t> validated_form(std::span<const std::uint8_t> module) {
  const Words words = without_private_linkage(module);
  const Declarations declared(words);
  Words kept(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(std::min(kHeaderWords, words.size())));
  if (declared.lacks_dispatch()) append(kept, resized({op_capability, kSubgroupDispatch}));
  bool lacking = declared.lacks_sub_groups();
  for_each_instruction(words, [&](View instruction, bool whole) {
    if (lacking && opcode(instruction) != op_capability) {
      append(kept, text_instruction(op_extension, kSubGroups));
      lacking = false;
    }
    if (!whole) {
      append(kept, instruction);
    } else if (!is_dropped(instruction, declared)) {
      append(kept, changed(instruction, declared));
    }
  });
  return kept;
}

}  // namespace lanewise::spirv
