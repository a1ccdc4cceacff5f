// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/config/config.h"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

#include "include/lanewise/check_abi.h"
#include "src/base/isa.h"
#include "src/base/survives_fork.h"
#include "src/config/limits.h"

namespace lanewise {

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

/// Removes a number from the front of `text`; nothing if there is none or it is too large.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

constexpr std::array<std::pair<std::string_view, Channel>, 9> kChannels{{{"api", Channel::api},
                                                                         {"build", Channel::build},
                                                                         {"vectorize", Channel::vectorize},
                                                                         {"barriers", Channel::barriers},
                                                                         {"cache", Channel::cache},
                                                                         {"scheduler", Channel::scheduler},
                                                                         {"time", Channel::time},
                                                                         {"verify", Channel::verify},
                                                                         {"crash", Channel::crash}}};

constexpr std::array<std::pair<std::string_view, std::uint32_t>, 7> kChecks{{{"memory", check::memory},
                                                                             {"race", check::race},
                                                                             {"init", check::init},
                                                                             {"arith", check::arith},
                                                                             {"barrier", check::barrier},
                                                                             {"overflow", check::overflow},
                                                                             {"buffers", check::buffers}}};
/// Those of "all". Programs rely on numbers that wrap, and on zeros in new buffers.
constexpr std::uint32_t kAllChecks = check::memory | check::race | check::init | check::arith | check::barrier;

/// What an option of each type takes, for complaints.
constexpr const char* takes(const Switch& /*type*/) {
  return "on or off";
}
constexpr const char* takes(const Text& /*type*/) {
  return "any text";
}
constexpr const char* takes(const Count& /*type*/) {
  return "a whole number";
}
constexpr const char* takes(const ThreadCount& /*type*/) {
  return "a whole number or auto";
}
constexpr const char* takes(const Size& /*type*/) {
  return "bytes, or a number with K, M or G";
}
std::string takes(const InstructionSet& /*type*/) {
  constexpr IsaLevel kLevels[] = {
#define LANEWISE_ISA_LEVEL(id, ...) IsaLevel::id,
#include "src/base/isa.def"
  };
  std::string list;
  std::string_view last;
  for (const Isa isa : kLevels) {
    if (isa.architecture() != Isa().architecture()) continue;
    if (!last.empty()) list.append(list.empty() ? "" : ", ").append(last);
    last = isa.level_name();
  }
  return list.append(list.empty() ? "" : " or ").append(last);
}
std::string takes(const Channels& /*type*/) {
  std::string list = "names of a list, with commas between:";
  for (const auto& [name, channel] : kChannels) list.append(" ").append(name).append(",");
  return list + " all";
}
std::string takes(const Checks& /*type*/) {
  std::string list = "names of a list, with commas between:";
  for (const auto& [name, kind] : kChecks) list.append(" ").append(name).append(",");
  return list + " all; and fatal, beside one of these";
}
constexpr const char* takes(const Width& /*type*/) {
  return "0, or a power of two up to 64";
}
constexpr const char* takes(const Placement& /*type*/) {
  return "process or inprocess";
}
constexpr const char* takes(const Tier& /*type*/) {
  return "auto, 1 or 2";
}
constexpr const char* takes(const CodeMade& /*type*/) {
  return "auto or all";
}

// Each of these gives false where some of the text is not of the type.

bool parse(std::string_view text, Switch& out) {
  const std::string word = lower(text);
  const bool on = word == "1" || word == "on" || word == "true" || word == "yes";
  const bool off = word == "0" || word == "off" || word == "false" || word == "no";
  if (on || off) out = on;
  return on || off;
}

bool parse(std::string_view text, Text& out) {
  out = text;
  return true;
}

bool parse(std::string_view text, Count& out) {
  const auto value = take_number(text);
  if (!value || !text.empty() || *value > std::numeric_limits<Count>::max()) return false;
  out = static_cast<Count>(*value);
  return true;
}

bool parse(std::string_view text, ThreadCount& out) {
  out.share = lower(text) == "auto";
  return out.share || parse(text, out.most);
}

bool parse(std::string_view text, Width& out) {
  constexpr Count kMost = 64;
  Count items = 0;
  if (!parse(text, items) || items > kMost || (items & (items - 1)) != 0) return false;
  out.items = items;
  return true;
}

bool parse(std::string_view text, Size& out) {
  const auto value = take_number(text);
  if (!value) return false;
  const std::string unit = lower(text);
  constexpr std::array<std::pair<std::string_view, unsigned>, 7> kUnits{
      {{"", 0}, {"k", 10}, {"m", 20}, {"g", 30}, {"kb", 10}, {"mb", 20}, {"gb", 30}}};
  for (const auto& [name, shift] : kUnits) {
    if (unit != name || *value > std::numeric_limits<Size>::max() >> shift) continue;
    out = *value << shift;
    return true;
  }
  return false;
}

bool parse(std::string_view text, InstructionSet& out) {
  const auto isa = Isa::named(text);
  if (!isa || isa->architecture() != Isa().architecture()) return false;
  out.name = text;
  return true;
}

/// Calls `take(word)` for each word of a list with commas. @returns whether it took all of them; empty ones count
template <class Take>
bool take_words(std::string_view text, const Take& take) {
  const std::string words = lower(text);
  bool all_known = true;
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find(',', begin), words.size());
    const std::string_view word = std::string_view(words).substr(begin, end - begin);
    all_known = (word.empty() || take(word)) && all_known;
    begin = end + 1;
  }
  return all_known;
}

