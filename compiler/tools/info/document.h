// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What `lanewise-info` prints: names and values in the order in which they were added, as text or as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lanewise::info {

/// A value of a document: a text, a number, a truth, a list, or members with names.
class Value {
 public:
  using List = std::vector<Value>;
  using Members = std::vector<std::pair<std::string, Value>>;

  Value() : what_(Members{}) {}
  Value(const char* text) : what_(std::string(text)) {}       // NOLINT(google-explicit-constructor)
  Value(std::string text) : what_(std::move(text)) {}         // NOLINT(google-explicit-constructor)
  Value(std::string_view text) : what_(std::string(text)) {}  // NOLINT(google-explicit-constructor)
  Value(bool truth) : what_(truth) {}                         // NOLINT(google-explicit-constructor)
  Value(std::uint64_t number) : what_(number) {}              // NOLINT(google-explicit-constructor)
  Value(unsigned number) : what_(std::uint64_t{number}) {}    // NOLINT(google-explicit-constructor)
  Value(List list) : what_(std::move(list)) {}                // NOLINT(google-explicit-constructor)

  /// Adds a member to a value that has members, and returns this value.
  Value& add(std::string name, Value value);

  /// The JSON text, with two blanks for each level.
  [[nodiscard]] std::string json(unsigned depth = 0) const;
  /// The text for people: one line for each member, lists and members below their names.
  [[nodiscard]] std::string text(unsigned depth = 0) const;

 private:
  std::variant<std::string, bool, std::uint64_t, List, Members> what_;
};

/// A fault of the installation, and what ends it.
struct Problem {
  std::string what;
  std::string remedy;
};
using Problems = std::vector<Problem>;

/// "1.5 MiB (1572864 bytes)", or the bytes alone below 1 KiB.
std::string size_text(std::uint64_t bytes);

}  // namespace lanewise::info
