// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/mended_form.h"

#include "compiler/spirv/translated_types.h"

#include <bit>
#include <map>
#include <optional>
#include <set>

namespace lanewise::spirv {

namespace {

constexpr std::uint32_t kFunctionStorage = 7;
constexpr std::uint32_t kAlignment = 44;  // decoration
/// Of memory operands: those of the vulkan memory model and of aliasing have an id, as Aligned has a number.
constexpr std::uint32_t kAligned = 0x2;
constexpr std::uint32_t kWithOperand = kAligned | 0x8 | 0x10 | 0x10000 | 0x20000;

Words with_decorations_once(Words module) {
  std::set<Words> seen;
  Words kept(module.begin(), module.begin() + static_cast<std::ptrdiff_t>(std::min(kHeaderWords, module.size())));
  for_each_instruction(module, [&](View i, bool whole) {
    const bool decorates = whole && (opcode(i) == op_decorate || opcode(i) == op_member_decorate);
    if (!decorates || seen.emplace(i.begin(), i.end()).second) append(kept, i);
  });
  return kept;
}

/// Variables of a function begin its first block. One with an initial value that is in another block stays there,
/// because it begins anew each time.
Words with_variables_first(Words module) {
  Words made(module.begin(), module.begin() + static_cast<std::ptrdiff_t>(std::min(kHeaderWords, module.size())));
  std::size_t labels = 0;
  std::size_t begin = 0;  // of the first block, behind the variables that are there
  for_each_instruction(module, [&](View i, bool whole) {
    const std::uint32_t op = opcode(i);
    if (op == op_function) labels = 0;
    if (whole && op == op_variable && labels != 0 && (labels == 1 || i.size() == 4)) {
      made.insert(made.begin() + static_cast<std::ptrdiff_t>(begin), i.begin(), i.end());
      begin += i.size();
      return;
    }
    append(made, i);
    if (op == op_label && ++labels == 1) begin = made.size();
  });
  return made;
}

/// The word of an instruction that says how its memory is accessed; 0: it has none.
std::size_t memory_operands(View i) {
  switch (opcode(i)) {
    case op_load:
    case op_copy_memory_sized:
      return 4;
    case op_store:
    case op_copy_memory:
      return 3;
    default:
      return 0;
  }
}

Words with_alignments(Words module) {
  std::size_t at = std::min(kHeaderWords, module.size());
  for_each_instruction(View(module), [&](View i, bool whole) {
    const std::size_t first = at + (whole ? memory_operands(i) : 0);
    const std::size_t end = std::exchange(at, at + i.size()) + i.size();
    // A copy may say it twice: of what is written, and of what is read.
    for (std::size_t mask = first; whole && memory_operands(i) != 0 && mask + 1 < end;) {
      if ((module[mask] & kAligned) != 0 && module[mask + 1] == 0) module[mask + 1] = 1;
      mask += 1 + static_cast<std::size_t>(std::popcount(module[mask] & kWithOperand));
    }
  });
  return module;
}

/// Multi-sampled images have no levels.
Words with_sizes_without_level(Words module) {
  std::set<std::uint32_t> types;
  std::set<std::uint32_t> images;
  Words made(module.begin(), module.begin() + static_cast<std::ptrdiff_t>(std::min(kHeaderWords, module.size())));
  for_each_instruction(module, [&](View i, bool whole) {
    constexpr std::size_t kMultisampled = 6;
    if (whole && opcode(i) == op_type_image && i.size() > kMultisampled && i[kMultisampled] == 1) types.insert(i[1]);
    // What has a type as its first operand has a result as its second one.
    if (whole && i.size() > 2 && types.contains(i[1])) images.insert(i[2]);
    if (whole && opcode(i) == op_image_query_size_lod && i.size() == 5 && images.contains(i[3]))
      append(made, resized({op_image_query_size, i[1], i[2], i[3]}));
    else
      append(made, i);
  });
  return made;
}

/// Variables of Function storage that are declared before the first function: their instructions, by id.
std::map<std::uint32_t, Words> misplaced_variables(View module) {
  std::map<std::uint32_t, Words> found;
  bool in_functions = false;
  for_each_instruction(module, [&](View i, bool whole) {
    in_functions |= opcode(i) == op_function;
    if (whole && !in_functions && opcode(i) == op_variable && i.size() > 3 && i[3] == kFunctionStorage)
      found.emplace(i[2], Words(i.begin(), i.end()));
  });
  return found;
}

/// Moves variables into the functions that use them.
class Moved {
 public:
  Moved(const std::vector<Instruction>& module, const std::map<std::uint32_t, Words>& variables)
      : module_(module), variables_(variables) {}

