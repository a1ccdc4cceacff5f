// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/spirv_module.h"

#include <CL/cl.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/code/missing_capabilities.h"
#include "src/base/rounding.h"

namespace lanewise {

namespace {

using Word = std::uint32_t;

constexpr Word kMagic = 0x07230203;
constexpr std::size_t kHeaderWords = 5;
constexpr Word kMostSpecBits = 64;
/// SPIR-V 2.17, universal limits: the largest bound of ids that every implementation must accept.
constexpr Word kLargestBound = 0x3f'ffff + 1;

constexpr Word kCapabilities[] = {
#define SPIRV_CAPABILITY(name, number) number,
#include "include/lanewise/spirv_surface.def"
};
constexpr std::string_view kExtensions[] = {
#define SPIRV_EXTENSION(name) #name,
#include "include/lanewise/spirv_surface.def"
};
constexpr std::string_view kInstructionSets[] = {
#define SPIRV_INSTRUCTION_SET(name) #name,
#include "include/lanewise/spirv_surface.def"
};

/// SPIR-V 3.52: the instructions that this reader distinguishes.
enum Op : Word {
  kSourceContinued = 2,
  kString = 7,
  kLine = 8,
  kExtension = 10,
  kExtInstImport = 11,
  kExtInst = 12,
  kMemoryModel = 14,
  kEntryPoint = 15,
  kExecutionMode = 16,
  kCapability = 17,
  kTypeInt = 21,
  kTypeFloat = 22,
  kSpecConstantTrue = 48,
  kSpecConstantFalse = 49,
  kSpecConstant = 50,
  kFunction = 54,
  kFunctionEnd = 56,
  kDecorate = 71,
  kGroupDecorate = 74,
  kGroupMemberDecorate = 75,
  kNoLine = 317,
  kModuleProcessed = 330,
  kExecutionModeId = 331,
  kDecorateId = 332,
  kDecorateString = 5632,
  kMemberDecorateString = 5633,
  kAliasDomainDecl = 5911,
  kAliasScopeDecl = 5912,
  kAliasScopeListDecl = 5913,
};
constexpr Word kSpecId = 1;        // the decoration
constexpr Word kInitializer = 33;  // execution modes of OpenCL 2.2
constexpr Word kFinalizer = 34;

/// SPIR-V 2.4: the sections of a module, in their order.
enum class Section {
  capabilities,
  extensions,
  imports,
  memory_model,
  entry_points,
  execution_modes,
  debug,
  annotations,
  declarations,
  functions,
  anywhere
};

Section section_of(Word op) {
  switch (op) {
    case kCapability:
      return Section::capabilities;
    case kExtension:
      return Section::extensions;
    case kExtInstImport:
      return Section::imports;
    case kMemoryModel:
      return Section::memory_model;
    case kEntryPoint:
      return Section::entry_points;
    case kExecutionMode:
    case kExecutionModeId:
      return Section::execution_modes;
    case kModuleProcessed:
      return Section::debug;
    case kLine:
    case kNoLine:
    case kExtInst:
      return Section::anywhere;
    case kDecorateId:
    case kDecorateString:
    case kMemberDecorateString:
    case kAliasDomainDecl:
    case kAliasScopeDecl:
    case kAliasScopeListDecl:
      return Section::annotations;
    case kFunction:
      return Section::functions;
    default:
      break;
  }
  if (op >= kSourceContinued && op <= kString) return Section::debug;
  if (op >= kDecorate && op <= kGroupMemberDecorate) return Section::annotations;
  // Everything else declares something or is part of a function; its position in the module decides which.
  return op == 0 ? Section::anywhere : Section::declarations;
}

struct InstructionView {
  Word op = 0;
  std::span<const Word> operands;
};

/// Text in the words of an instruction, terminated by a NUL; nothing if there is no NUL.
std::optional<std::string> text_in(std::span<const Word> words) {
  std::string text;
  for (const Word word : words)
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const char letter = static_cast<char>(word >> shift & 0xff);
      if (letter == '\0') return text;
      text += letter;
    }
  return std::nullopt;
}

template <class Table, class Value>
bool has(const Table& table, const Value& value) {
  return std::find(std::begin(table), std::end(table), value) != std::end(table);
}

/// Reads the instructions once, up to the first fault.
class ModuleReader {
 public:
  explicit ModuleReader(std::span<const Word> words) : words_(words) {}

