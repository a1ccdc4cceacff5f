// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/config/config.h"

#include <sys/auxv.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <utility>

#include "src/base/survives_fork.h"

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

void parse(std::string_view text, Switch& out) {
  const std::string word = lower(text);
  if (word == "1" || word == "on" || word == "true" || word == "yes") out = true;
  if (word == "0" || word == "off" || word == "false" || word == "no") out = false;
}

void parse(std::string_view text, Text& out) {
  out = text;
}

void parse(std::string_view text, Count& out) {
  const auto value = take_number(text);
  if (value && text.empty() && *value <= std::numeric_limits<Count>::max()) out = static_cast<Count>(*value);
}

void parse(std::string_view text, Size& out) {
  const auto value = take_number(text);
  if (!value) return;
  const std::string unit = lower(text);
  constexpr std::array<std::pair<std::string_view, unsigned>, 7> kUnits{
      {{"", 0}, {"k", 10}, {"m", 20}, {"g", 30}, {"kb", 10}, {"mb", 20}, {"gb", 30}}};
  for (const auto& [name, shift] : kUnits) {
    if (unit == name && *value <= std::numeric_limits<Size>::max() >> shift) out = *value << shift;
  }
}

void parse(std::string_view text, Channels& out) {
  constexpr std::array<std::pair<std::string_view, Channel>, 8> kNames{{{"api", Channel::api},
                                                                        {"build", Channel::build},
                                                                        {"vectorize", Channel::vectorize},
                                                                        {"barriers", Channel::barriers},
                                                                        {"cache", Channel::cache},
                                                                        {"scheduler", Channel::scheduler},
                                                                        {"time", Channel::time},
                                                                        {"verify", Channel::verify}}};
  const std::string words = lower(text);
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find(',', begin), words.size());
    const std::string_view word = std::string_view(words).substr(begin, end - begin);
    for (const auto& [name, channel] : kNames) {
      if (word == name || word == "all") out.add(channel);
    }
    begin = end + 1;
  }
}

void parse(std::string_view text, Placement& out) {
  const std::string word = lower(text);
  if (word == "process") out = Placement::process;
  if (word == "inprocess") out = Placement::inprocess;
}

void parse(std::string_view text, Tier& out) {
  const std::string word = lower(text);
  if (word == "auto") out = Tier::automatic;
  if (word == "1") out = Tier::first;
  if (word == "2") out = Tier::second;
}

}  // namespace

Config read_config(const EnvironmentLookup& lookup) {
  Config config;
#define OPTION(member, variable, type, initial, help) \
  if (const auto text = lookup(#variable)) parse(*text, config.member);
#include "src/config/options.def"
#undef OPTION
  // The comparison is useful only if its results are reported.
  if (config.verify) config.debug.add(Channel::verify);
  return config;
}

bool privileged() {
  return getauxval(AT_SECURE) != 0;
}

namespace {
/// Never destroyed: threads may still use it while the process exits. Forked children have that of their parent.
LANEWISE_SURVIVES_FORK constinit std::atomic<const Config*> g_config{nullptr};
}  // namespace

const Config& config() {
  static const Config* const instance = [] {
    if (const Config* inherited = g_config.load()) return inherited;
    const auto* made = new Config(read_config([](const char* variable) -> std::optional<std::string> {
      const char* value = secure_getenv(variable);
      if (value == nullptr) return std::nullopt;
      return value;
    }));
    g_config.store(made);
    return made;
  }();
  return *instance;
}

}  // namespace lanewise
