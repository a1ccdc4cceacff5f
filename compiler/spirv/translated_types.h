// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The instructions of a module with their types, as SPIRV-Tools parses them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/spirv/instructions.h"

namespace lanewise::spirv {

struct Instruction {
  std::uint32_t opcode = 0;
  std::uint32_t type = 0;             ///< type of the result; 0 if it has none
  std::uint32_t id = 0;               ///< id of the result; 0 if it has none
  Words words;                        ///< all words of the instruction
  std::vector<std::uint32_t> values;  ///< the ids among its operands
  std::vector<std::uint16_t> places;  ///< the numbers of their words
};

/// Every instruction; nothing if a word is none that SPIRV-Tools knows.
std::optional<std::vector<Instruction>> parsed(View module);

/// The types of a module's ids. More types are added as they are asked for.
class Types {
 public:
  explicit Types(const std::vector<Instruction>& module);

  /// The type of an id; 0 for what has no type.
  [[nodiscard]] std::uint32_t of(std::uint32_t id) const;
  /// The opcode of a type; 0 for what is no type.
  [[nodiscard]] std::uint32_t opcode_of(std::uint32_t type) const;
  [[nodiscard]] bool is_untyped_pointer(std::uint32_t type) const;
  /// True for pointers of either kind.
  [[nodiscard]] bool is_pointer(std::uint32_t type) const;
  /// True for bfloat16, scalar or vector.
  [[nodiscard]] bool is_bfloat16(std::uint32_t type) const;
  [[nodiscard]] bool is_float(std::uint32_t type) const;
  /// The bits of a scalar, or of a component of a vector; 0 for what is no number.
  [[nodiscard]] std::uint32_t bits(std::uint32_t type) const;
  /// What a typed pointer points to.
  [[nodiscard]] std::uint32_t pointee(std::uint32_t type) const { return operand(type, 1); }
  /// The storage class of a pointer of either kind.
  [[nodiscard]] std::uint32_t storage(std::uint32_t type) const { return operand(type, 0); }
  /// The type of a vector's components; the type itself if it is no vector.
  [[nodiscard]] std::uint32_t element(std::uint32_t type) const;
  /// The number of components; 1 for a scalar.
  [[nodiscard]] std::uint32_t count(std::uint32_t type) const;

  std::uint32_t new_id() { return bound_++; }
  /// One more than the largest id.
  [[nodiscard]] std::uint32_t bound() const { return bound_; }
  /// The type {opcode, operands...}: one that has been written, or a new one.
  std::uint32_t type(const Words& described);
  /// `instruction` has been written. Only types that have been are found by what they are.
  void written(const Instruction& instruction);
  std::uint32_t floats(std::uint32_t bits, std::uint32_t count) { return vector(type({op_type_float, bits}), count); }
  /// The type of unsigned integers, scalar or vector.
  std::uint32_t integers(std::uint32_t bits, std::uint32_t count) {
    return vector(type({op_type_int, bits, 0}), count);
  }
  std::uint32_t vector(std::uint32_t element, std::uint32_t count);
  /// Declares the types that have been added since this was last asked.
  Words added() { return std::exchange(added_, {}); }

 private:
  [[nodiscard]] std::uint32_t operand(std::uint32_t type, std::size_t index) const;

  std::map<std::uint32_t, std::uint32_t> types_;  ///< type of each id
  std::map<std::uint32_t, Words> described_;      ///< types, without their ids
  std::map<Words, std::uint32_t> known_;          ///< types that have been written
  std::uint32_t bound_ = 1;
  Words added_;
};

/// The mangled name of a scalar or vector, where `element` is that of its components.
std::string mangled(const Types& types, std::uint32_t type, const std::string& element);

}  // namespace lanewise::spirv