  /// The first fault; empty if there is none.
  std::string read() {
    if (std::string fault = header(); !fault.empty()) return fault;
    for (std::size_t at = kHeaderWords; at < words_.size();) {
      const Word count = words_[at] >> 16;
      if (count == 0 || count > words_.size() - at) return fault_at(at, "an instruction goes beyond the module");
      const InstructionView instruction{words_[at] & 0xffff, words_.subspan(at + 1, count - 1)};
      std::string fault = in_order(instruction.op);
      if (fault.empty()) fault = take(instruction);
      if (!fault.empty()) return fault_at(at, fault);
      at += count;
    }
    if (inside_function_) return "a function has no end";
    if (!memory_model_) return "there is no memory model";
    return {};
  }

  [[nodiscard]] std::map<std::uint32_t, unsigned> constants() const {
    std::map<std::uint32_t, unsigned> found;
    for (const auto& [target, number] : spec_ids_)
      if (const auto size = constant_bytes_.find(target); size != constant_bytes_.end())
        found.emplace(number, size->second);
    return found;
  }

 private:
  static std::string fault_at(std::size_t word, const std::string& fault) {
    return fault + " (word " + std::to_string(word) + ")";
  }

  [[nodiscard]] std::string header() const {
    const Word version = words_[1];
    if ((version & 0xff0000ff) != 0 || version >> 16 != 1 || (version >> 8 & 0xff) > kHighestSpirvMinor)
      return "version " + std::to_string(version >> 16 & 0xff) + "." + std::to_string(version >> 8 & 0xff) +
             " is not supported";
    if (words_[3] == 0 || words_[3] > kLargestBound) return "the bound of the ids is out of range";
    return words_[4] == 0 ? std::string() : "the instruction schema is not 0";
  }

  std::string in_order(Word op) {
    if (inside_function_) {
      if (op == kFunctionEnd) inside_function_ = false;
      // Inside a function only these sections are legal; this reader does not tell its instructions from declarations.
      const Section section = section_of(op);
      const bool fits = section == Section::declarations || section == Section::anywhere;
      return fits || op == kFunctionEnd ? std::string() : "an instruction does not belong into a function";
    }
    const Section section = section_of(op);
    if (section == Section::anywhere) return {};
    if (section < section_) return "an instruction is in the wrong section";
    if (op == kFunctionEnd) return "a function ends that has not begun";
    section_ = section;
    inside_function_ = op == kFunction;
    return {};
  }

  std::string take(const InstructionView& instruction) {
    const auto& operands = instruction.operands;
    switch (instruction.op) {
      case kCapability:
        return operands.size() == 1 ? capability(operands[0]) : "a capability has the wrong length";
      case kExtension:
        // That of a capability which is missing is not known either.
        return lacks_ && text_in(operands) ? std::string() : known_name(operands, kExtensions, "extension");
      case kExtInstImport:
        return operands.empty() ? "an import has the wrong length" : import(operands.subspan(1));
      case kMemoryModel:
        return memory_model(operands);
      case kEntryPoint:
        if (operands.size() < 3 || !text_in(operands.subspan(2))) return "an entry point has the wrong length";
        return operands[0] == 6 ? std::string() : "an entry point is not a kernel";
      case kExecutionMode:
        if (operands.size() < 2) return "an execution mode has the wrong length";
        return operands[1] == kInitializer || operands[1] == kFinalizer
                   ? "initializers and finalizers are not supported"
                   : std::string();
      case kDecorate:
        if (operands.size() < 2) return "a decoration has the wrong length";
        if (operands[1] != kSpecId) return {};
        if (operands.size() != 3) return "a SpecId decoration has the wrong length";
        spec_ids_.emplace_back(operands[0], operands[2]);
        return {};
      case kGroupDecorate:
        return group(operands);
      default:
        return constant(instruction);
    }
  }

  std::string capability(Word number) {
    if (has(kCapabilities, number)) return {};
    if (why_missing(number).empty()) return "capability " + std::to_string(number) + " is not supported";
    lacks_ = true;
    return {};
  }

