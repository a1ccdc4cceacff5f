// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tools/info/machine.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "include/lanewise/builtin_library.h"
#include "src/base/isa.h"
#include "src/config/config.h"
#include "src/host/cpu.h"
#include "src/host/thread_limits.h"
#include "src/host/topology.h"

namespace lanewise::info {

namespace {

std::uint64_t number_of(const std::string& text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

constexpr std::array kLevels{
#define LANEWISE_ISA_LEVEL(id, ...) IsaLevel::id,
#include "src/base/isa.def"
};

}  // namespace

Value describe_device(const Facts& facts, Problems& problems) {
  const host::ThreadLimits limits = host::thread_limits();
  Value device;
  device.add("name", facts.get("name")).add("OpenCL", facts.get("version"));
  device.add("compute units", number_of(facts.get("units"))).add("limited by", limits.text());
  if (const std::string hint = limits.hint(); !hint.empty()) device.add("hint", hint);
  const std::uint64_t memory = number_of(facts.get("global memory"));
  const std::uint64_t physical = host::physical_memory();
  constexpr std::uint64_t kPage = 4096;
  device.add("memory", size_text(memory));
  device.add("memory limited by",
             memory + kPage > physical ? "the machine" : "the control group; the machine has " + size_text(physical));
  device.add("local memory of a group", size_text(number_of(facts.get("local memory"))));
  device.add("SPIR-V", facts.get("il").empty() ? std::string("none") : facts.get("il"));
  const std::string error = facts.get("error");
  device.add("test", error.empty() ? facts.get("ran") : error);
  if (!error.empty())
    problems.push_back({"The device does not work: " + error,
                        "LANEWISE_DEBUG=api,build,cache lanewise-cc --mode=binary "
                        "shows each refusal; if no other problem is listed here, please report this one"});
  return device;
}

Value describe_instruction_sets(const std::string& private_directory, Problems& problems) {
  const host::Cpu cpu = host::read_cpu();
  Value value;
  value.add("processor", cpu.name).add("has", cpu.isa ? cpu.isa->name() : std::string("none that code is made for"));
  if (!cpu.isa) {
    problems.push_back(
        {"The processor is below all instruction sets that the driver makes code for: the device is not "
         "available",
         "use a processor with " + std::string(Isa().level_name()) +
             ", or let the virtual machine show its processor's instructions"});
    return value;
  }
  const Isa used = host::limited_by_options(*cpu.isa);
  value.add("used", used.name());
  if (used.level() != cpu.isa->level()) value.add("lowered by", "LANEWISE_ISA=" + config().isa.name);
  Value::List levels;
  for (const IsaLevel level : kLevels) {
    const Isa isa(level);
    if (isa.architecture() != Isa().architecture()) continue;
    Value one;
    one.add("name", isa.level_name()).add("vector bits", isa.vector_bits()).add("this processor", cpu.isa->covers(isa));
    one.add("built-in library", access((private_directory + "/" + kBuiltinLibrary).c_str(), R_OK) == 0);
    levels.push_back(one);
  }
  return value.add("levels", levels);
}

Value describe_options(Problems& problems) {
  Value value;
  std::vector<std::string> names;
  for (const char* const* entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    if (std::string_view(*entry).starts_with("LANEWISE_")) names.emplace_back(*entry);
  std::sort(names.begin(), names.end());
  for (const std::string& setting : names) {
    const std::size_t equals = setting.find('=');
    value.add(setting.substr(0, equals), setting.substr(equals + 1));
  }
  for (const std::string& complaint : ignored_options())
    problems.push_back({complaint, "correct or unset the variable; docs/options.md lists all of them"});
  return value;
}

}  // namespace lanewise::info
