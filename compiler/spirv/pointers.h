// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The types of a module's pointers, from its words alone.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "compiler/spirv/instructions.h"

namespace lanewise::spirv {

/// Types of pointers, and values of them.
class Pointers {
 public:
  void read(View i) {
    const std::uint32_t op = opcode(i);
    if (op == op_type_pointer && i.size() > 3) {
      pointees_[i[1]] = i[3];
      classes_[i[1]] = i[2];
    }
    if (op == op_type_untyped_pointer && i.size() > 1) untyped_.insert(i[1]);
    const bool value = op == op_constant_null || op == op_spec_constant_op || op == op_function_parameter ||
                       op == op_function_call || op == op_variable || op == op_load || op == op_select ||
                       op == op_phi || (op >= op_access_chain && op <= op_in_bounds_ptr_access_chain) ||
                       (op >= op_convert_u_to_ptr && op <= op_bitcast) ||
                       (op >= op_untyped_variable && op <= op_untyped_in_bounds_ptr_access_chain);
    if (value && i.size() > 2) types_[i[2]] = i[1];
  }

  [[nodiscard]] bool is_type(std::uint32_t id) const { return untyped_.contains(id) || pointees_.contains(id); }
  [[nodiscard]] bool is_untyped(std::uint32_t value) const { return untyped_.contains(found(types_, value)); }
  /// The type that a pointer points to; 0: not known.
  [[nodiscard]] std::uint32_t pointee(std::uint32_t value) const { return found(pointees_, found(types_, value)); }
  [[nodiscard]] bool casts_to_another_type(View i) const {
    if (opcode(i) != op_spec_constant_op || i.size() != 5 || i[3] != op_ptr_cast_to_generic) return false;
    const std::uint32_t from = pointee(i[4]);
    const std::uint32_t to = found(pointees_, i[1]);
    return from != 0 && to != 0 ? from != to : casts_to_the_other_kind(i[4], i[1]);
  }
  /// True if two typed pointers into the same storage have different types.
  [[nodiscard]] bool compares_two_types(View i) const {
    if (i.size() != 5) return false;
    const std::uint32_t a = found(types_, i[3]);
    const std::uint32_t b = found(types_, i[4]);
    return a != b && pointees_.contains(a) && pointees_.contains(b) && classes_.at(a) == classes_.at(b);
  }
  /// True for a typed pointer that becomes an untyped one, or the reverse.
  [[nodiscard]] bool casts_to_the_other_kind(std::uint32_t value, std::uint32_t type) const {
    return types_.contains(value) && is_untyped(value) != untyped_.contains(type);
  }

 private:
  static std::uint32_t found(const std::map<std::uint32_t, std::uint32_t>& in, std::uint32_t id) {
    const auto place = in.find(id);
    return place == in.end() ? 0 : place->second;
  }

  std::set<std::uint32_t> untyped_;                            ///< types
  std::map<std::uint32_t, std::uint32_t> pointees_, classes_;  ///< pointee and storage class of pointer types
  std::map<std::uint32_t, std::uint32_t> types_;               ///< type of each value
};

}  // namespace lanewise::spirv