  static std::string known_name(std::span<const Word> operands, std::span<const std::string_view> table,
                                const std::string& what) {
    const auto name = text_in(operands);
    if (!name) return "the name of an " + what + " has no end";
    return has(table, *name) ? std::string() : what + " " + *name + " is not supported";
  }

  static std::string import(std::span<const Word> operands) {
    const auto name = text_in(operands);
    if (name && name->starts_with("NonSemantic.")) return {};
    return known_name(operands, kInstructionSets, "extended instruction set");
  }

  std::string memory_model(std::span<const Word> operands) {
    if (operands.size() != 2) return "a memory model has the wrong length";
    if (std::exchange(memory_model_, true)) return "there are two memory models";
    constexpr Word kPhysical64 = 2;
    constexpr Word kOpenCL = 2;
    if (operands[0] != kPhysical64) return "the addressing model is not Physical64";
    return operands[1] == kOpenCL ? std::string() : "the memory model is not OpenCL";
  }

  /// A decoration of a group applies to each of its members.
  std::string group(std::span<const Word> operands) {
    if (operands.empty()) return "a group decoration has the wrong length";
    const std::size_t known = spec_ids_.size();
    for (std::size_t i = 0; i < known; ++i) {
      if (spec_ids_[i].first != operands[0]) continue;
      const Word number = spec_ids_[i].second;
      for (const Word target : operands.subspan(1)) spec_ids_.emplace_back(target, number);
      break;  // a group has at most one SpecId
    }
    return {};
  }

  std::string constant(const InstructionView& instruction) {
    const auto& operands = instruction.operands;
    switch (instruction.op) {
      case kTypeInt:
      case kTypeFloat:
        if (operands.size() < 2) return "a type has the wrong length";
        // As in memory, of any number of bits (SPV_INTEL_arbitrary_precision_integers).
        type_bytes_[operands[0]] = operands[1] <= kMostSpecBits ? std::bit_ceil(divide_up(operands[1], 8)) : 0;
        return {};
      case kSpecConstantTrue:
      case kSpecConstantFalse:
        if (operands.size() != 2) return "a constant has the wrong length";
        constant_bytes_[operands[1]] = 1;
        return {};
      case kSpecConstant: {
        if (operands.size() < 3) return "a constant has the wrong length";
        const auto type = type_bytes_.find(operands[0]);
        if (type == type_bytes_.end() || type->second == 0)
          return "the type of a specialisation constant is not a number";
        constant_bytes_[operands[1]] = type->second;
        return {};
      }
      default:
        return {};
    }
  }

  std::span<const Word> words_;
  Section section_ = Section::capabilities;
  bool inside_function_ = false;
  bool memory_model_ = false;
  bool lacks_ = false;                           ///< a capability is missing that producers use: builds tell so
  std::vector<std::pair<Word, Word>> spec_ids_;  ///< target and SpecId
  std::map<Word, unsigned> type_bytes_;
  std::map<Word, unsigned> constant_bytes_;
};

}  // namespace

bool is_spirv_extension(std::string_view name) {
  return std::find(std::begin(kExtensions), std::end(kExtensions), name) != std::end(kExtensions);
}

Result<SpirvModule> read_spirv(std::span<const std::uint8_t> bytes) {
  const auto refuse = [](const std::string& reason) { return Error{CL_INVALID_VALUE, "SPIR-V: " + reason}; };
  if (bytes.size() < kHeaderWords * sizeof(Word) || bytes.size() % sizeof(Word) != 0)
    return refuse("the size is not that of a module");
  std::vector<Word> words(bytes.size() / sizeof(Word));
  std::memcpy(words.data(), bytes.data(), bytes.size());
  if (words[0] == __builtin_bswap32(kMagic))
    for (Word& word : words) word = __builtin_bswap32(word);
  if (words[0] != kMagic) return refuse("it does not begin with the magic number");
  ModuleReader reader(words);
  if (const std::string fault = reader.read(); !fault.empty()) return refuse(fault);
  SpirvModule module;
  module.words.resize(bytes.size());
  std::memcpy(module.words.data(), words.data(), bytes.size());
  module.constants = reader.constants();
  return module;
}

}  // namespace lanewise
