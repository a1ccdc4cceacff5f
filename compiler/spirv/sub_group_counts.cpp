// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/sub_group_counts.h"

#include <optional>

namespace lanewise::spirv {

namespace {

constexpr std::uint32_t kSpecId = 1;
constexpr std::uint32_t kSubgroupsPerWorkgroup = 36;
constexpr std::uint32_t kSubgroupsPerWorkgroupId = 37;

using Number = std::optional<std::uint32_t>;

/// Integers of 32 bits, as SPIR-V wants them for this mode.
Number computed(std::uint32_t operation, Number a, Number b) {
  if (!a || !b) return std::nullopt;
  switch (operation) {
    case op_i_add:
      return *a + *b;
    case op_i_sub:
      return *a - *b;
    case op_i_mul:
      return *a * *b;
    case op_u_div:
      return *b == 0 ? std::nullopt : Number(*a / *b);
    default:
      return std::nullopt;
  }
}

class SubGroupCountReader {
 public:
  explicit SubGroupCountReader(const std::vector<abi::SpecConstant>& constants) {
    for (const abi::SpecConstant& constant : constants)
      given_[constant.id] = static_cast<std::uint32_t>(constant.value);
  }

  void read(View i) {
    switch (opcode(i)) {
      case op_entry_point:
        if (i.size() > 3) kernels_.emplace(i[2], text_at(i, 3));
        break;
      case op_execution_mode:
        if (i.size() == 4 && i[2] == kSubgroupsPerWorkgroup) fixed_[i[1]] = i[3];
        break;
      case op_execution_mode_id:
        if (i.size() == 4 && i[2] == kSubgroupsPerWorkgroupId) by_id_[i[1]] = i[3];
        break;
      case op_decorate:
        if (i.size() == 4 && i[2] == kSpecId) spec_ids_[i[1]] = i[3];
        break;
      default:
        constant(i);
    }
  }

  [[nodiscard]] SubGroupCounts counts() const {
    SubGroupCounts found;
    for (const auto& [kernel, name] : kernels_) {
      if (const auto at = fixed_.find(kernel); at != fixed_.end()) found.of_kernels[name] = at->second;
      const auto at = by_id_.find(kernel);
      if (at == by_id_.end()) continue;
      if (const Number value = value_of(at->second))
        found.of_kernels[name] = *value;
      else
        found.fault = "SubgroupsPerWorkgroupId of " + name + " is no constant that can be computed";
    }
    return found;
  }

 private:
  void constant(View i) {
    if (opcode(i) == op_constant && i.size() == 4) values_[i[2]] = i[3];
    if (opcode(i) == op_spec_constant && i.size() == 4) {
      const auto id = spec_ids_.find(i[2]);
      const auto given = id == spec_ids_.end() ? given_.end() : given_.find(id->second);
      values_[i[2]] = given == given_.end() ? i[3] : given->second;
    }
    if (opcode(i) == op_spec_constant_op && i.size() == 6)
      if (const Number value = computed(i[3], value_of(i[4]), value_of(i[5]))) values_[i[2]] = *value;
  }

  [[nodiscard]] Number value_of(std::uint32_t id) const {
    const auto found = values_.find(id);
    return found == values_.end() ? std::nullopt : Number(found->second);
  }

  std::map<std::uint32_t, std::uint32_t> given_;     ///< by SpecId
  std::map<std::uint32_t, std::uint32_t> spec_ids_;  ///< of constants
  std::map<std::uint32_t, std::uint32_t> values_;
  std::map<std::uint32_t, std::uint32_t> fixed_, by_id_;  ///< of entry points
  std::map<std::uint32_t, std::string> kernels_;
};

}  // namespace

SubGroupCounts sub_group_counts(std::span<const std::uint8_t> module, const std::vector<abi::SpecConstant>& constants) {
  SubGroupCountReader reader(constants);
  for_each_instruction(words_of(module), [&](View instruction, bool whole) {
    if (whole) reader.read(instruction);
  });
  return reader.counts();
}

}  // namespace lanewise::spirv
