// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/print_formats.h"

#include <map>
#include <set>

namespace lanewise::spirv {

namespace {

constexpr std::size_t kFormat = 5;  // its word in the instruction

class Formats {
 public:
  explicit Formats(const Words& module) : module_(module) {
    for_each_instruction(module, [&](View i, bool whole) {
      if (whole) read(i);
    });
  }

  Words written() {
    Words made(module_.begin(), module_.begin() + static_cast<std::ptrdiff_t>(kHeaderWords));
    if (element_ == 0) return module_;
    const std::uint32_t pointer = pointer_ == 0 ? made[kBoundWord]++ : pointer_;
    bool declared = pointer_ != 0;
    for_each_instruction(module_, [&](View i, bool /*whole*/) {
      if (!declared && opcode(i) == op_function) {
        append(made, resized({op_type_pointer, pointer, storage_, element_}));
        declared = true;
      }
      if (!prints_array(i)) return append(made, i);
      const std::uint32_t text = made[kBoundWord]++;
      append(made, resized({op_bitcast, pointer, text, i[kFormat]}));
      append(made, i);
      made[made.size() - i.size() + kFormat] = text;
    });
    return made;
  }

 private:
  [[nodiscard]] bool prints_array(View i) const {
    return opcode(i) == op_ext_inst && i.size() > kFormat && standard_.contains(i[3]) && i[4] == kPrintf &&
           arrays_of_formats_.contains(i[kFormat]);
  }

  void read(View i) {
    const std::uint32_t op = opcode(i);
    if (op == op_ext_inst_import && i.size() > 2 && text_at(i, 2) == "OpenCL.std") standard_.insert(i[1]);
    if (op == op_type_array && i.size() > 2) elements_[i[1]] = i[2];
    if (op == op_type_pointer && i.size() > 3) pointers_[i[1]] = {i[2], i[3]};
    if ((op == op_variable || op == op_bitcast) && i.size() > 3) types_[i[2]] = i[1];
    if (op != op_ext_inst || i.size() <= kFormat || !standard_.contains(i[3]) || i[4] != kPrintf) return;
    const auto format = types_.find(i[kFormat]);
    const auto type = format == types_.end() ? pointers_.end() : pointers_.find(format->second);
    const auto element = type == pointers_.end() ? elements_.end() : elements_.find(type->second.pointee);
    if (element == elements_.end()) return;
    arrays_of_formats_.insert(i[kFormat]);
    storage_ = type->second.storage;  // constant memory, for all of them
    element_ = element->second;
    for (const auto& [id, pointer] : pointers_)
      if (pointer.storage == storage_ && pointer.pointee == element_) pointer_ = id;
  }

  struct Pointer {
    std::uint32_t storage = 0;
    std::uint32_t pointee = 0;
  };

  const Words& module_;
  std::set<std::uint32_t> standard_, arrays_of_formats_;
  std::map<std::uint32_t, std::uint32_t> elements_, types_;
  std::map<std::uint32_t, Pointer> pointers_;
  std::uint32_t storage_ = 0;
  std::uint32_t element_ = 0;  ///< type of a character; 0: no format is an array
  std::uint32_t pointer_ = 0;  ///< type of a pointer to one; 0: the module has none
};

}  // namespace

Words with_character_formats(const Words& module) {
  return module.size() < kHeaderWords ? module : Formats(module).written();
}

}  // namespace lanewise::spirv