bool parse(std::string_view text, Channels& out) {
  return take_words(text, [&](std::string_view word) {
    bool known = false;
    for (const auto& [name, channel] : kChannels) {
      if (word != name && word != "all") continue;
      out.add(channel);
      known = true;
    }
    return known;
  });
}

/// All of a list with a word that is not known is ignored: part of what was asked for would look like all of it.
bool parse(std::string_view text, Checks& out) {
  Checks read;
  const bool known = take_words(text, [&](std::string_view word) {
    bool taken = word == "fatal" || word == "all";
    read.fatal = read.fatal || word == "fatal";
    if (word == "all") read.kinds |= kAllChecks;
    for (const auto& [name, kind] : kChecks) {
      if (word != name) continue;
      read.kinds |= kind;
      taken = true;
    }
    return taken;
  });
  // What is outside of an object has no shadow.
  if ((read.kinds & (check::init | check::race | check::buffers)) != 0) read.kinds |= check::memory;
  const bool some = known && read.kinds != 0;
  if (some) out = read;
  return some;
}

bool parse(std::string_view text, Placement& out) {
  const std::string word = lower(text);
  if (word == "process") out = Placement::process;
  if (word == "inprocess") out = Placement::inprocess;
  return word == "process" || word == "inprocess";
}

bool parse(std::string_view text, Tier& out) {
  const std::string word = lower(text);
  if (word == "auto") out = Tier::automatic;
  if (word == "1") out = Tier::first;
  if (word == "2") out = Tier::second;
  return word == "auto" || word == "1" || word == "2";
}

bool parse(std::string_view text, CodeMade& out) {
  const std::string word = lower(text);
  if (word == "auto") out = CodeMade::automatic;
  if (word == "all") out = CodeMade::all;
  return word == "auto" || word == "all";
}

constexpr std::string_view kPrefix = "LANEWISE_";
constexpr std::array kOptionNames{
#define OPTION(member, variable, type, initial, help) std::string_view(#variable),
#include "src/config/options.def"
#undef OPTION
};

/// How many letters have to be added, removed or replaced (Levenshtein's distance).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t k = 0; k < b.size(); ++k) {
      const std::size_t replaced = diagonal + (a[i] == b[k] ? 0 : 1);
      diagonal = row[k + 1];
      row[k + 1] = std::min({replaced, row[k] + 1, row[k + 1] + 1});
    }
  }
  return row.back();
}

/// The option whose name is most like `name`; empty where none is.
std::string_view meant(std::string_view name) {
  const std::size_t few = std::min<std::size_t>(3, (name.size() - kPrefix.size()) / 3 + 1);
  const auto nearest = std::min_element(kOptionNames.begin(), kOptionNames.end(),
                                        [&](auto a, auto b) { return distance(a, name) < distance(b, name); });
  return distance(*nearest, name) <= few ? *nearest : std::string_view();
}

constexpr std::uint64_t kNoMost = std::numeric_limits<std::uint64_t>::max();

