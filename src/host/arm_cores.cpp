// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/host/arm_cores.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

namespace lanewise::host {

namespace {

struct Core {
  std::uint32_t implementer, part;
  const char* name;
};

/// Numbers of makers are those of the Arm architecture (MIDR_EL1), numbers of parts those of the maker.
constexpr Core kCores[] = {
    {0x41, 0xd03, "Arm Cortex-A53"},
    {0x41, 0xd04, "Arm Cortex-A35"},
    {0x41, 0xd05, "Arm Cortex-A55"},
    {0x41, 0xd07, "Arm Cortex-A57"},
    {0x41, 0xd08, "Arm Cortex-A72"},
    {0x41, 0xd09, "Arm Cortex-A73"},
    {0x41, 0xd0a, "Arm Cortex-A75"},
    {0x41, 0xd0b, "Arm Cortex-A76"},
    {0x41, 0xd0c, "Arm Neoverse-N1"},
    {0x41, 0xd0d, "Arm Cortex-A77"},
    {0x41, 0xd40, "Arm Neoverse-V1"},
    {0x41, 0xd41, "Arm Cortex-A78"},
    {0x41, 0xd44, "Arm Cortex-X1"},
    {0x41, 0xd46, "Arm Cortex-A510"},
    {0x41, 0xd47, "Arm Cortex-A710"},
    {0x41, 0xd48, "Arm Cortex-X2"},
    {0x41, 0xd49, "Arm Neoverse-N2"},
    {0x41, 0xd4a, "Arm Neoverse-E1"},
    {0x41, 0xd4b, "Arm Cortex-A78C"},
    {0x41, 0xd4d, "Arm Cortex-A715"},
    {0x41, 0xd4e, "Arm Cortex-X3"},
    {0x41, 0xd4f, "Arm Neoverse-V2"},
    {0x41, 0xd80, "Arm Cortex-A520"},
    {0x41, 0xd81, "Arm Cortex-A720"},
    {0x41, 0xd82, "Arm Cortex-X4"},
    {0x41, 0xd84, "Arm Neoverse-V3"},
    {0x41, 0xd8e, "Arm Neoverse-N3"},
    {0x43, 0x0af, "Cavium ThunderX2"},
    {0x46, 0x001, "Fujitsu A64FX"},
    {0x48, 0xd01, "HiSilicon TaiShan v110"},
    {0x4e, 0x004, "NVIDIA Carmel"},
    {0x51, 0x001, "Qualcomm Oryon"},
    {0x61, 0x022, "Apple Icestorm (M1)"},
    {0x61, 0x023, "Apple Firestorm (M1)"},
    {0x61, 0x032, "Apple Blizzard (M2)"},
    {0x61, 0x033, "Apple Avalanche (M2)"},
    {0xc0, 0xac3, "Ampere-1"},
    {0xc0, 0xac4, "Ampere-1A"},
};

std::string_view name_of(std::uint32_t implementer, std::uint32_t part) {
  const auto* core = std::find_if(std::begin(kCores), std::end(kCores),
                                  [&](const Core& c) { return c.implementer == implementer && c.part == part; });
  return core == std::end(kCores) ? std::string_view() : core->name;
}

/// The number of a line "CPU part\t: 0xd0c" with this key; nothing: another line.
std::optional<std::uint32_t> entry(std::string_view line, std::string_view key) {
  const std::size_t colon = line.find(": ");
  if (!line.starts_with(key) || colon == std::string_view::npos) return std::nullopt;
  std::string_view digits = line.substr(colon + 2);
  const bool hexadecimal = digits.starts_with("0x");
  if (hexadecimal) digits.remove_prefix(2);
  std::uint32_t number = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), number, hexadecimal ? 16 : 10);
  return result.ec == std::errc() ? std::optional(number) : std::nullopt;
}

}  // namespace

ArmCores arm_cores(std::string_view cpuinfo) {
  ArmCores cores;
  unsigned found = 0;
  std::uint32_t implementer = 0;
  std::vector<std::string_view> names;
  for (std::size_t at = 0; at < cpuinfo.size();) {
    const std::size_t end = std::min(cpuinfo.find('\n', at), cpuinfo.size());
    const std::string_view line = cpuinfo.substr(at, end - at);
    at = end + 1;
    if (const auto number = entry(line, "CPU implementer")) implementer = *number;
    // Behind the part.
    if (const auto number = entry(line, "CPU revision"); number && found == 1) cores.revision = *number;
    const auto part = entry(line, "CPU part");
    if (!part) continue;
    if (found++ == 0) {
      cores.implementer = implementer;
      cores.part = *part;
    }
    const std::string_view name = name_of(implementer, *part);
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  for (const std::string_view name : names) {
    if (!cores.name.empty()) cores.name += " and ";
    cores.name += name;
  }
  return cores;
}

}  // namespace lanewise::host
