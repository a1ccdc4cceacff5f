// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The target of code generation: a level of an architecture, features beyond it, and features that only say what is
/// fast (rows: src/base/isa.def).
///
/// Code that depends on the processor tests the property that matters (`vector_bits`, `has_mask_registers`) and never
/// the level, so that it works for new architectures as well.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lanewise {

enum class Architecture : std::uint8_t { x86_64, aarch64 };

/// The levels of instruction sets (isa.def).
enum class IsaLevel : std::uint8_t {
#define LANEWISE_ISA_LEVEL(id, ...) id,
#include "src/base/isa.def"
};

/// The lowest level of the architecture that this program is compiled for.
inline constexpr IsaLevel kLowestIsaLevel =
#if defined(__aarch64__)
    IsaLevel::armv8_a;
#else
    IsaLevel::x86_64_v2;
#endif

/// The features beyond a level (isa.def); a value is the number of the feature's bit.
enum class IsaFeature : std::uint8_t {
#define LANEWISE_ISA_FEATURE(id, bit, level, name, leaf, subleaf, register, cpuid_bit) id = bit,
#define LANEWISE_ISA_TUNING(id, bit, level, name, vendor, leaf, subleaf, register, cpuid_bit) id = bit,
#include "src/base/isa.def"
};

/// The abilities that a level has.
struct IsaTraits {
  bool masked_moves = false;          ///< instructions load or store some lanes only
  bool mask_registers = false;        ///< all operations take a mask, which needs no vector register
  bool ternary_logic = false;         ///< one instruction has any function of the bits of three operands
  bool directed_rounding = false;     ///< arithmetic of whole registers can say how it rounds
  bool half_conversions = false;      ///< instructions convert between half and float
  bool fused_multiply_add = false;    ///< instructions multiply and add with a single rounding
  bool dot_products = false;          ///< instructions add products of four bytes
  bool reciprocal_estimates = false;  ///< an operation of the machine estimates reciprocals to 2^-14
  bool lane_functions = false;  ///< there are functions for texels of all lanes (compiler/builtins/lane_functions.h)
  bool gathers = false;         ///< one instruction loads lanes from anywhere, faster than lane by lane
  bool exact_width = false;     ///< code runs only where vector registers have just `vector_bits`
};

/// An instruction set. It is always consistent: the level exists and can have all the features.
class Isa {
 public:
  /// Makes the lowest level that the driver generates code for on this architecture.
  constexpr Isa() = default;
  constexpr Isa(IsaLevel level) : level_(level) {}

  /// Makes an instruction set from `number()` and `features()`, perhaps of another version of the driver. Nothing: this
  /// version does not know the level, or one of the features at that level.
  static constexpr std::optional<Isa> from_numbers(std::uint32_t number, std::uint32_t features);
  /// Makes an instruction set from `name()`: "x86-64-v4", "x86-64-v4+avx512vnni". Nothing: the name is not known.
  static constexpr std::optional<Isa> named(std::string_view name);

  /// This instruction set with the feature; unchanged if the level cannot have it.
  [[nodiscard]] constexpr Isa with(IsaFeature feature) const;
  /// This instruction set without the features that only say what is fast.
  [[nodiscard]] constexpr Isa untuned() const {
    Isa isa = *this;
    isa.features_ &= ~kTuning;
    return isa;
  }
  /// The level without features.
  [[nodiscard]] constexpr Isa base() const { return {level_}; }
  /// The level `limit`, which is of this architecture, with all features of this one that it can have. This level, if
  /// code for `limit` does not run here.
  [[nodiscard]] constexpr Isa limited_to(IsaLevel limit) const;

  [[nodiscard]] constexpr IsaLevel level() const { return level_; }
  [[nodiscard]] constexpr Architecture architecture() const { return row().architecture; }
  [[nodiscard]] constexpr std::uint32_t number() const { return row().number; }
  /// A word with one bit for each IsaFeature.
  [[nodiscard]] constexpr std::uint32_t features() const { return features_; }
  [[nodiscard]] constexpr bool has(IsaFeature feature) const { return (features_ & bit(feature)) != 0; }

  [[nodiscard]] constexpr unsigned vector_bits() const { return row().vector_bits; }
  [[nodiscard]] constexpr unsigned vector_bytes() const { return row().vector_bits / 8; }
  /// Number of 32-bit elements in a vector register: the usual number of work-items in a vector.
  [[nodiscard]] constexpr unsigned usual_lanes() const { return row().vector_bits / 32; }
  /// Number of vector registers.
  [[nodiscard]] constexpr unsigned registers() const { return row().registers; }
  [[nodiscard]] constexpr bool has_masked_moves() const { return row().traits.masked_moves; }
  [[nodiscard]] constexpr bool has_mask_registers() const { return row().traits.mask_registers; }
  [[nodiscard]] constexpr bool has_ternary_logic() const { return row().traits.ternary_logic; }
  [[nodiscard]] constexpr bool has_directed_rounding() const { return row().traits.directed_rounding; }
  [[nodiscard]] constexpr bool has_half_conversions() const { return row().traits.half_conversions; }
  [[nodiscard]] constexpr bool has_fused_multiply_add() const { return row().traits.fused_multiply_add; }
  [[nodiscard]] constexpr bool has_reciprocal_estimates() const { return row().traits.reciprocal_estimates; }
  [[nodiscard]] constexpr bool has_lane_functions() const { return row().traits.lane_functions; }
  [[nodiscard]] constexpr bool has_exact_width() const { return row().traits.exact_width; }
  /// Of the level, or by a feature of it, as the next one.
  [[nodiscard]] constexpr bool has_fast_gathers() const {
    return row().traits.gathers || has(IsaFeature::fast_gathers);
  }
  [[nodiscard]] constexpr bool has_dot_products() const {
    return row().traits.dot_products || has(IsaFeature::avx512_vnni);
  }