struct Limited {
  const char* variable;
  std::uint64_t least;
  std::uint64_t most;  ///< kNoMost: only the machine limits it
};

/// "32K" for 32768.
std::string short_text(std::uint64_t number) {
  constexpr std::uint64_t kUnit = 1024;
  std::string_view unit;
  for (const std::string_view larger : {"K", "M", "G"}) {
    if (number < 10 * kUnit || number % kUnit != 0) break;
    number /= kUnit;
    unit = larger;
  }
  return std::to_string(number).append(unit);
}

/// Brings the value of an option to what a device can have, and says so.
template <class Number>
void limit(const Limited& range, Number& value, Complaints* complaints) {
  const auto kept = std::clamp<std::uint64_t>(value, range.least, range.most);
  if (kept == value) return;
  const bool less = kept > value;
  if (complaints != nullptr)
    complaints->push_back(std::string(range.variable) + " counts as " + short_text(kept) + ", which is the " +
                          (less ? "least" : "most") + " that it takes");
  value = static_cast<Number>(kept);
}

}  // namespace

Config read_config(const EnvironmentLookup& lookup, Complaints* complaints) {
  Config config;
#define OPTION(member, variable, type, initial, help)              \
  if (const auto text = lookup(#variable); text && !text->empty()) \
    if (!parse(*text, config.member) && complaints != nullptr)     \
      complaints->push_back(#variable "=" + *text + " is ignored: it takes " + takes(config.member));
#include "src/config/options.def"
#undef OPTION
  limit({"LANEWISE_LOCAL_MEMORY", kLeastLocalMemory, kMostLocalMemory}, config.local_memory, complaints);
  if (config.memory != 0) limit({"LANEWISE_MEMORY", kLeastMemory, kNoMost}, config.memory, complaints);
  limit({"LANEWISE_GROUP_SIZE", 0, kMostGroupSize}, config.group_size, complaints);
  if (!config.check_log.empty() && config.check.kinds == 0 && complaints != nullptr)
    complaints->emplace_back("LANEWISE_CHECK_LOG is ignored: LANEWISE_CHECK names nothing to look for");
  // The comparison is useful only if its results are reported.
  if (config.verify) config.debug.add(Channel::verify);
  return config;
}

Complaints unknown_options(const char* const* environment) {
  Complaints complaints;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view setting(*environment);
    const std::string_view name = setting.substr(0, setting.find('='));
    if (!name.starts_with(kPrefix) || name.starts_with("LANEWISE_TEST_")) continue;
    if (std::find(kOptionNames.begin(), kOptionNames.end(), name) != kOptionNames.end()) continue;
    std::string complaint = std::string(name) + " is ignored: there is no such option";
    if (const std::string_view other = meant(name); !other.empty()) complaint.append("; ").append(other).append("?");
    complaints.push_back(std::move(complaint));
  }
  return complaints;
}

bool privileged() {
  return getauxval(AT_SECURE) != 0;
}

std::optional<std::string> from_environment(const char* variable) {
  const char* value = secure_getenv(variable);
  if (value == nullptr) return std::nullopt;
  return value;
}

namespace {

struct Reading {
  Config config;
  Complaints complaints;
};

/// Never destroyed: threads may still use it while the process exits. Forked children have that of their parent.
LANEWISE_SURVIVES_FORK constinit std::atomic<const Reading*> g_reading{nullptr};

/// The environment of this process, read at the first call.
const Reading& reading() {
  static const Reading* const instance = [] {
    if (const Reading* inherited = g_reading.load()) return inherited;
    auto* made = new Reading;
    made->config = read_config(from_environment, &made->complaints);
    g_reading.store(made);
    return static_cast<const Reading*>(made);
  }();
  return *instance;
}

}  // namespace

const Config& config() {
  return reading().config;
}

Complaints ignored_options() {
  if (privileged()) return {};
  Complaints complaints = reading().complaints;
  for (std::string& complaint : unknown_options(environ)) complaints.push_back(std::move(complaint));
  return complaints;
}

void report_ignored_options() {
  for (const std::string& complaint : ignored_options()) {
    const std::string line = "lanewise: " + complaint + "\n";
    static_cast<void>(!write(STDERR_FILENO, line.data(), line.size()));
  }
}

}  // namespace lanewise
