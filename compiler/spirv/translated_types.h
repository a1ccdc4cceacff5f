// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The instructions of a module with their types, as SPIRV-Tools parses them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "compiler/spirv/instructions.h"

namespace lanewise::spirv {

struct Instruction {
  std::uint32_t opcode = 0;
  std::uint32_t type = 0;             ///< of the result; 0 if it has none
  std::uint32_t id = 0;               ///< of the result; 0 if it has none
  Words words;                        ///< all of it
  std::vector<std::uint32_t> values;  ///< the ids among its operands
};

/// Every instruction; nothing if a word is none that SPIRV-Tools knows.
std::optional<std::vector<Instruction>> parsed(View module);

/// The types of a module's ids. More types are added as they are asked for.
class Types {
 public:
  explicit Types(const std::vector<Instruction>& module);

  /// 0 for what has no type.
  [[nodiscard]] std::uint32_t of(std::uint32_t id) const;
  [[nodiscard]] bool is_untyped_pointer(std::uint32_t type) const;
  /// Scalar or vector.
  [[nodiscard]] bool is_bfloat16(std::uint32_t type) const;
  [[nodiscard]] bool is_float(std::uint32_t type) const;
  /// Of a scalar, or of a component of a vector; 0 for what is no number.
  [[nodiscard]] std::uint32_t bits(std::uint32_t type) const;
  /// What a typed pointer points to.
  [[nodiscard]] std::uint32_t pointee(std::uint32_t type) const { return operand(type, 1); }
  /// Of a pointer of either kind.
  [[nodiscard]] std::uint32_t storage(std::uint32_t type) const { return operand(type, 0); }
  /// The type itself, if it is no vector.
  [[nodiscard]] std::uint32_t element(std::uint32_t type) const;
  /// 1 for a scalar.
  [[nodiscard]] std::uint32_t count(std::uint32_t type) const;

  std::uint32_t new_id() { return bound_++; }
  /// One more than the largest id.
  [[nodiscard]] std::uint32_t bound() const { return bound_; }
  /// The type {opcode, operands...}: that of the module, or a new one.
  std::uint32_t type(const Words& described);
  std::uint32_t floats(std::uint32_t bits, std::uint32_t count) { return vector(type({op_type_float, bits}), count); }
  std::uint32_t integers(std::uint32_t count) { return vector(type({op_type_int, 32, 0}), count); }
  std::uint32_t vector(std::uint32_t element, std::uint32_t count);
  /// Declares the types that have been added.
  [[nodiscard]] const Words& added() const { return added_; }

 private:
  [[nodiscard]] std::uint32_t operand(std::uint32_t type, std::size_t index) const;
  [[nodiscard]] std::uint32_t opcode_of(std::uint32_t type) const;

  std::map<std::uint32_t, std::uint32_t> types_;  ///< of ids
  std::map<std::uint32_t, Words> described_;      ///< types, without their ids
  std::map<Words, std::uint32_t> known_;
  std::uint32_t bound_ = 1;
  Words added_;
};

}  // namespace lanewise::spirv
