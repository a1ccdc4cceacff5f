// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/translated_types.h"

#include <spirv-tools/libspirv.h>

#include <algorithm>
#include <memory>

namespace lanewise::spirv {

namespace {

bool is_type(std::uint32_t opcode) {
  constexpr std::uint32_t kFirst = 19, kLast = 38;  // OpTypeVoid, OpTypePipe; those of extensions are not asked for
  return (opcode >= kFirst && opcode <= kLast) || opcode == op_type_untyped_pointer;
}

spv_result_t keep(void* list, const spv_parsed_instruction_t* parsed) {
  Instruction made{.opcode = parsed->opcode,
                   .type = parsed->type_id,
                   .id = parsed->result_id,
                   .words = {parsed->words, parsed->words + parsed->num_words},
                   .values = {},
                   .places = {}};
  for (const spv_parsed_operand_t& operand : std::span(parsed->operands, parsed->num_operands)) {
    if (operand.type != SPV_OPERAND_TYPE_ID) continue;
    made.values.push_back(parsed->words[operand.offset]);
    made.places.push_back(operand.offset);
  }
  static_cast<std::vector<Instruction>*>(list)->push_back(std::move(made));
  return SPV_SUCCESS;
}

}  // namespace

std::optional<std::vector<Instruction>> parsed(View module) {
  const std::unique_ptr<spv_context_t, decltype(&spvContextDestroy)> context(spvContextCreate(SPV_ENV_UNIVERSAL_1_6),
                                                                             spvContextDestroy);
  std::vector<Instruction> list;
  if (!context ||
      spvBinaryParse(context.get(), &list, module.data(), module.size(), nullptr, keep, nullptr) != SPV_SUCCESS)
    return std::nullopt;
  return list;
}

Types::Types(const std::vector<Instruction>& module) {
  for (const Instruction& i : module) {
    bound_ = std::max(bound_, i.id + 1);
    if (i.type != 0) types_[i.id] = i.type;
    if (!is_type(i.opcode)) continue;
    Words described{i.opcode};
    described.insert(described.end(), i.words.begin() + 2, i.words.end());
    described_.emplace(i.id, std::move(described));
  }
}

void Types::written(const Instruction& instruction) {
  if (const auto type = described_.find(instruction.id); type != described_.end())
    known_.emplace(type->second, type->first);
}

std::uint32_t Types::of(std::uint32_t id) const {
  const auto found = types_.find(id);
  return found == types_.end() ? 0 : found->second;
}

std::uint32_t Types::operand(std::uint32_t type, std::size_t index) const {
  const auto found = described_.find(type);
  return found == described_.end() || found->second.size() <= index + 1 ? 0 : found->second[index + 1];
}

std::uint32_t Types::opcode_of(std::uint32_t type) const {
  const auto found = described_.find(type);
  return found == described_.end() ? 0 : found->second[0];
}

bool Types::is_untyped_pointer(std::uint32_t type) const {
  return opcode_of(type) == op_type_untyped_pointer;
}

bool Types::is_pointer(std::uint32_t type) const {
  return opcode_of(type) == op_type_pointer || is_untyped_pointer(type);
}

std::uint32_t Types::element(std::uint32_t type) const {
  return opcode_of(type) == op_type_vector ? operand(type, 0) : type;
}

std::uint32_t Types::count(std::uint32_t type) const {
  return opcode_of(type) == op_type_vector ? operand(type, 1) : 1;
}

bool Types::is_float(std::uint32_t type) const {
  return opcode_of(element(type)) == op_type_float;
}

bool Types::is_bfloat16(std::uint32_t type) const {
  const auto found = described_.find(element(type));
  return found != described_.end() && found->second == Words{op_type_float, 16, kBfloat16Encoding};
}

std::uint32_t Types::bits(std::uint32_t type) const {
  const std::uint32_t scalar = element(type);
  return is_float(scalar) || opcode_of(scalar) == op_type_int ? operand(scalar, 0) : 0;
}

std::uint32_t Types::vector(std::uint32_t element, std::uint32_t count) {
  return count == 1 ? element : type({op_type_vector, element, count});
}

std::uint32_t Types::type(const Words& described) {
  if (const auto found = known_.find(described); found != known_.end()) return found->second;
  const std::uint32_t id = new_id();
  Words instruction{described[0], id};
  instruction.insert(instruction.end(), described.begin() + 1, described.end());
  append(added_, resized(std::move(instruction)));
  known_.emplace(described, id);
  described_.emplace(id, described);
  return id;
}

std::string mangled(const Types& types, std::uint32_t type, const std::string& element) {
  const std::uint32_t count = types.count(type);
  return (count == 1 ? std::string() : "Dv" + std::to_string(count) + "_") + element;
}

}  // namespace lanewise::spirv
