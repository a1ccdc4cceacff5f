// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Writes a module anew, instruction by instruction, with declarations for what is put in place of some of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compiler/spirv/instructions.h"
#include "compiler/spirv/translated_types.h"

namespace lanewise::spirv {

class ModuleWriter {
 public:
  explicit ModuleWriter(const std::vector<Instruction>& module) : types(module) {}

  /// From here on, functions are written.
  void begin_functions() { out_ = &functions_; }
  void emit(Words instruction);
  /// The whole module. `header`: that of the module that is written anew.
  Words words(View header);

  /// Says in `fault` that this instruction cannot be translated.
  void refuse(std::uint32_t opcode, const char* what);

  std::uint32_t number(std::uint32_t type, std::uint32_t value);
  /// The type of a structure that has a member of this type alone.
  std::uint32_t in_structure(std::uint32_t type);
  /// The type of a pointer to `pointee` in the storage class of `pointer`.
  std::uint32_t pointer_to(std::uint32_t pointee, std::uint32_t pointer);
  /// `pointer` as a pointer to `pointee`.
  std::uint32_t typed(std::uint32_t pointer, std::uint32_t pointee);
  /// A function that is defined elsewhere.
  std::uint32_t imported(const std::string& name, std::uint32_t result, const Words& parameters);

  Types types;
  std::string fault;  ///< why the module cannot be translated; empty if it can

 private:
  /// Something that is used in what is written now.
  void declare(Words instruction);

  std::map<std::string, std::uint32_t> imported_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers_;
  std::map<std::uint32_t, std::uint32_t> structures_;  ///< around types
  Words declarations_;
  Words late_;  ///< declarations that only functions use
  Words imports_, functions_;
  Words* out_ = &declarations_;
};

}  // namespace lanewise::spirv
