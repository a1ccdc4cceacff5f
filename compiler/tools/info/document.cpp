// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tools/info/document.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace lanewise::info {

namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c));
      out += escape.data();
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string indent(unsigned depth) {
  return std::string(std::size_t{2} * depth, ' ');
}

/// A list of texts between brackets, each on a line of its own; "[]" if there is none.
std::string bracketed(const std::vector<std::string>& parts, std::string_view brackets, unsigned depth) {
  if (parts.empty()) return std::string(brackets);
  std::string out(1, brackets[0]);
  for (std::size_t i = 0; i < parts.size(); ++i) out += (i == 0 ? "\n" : ",\n") + indent(depth + 1) + parts[i];
  return out + "\n" + indent(depth) + brackets[1];
}

}  // namespace

Value& Value::add(std::string name, Value value) {
  std::get<Members>(what_).emplace_back(std::move(name), std::move(value));
  return *this;
}

std::string Value::json(unsigned depth) const {
  if (const auto* text = std::get_if<std::string>(&what_)) return quoted(*text);
  if (const auto* truth = std::get_if<bool>(&what_)) return *truth ? "true" : "false";
  if (const auto* number = std::get_if<std::uint64_t>(&what_)) return std::to_string(*number);
  std::vector<std::string> parts;
  if (const auto* list = std::get_if<List>(&what_)) {
    for (const Value& value : *list) parts.push_back(value.json(depth + 1));
    return bracketed(parts, "[]", depth);
  }
  for (const auto& [name, value] : std::get<Members>(what_)) {
    std::string key = name;
    std::replace(key.begin(), key.end(), ' ', '_');
    parts.push_back(quoted(key) + ": " + value.json(depth + 1));
  }
  return bracketed(parts, "{}", depth);
}

std::string Value::text(unsigned depth) const {
  if (const auto* text = std::get_if<std::string>(&what_)) return *text;
  if (const auto* truth = std::get_if<bool>(&what_)) return *truth ? "yes" : "no";
  if (const auto* number = std::get_if<std::uint64_t>(&what_)) return std::to_string(*number);
  std::string out;
  if (const auto* list = std::get_if<List>(&what_)) {
    for (const Value& value : *list) {
      const bool members = std::holds_alternative<Members>(value.what_);
      std::string entry = value.text(depth + (members ? 1 : 0));
      // The first member stands behind the dash.
      if (members && entry.size() > std::size_t{2} * depth + 2) entry.erase(0, std::size_t{2} * depth + 3);
      out += "\n" + indent(depth) + "- " + entry;
    }
    return list->empty() ? "none" : out;
  }
  const auto& all = std::get<Members>(what_);
  std::size_t widest = 0;
  for (const auto& [name, value] : all) widest = std::max(widest, name.size());
  for (const auto& [name, value] : all) {
    const std::string inner = value.text(depth + 1);
    const bool below = inner.starts_with('\n');
    out += "\n" + indent(depth) + name + (below ? "" : std::string(widest - name.size() + 2, ' ')) + inner;
  }
  return out;
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 4> kUnits{"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return std::to_string(bytes) + " bytes";
  auto value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.1f %s (%llu bytes)", value, kUnits[unit],
                static_cast<unsigned long long>(bytes));
  return text.data();
}

}  // namespace lanewise::info
