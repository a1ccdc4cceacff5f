// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/host/cpu.h"

#include <array>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "src/config/config.h"
#include "src/host/arm_cores.h"
#include "src/host/files.h"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

namespace lanewise::host {

namespace {

std::uint32_t pci_vendor(std::string_view vendor) {
  constexpr std::array<std::pair<std::string_view, std::uint32_t>, 6> kVendors{{{"GenuineIntel", 0x8086},
                                                                                {"AuthenticAMD", 0x1022},
                                                                                {"HygonGenuine", 0x1d94},
                                                                                {"CentaurHauls", 0x1106},
                                                                                {"  Shanghai  ", 0x1d17},
                                                                                {"ARM", 0x13b5}}};
  for (const auto& [name, id] : kVendors) {
    if (vendor == name) return id;
  }
  return 0;
}

#if defined(__x86_64__)

struct Registers {
  std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// All zero if the processor does not have the leaf.
Registers cpuid(std::uint32_t leaf, std::uint32_t subleaf = 0) {
  Registers r;
  __get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx);
  return r;
}

constexpr bool bit(std::uint32_t word, unsigned index) {
  return (word >> index & 1u) != 0;
}

/// True if every bit of the list is set.
template <class... Index>
constexpr bool bits(std::uint32_t word, Index... index) {
  return (bit(word, index) && ...);
}

/// XCR0: which register states the operating system saves. Only legal if OSXSAVE is set.
std::uint64_t saved_states() {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return std::uint64_t{high} << 32 | low;
}

std::string vendor_string() {
  const Registers r = cpuid(0);
  std::array<char, 12> text;
  std::memcpy(text.data(), &r.ebx, 4);
  std::memcpy(text.data() + 4, &r.edx, 4);
  std::memcpy(text.data() + 8, &r.ecx, 4);
  return {text.data(), text.size()};
}

std::string brand_string() {
  if (cpuid(0x80000000).eax < 0x80000004) return {};
  std::array<char, 49> text{};
  for (std::uint32_t i = 0; i < 3; ++i) {
    const Registers r = cpuid(0x80000002 + i);
    std::memcpy(text.data() + std::size_t{16} * i, &r, 16);
  }
  return collapse_spaces(text.data());
}

void read_signature(Cpu& cpu) {
  const std::uint32_t eax = cpuid(1).eax;
  cpu.stepping = eax & 0xf;
  cpu.family = eax >> 8 & 0xf;
  cpu.model = eax >> 4 & 0xf;
  if (cpu.family == 0xf || cpu.family == 6) cpu.model |= (eax >> 16 & 0xf) << 4;
  if (cpu.family == 0xf) cpu.family += eax >> 20 & 0xff;
}

/// The lists are those of the x86-64 psABI, "Micro-Architecture Levels".
void read_features(Cpu& cpu) {
  const Registers basic = cpuid(1);
  const Registers leaf7 = cpuid(7);
  const Registers extended = cpuid(0x80000001);
  const bool osxsave = bit(basic.ecx, 27);
  const std::uint64_t saved = osxsave ? saved_states() : 0;
  const bool os_ymm = (saved & 0x6) == 0x6;
  const bool os_zmm = (saved & 0xe6) == 0xe6;

  // SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT; LAHF/SAHF in long mode.
  const bool v2 = bits(basic.ecx, 0, 9, 13, 19, 20, 23) && bit(extended.ecx, 0);
  // FMA, MOVBE, AVX, F16C; BMI1, AVX2, BMI2; LZCNT.
  const bool v3 = v2 && os_ymm && bits(basic.ecx, 12, 22, 28, 29) && bits(leaf7.ebx, 3, 5, 8) && bit(extended.ecx, 5);
  // AVX512 F, DQ, CD, BW, VL.
  const bool v4 = v3 && os_zmm && bits(leaf7.ebx, 16, 17, 28, 30, 31);
  if (!v2) return;
  Isa isa = v4 ? IsaLevel::x86_64_v4 : v3 ? IsaLevel::x86_64_v3 : IsaLevel::x86_64_v2;
  // They use the registers of the level, which the operating system saves.
#define LANEWISE_ISA_FEATURE(id, feature_bit, level, name, leaf, subleaf, name_of_register, cpuid_bit) \
  if (bit(cpuid(leaf, subleaf).name_of_register, cpuid_bit)) isa = isa.with(IsaFeature::id);
#define LANEWISE_ISA_TUNING(id, feature_bit, level, name, of, leaf, subleaf, name_of_register, cpuid_bit) \
  if (cpu.vendor == (of) && bit(cpuid(leaf, subleaf).name_of_register, cpuid_bit)) isa = isa.with(IsaFeature::id);
#include "src/base/isa.def"
  cpu.isa = isa;
}

#elif defined(__aarch64__)

void read_identification(Cpu& cpu) {
  const ArmCores cores = arm_cores(read_text("/proc/cpuinfo", std::size_t{1} << 20).value_or(""));
  cpu.model = cores.part;
  cpu.stepping = cores.revision;
  cpu.vendor = cores.implementer == 0x41 ? "ARM" : "unknown";
  cpu.name = cores.name;
  // A board says what it is where there is no better name.
  if (cpu.name.empty())
    cpu.name = collapse_spaces(read_text("/sys/firmware/devicetree/base/model").value_or("AArch64 processor"));
}

/// The level for the length of scalable vectors that this thread has, which later threads inherit. Nothing: there are
/// none, or no level has that length.
std::optional<IsaLevel> scalable_level() {
  const bool has = (getauxval(AT_HWCAP) & HWCAP_SVE) != 0, has_second = (getauxval(AT_HWCAP2) & HWCAP2_SVE2) != 0;
  const int length = has ? prctl(PR_SVE_GET_VL) : -1;
  if (length < 0) return std::nullopt;
  switch (8 * (length & PR_SVE_VL_LEN_MASK)) {
    case 128:
      return has_second ? std::optional(IsaLevel::armv9_a_sve128) : std::nullopt;
    case 256:
      return has_second ? IsaLevel::armv9_a_sve256 : IsaLevel::armv8_2_a_sve256;
    case 512:
      return has_second ? std::optional(IsaLevel::armv9_a_sve512) : std::nullopt;
    default:
      return std::nullopt;
  }
}

/// The kernel says what it lets programs use. Armv8.2-A has what programs see of Armv8.1-A: LSE, CRC32, RDM.
void read_features(Cpu& cpu) {
  const unsigned long has = getauxval(AT_HWCAP);
  constexpr unsigned long kArmv8_2 =
      HWCAP_ATOMICS | HWCAP_CRC32 | HWCAP_ASIMDRDM | HWCAP_ASIMDDP | HWCAP_FPHP | HWCAP_ASIMDHP;
  if ((has & HWCAP_ASIMD) == 0) return;
  cpu.isa = (has & kArmv8_2) == kArmv8_2 ? scalable_level().value_or(IsaLevel::armv8_2_a) : IsaLevel::armv8_a;
}

#endif

}  // namespace

bool has_steady_time_stamps() {
#if defined(__x86_64__)
  constexpr std::uint32_t kPowerManagement = 0x80000007;
  return cpuid(0x80000000).eax >= kPowerManagement && bit(cpuid(kPowerManagement).edx, 8);
#else
  return true;  // the system counter of AArch64 has one frequency, and is the same for all cores
#endif
}

Isa limited_by_options(Isa isa) {
  const auto wish = Isa::named(config().isa.name);
  return wish && wish->architecture() == isa.architecture() ? isa.limited_to(wish->level()) : isa;
}

Cpu read_cpu() {
  Cpu cpu;
#if defined(__x86_64__)
  cpu.vendor = vendor_string();
  cpu.name = brand_string();
  read_signature(cpu);
  read_features(cpu);
#elif defined(__aarch64__)
  read_identification(cpu);
  read_features(cpu);
#endif
  if (cpu.name.empty()) cpu.name = "CPU";
  cpu.vendor_id = pci_vendor(cpu.vendor);
  return cpu;
}

}  // namespace lanewise::host