  /// Nothing if something else than functions uses a variable.
  std::optional<Words> words(View header) {
    for (const Instruction& i : module_) bound_ = std::max(bound_, i.id + 1);
    if (!find_uses()) return std::nullopt;
    Words made(header.begin(), header.end());
    function_ = 0;
    for (const Instruction& i : module_) write(i, made);
    made[kBoundWord] = bound_;
    return made;
  }

 private:
  using Copies = std::map<std::uint32_t, std::uint32_t>;  ///< by variable

  bool find_uses() {
    for (const Instruction& i : module_) {
      if (i.opcode == op_function) function_ = i.id;
      const bool describes = i.opcode == op_name || i.opcode == op_decorate || i.opcode == op_entry_point;
      for (const std::uint32_t value : i.values) {
        if (!variables_.contains(value) || describes) continue;
        if (function_ == 0) return false;
        std::uint32_t& copy = copies_[function_][value];
        if (copy == 0) copy = bound_++;
      }
    }
    return true;
  }

  void write(const Instruction& i, Words& out) {
    if (i.opcode == op_function) {
      function_ = i.id;
      begins_ = true;
    }
    Words made = i.words;
    if (function_ == 0) {
      if (variables_.contains(i.id)) return;
      if ((i.opcode == op_name || i.opcode == op_decorate) && variables_.contains(i.words[1])) return decorate(i, out);
      if (i.opcode == op_entry_point) drop(i, made);
    } else if (const auto copies = copies_.find(function_); copies != copies_.end()) {
      for (std::size_t k = 0; k < i.values.size(); ++k)
        if (const auto copy = copies->second.find(i.values[k]); copy != copies->second.end())
          made[i.places[k]] = copy->second;
    }
    append(out, made);
    if (i.opcode == op_label && std::exchange(begins_, false)) declare(out);
  }

  void decorate(const Instruction& i, Words& out) {
    if (i.opcode != op_decorate || i.words[2] != kAlignment) return;
    for (const auto& [function, copies] : copies_) {
      const auto copy = copies.find(i.words[1]);
      if (copy == copies.end()) continue;
      Words made = i.words;
      made[1] = copy->second;
      append(out, made);
    }
  }

  /// The interface of an entry point does not list them any more.
  void drop(const Instruction& i, Words& made) {
    for (std::size_t k = i.values.size(); k-- > 0;)
      if (variables_.contains(i.values[k])) made.erase(made.begin() + static_cast<std::ptrdiff_t>(i.places[k]));
    made = resized(std::move(made));
  }

  /// At the begin of a function.
  void declare(Words& out) {
    for (const auto& [variable, copy] : copies_[function_]) {
      Words made = variables_.at(variable);
      made[2] = copy;
      append(out, made);
    }
  }

  const std::vector<Instruction>& module_;
  const std::map<std::uint32_t, Words>& variables_;
  std::map<std::uint32_t, Copies> copies_;  ///< by function
  std::uint32_t function_ = 0;
  std::uint32_t bound_ = 1;
  bool begins_ = false;
};

Words with_variables_moved(Words module) {
  const auto variables = misplaced_variables(module);
  if (variables.empty()) return module;
  const auto instructions = parsed(module);
  if (!instructions) return module;
  auto made = Moved(*instructions, variables).words(View(module).first(kHeaderWords));
  return made ? *std::move(made) : module;
}

}  // namespace

Words mended_form(Words module) {
  module = with_alignments(with_decorations_once(std::move(module)));
  return with_sizes_without_level(with_variables_moved(with_variables_first(std::move(module))));
}

}  // namespace lanewise::spirv