  /// Whether a processor with this instruction set runs code that was generated for `other`, fast or not.
  [[nodiscard]] constexpr bool covers(Isa other) const {
    return architecture() == other.architecture() && number() >= other.number() &&
           (!other.has_exact_width() || vector_bits() == other.vector_bits()) &&
           (other.features_ & ~features_ & ~kTuning) == 0;
  }

  /// The name of the level for users and in file names, without features.
  [[nodiscard]] constexpr std::string_view level_name() const { return row().name; }
  /// LLVM's name of the processor (-mcpu) that has the level, together with some of `feature_list()`.
  [[nodiscard]] constexpr std::string_view processor() const { return row().processor; }
  /// LLVM's list of the features beyond `processor()`: "" or "+avx512vnni".
  [[nodiscard]] std::string feature_list() const;
  /// The level with its features: "x86-64-v4+avx512vnni".
  [[nodiscard]] std::string name() const;

  constexpr auto operator<=>(const Isa&) const = default;

 private:
  struct LevelRow {
    IsaLevel level;
    Architecture architecture;
    std::uint32_t number;
    std::string_view name;
    std::string_view processor;
    std::string_view extensions;
    unsigned vector_bits;
    unsigned registers;
    IsaTraits traits;
  };
  struct FeatureRow {
    IsaFeature feature;
    IsaLevel level;  ///< the lowest level that can have the feature
    std::string_view name;
  };
  static const LevelRow kLevels[];
  static const FeatureRow kFeatures[];

  /// The bits of all features that only say what is fast.
  static constexpr std::uint32_t kTuning = 0
#define LANEWISE_ISA_TUNING(id, bit, level, name, vendor, leaf, subleaf, register, cpuid_bit) | std::uint32_t{1} << bit
#include "src/base/isa.def"
      ;

  static constexpr std::uint32_t bit(IsaFeature feature) { return std::uint32_t{1} << static_cast<unsigned>(feature); }
  [[nodiscard]] constexpr const LevelRow& row() const;
  /// The bits of all features that the level can have.
  [[nodiscard]] constexpr std::uint32_t possible_features() const;

  IsaLevel level_ = kLowestIsaLevel;
  std::uint32_t features_ = 0;
};

inline constexpr Isa::LevelRow Isa::kLevels[] = {
#define LANEWISE_ISA_LEVEL(id, architecture, number, name, processor, extensions, vector_bits, registers, ...) \
  {IsaLevel::id, Architecture::architecture, number, name, processor, extensions, vector_bits, registers,      \
   {__VA_ARGS__}},
#include "src/base/isa.def"
};

inline constexpr Isa::FeatureRow Isa::kFeatures[] = {
#define LANEWISE_ISA_FEATURE(id, bit, level, name, leaf, subleaf, register, cpuid_bit) \
  {IsaFeature::id, IsaLevel::level, name},
#define LANEWISE_ISA_TUNING(id, bit, level, name, vendor, leaf, subleaf, register, cpuid_bit) \
  {IsaFeature::id, IsaLevel::level, name},
#include "src/base/isa.def"
};

constexpr const Isa::LevelRow& Isa::row() const {
  return kLevels[static_cast<std::size_t>(level_)];
}

constexpr std::uint32_t Isa::possible_features() const {
  std::uint32_t bits = 0;
  for (const FeatureRow& f : kFeatures)
    if (base().covers(Isa(f.level))) bits |= bit(f.feature);
  return bits;
}

constexpr std::optional<Isa> Isa::from_numbers(std::uint32_t number, std::uint32_t features) {
  for (const LevelRow& l : kLevels) {
    if (l.number != number) continue;
    Isa isa(l.level);
    isa.features_ = features & isa.possible_features();
    if (isa.features_ == features) return isa;
  }
  return std::nullopt;
}

constexpr std::optional<Isa> Isa::named(std::string_view name) {
  const auto word = [&] {
    const std::size_t end = name.find('+');
    const std::string_view first = name.substr(0, end);
    name = end == std::string_view::npos ? std::string_view() : name.substr(end + 1);
    return first;
  };
  std::optional<Isa> isa;
  const std::string_view level = word();
  for (const LevelRow& l : kLevels)
    if (l.name == level) isa = Isa(l.level);
  while (isa && !name.empty()) {
    const std::string_view wanted = word();
    const Isa before = *isa;
    for (const FeatureRow& f : kFeatures)
      if (f.name == wanted) isa = before.with(f.feature);
    if (*isa == before) isa.reset();
  }
  return isa;
}

constexpr Isa Isa::with(IsaFeature feature) const {
  Isa isa = *this;
  isa.features_ |= bit(feature) & possible_features();
  return isa;
}

constexpr Isa Isa::limited_to(IsaLevel limit) const {
  Isa isa = covers(Isa(limit)) ? Isa(limit) : base();
  isa.features_ = features_ & isa.possible_features();
  return isa;
}

inline std::string Isa::feature_list() const {
  std::string list(row().extensions);
  for (const FeatureRow& f : kFeatures)
    if (has(f.feature)) list.append(list.empty() ? "+" : ",+").append(f.name);
  return list;
}

inline std::string Isa::name() const {
  std::string text(level_name());
  for (const FeatureRow& f : kFeatures)
    if (has(f.feature)) text.append("+").append(f.name);
  return text;
}

}  // namespace lanewise
