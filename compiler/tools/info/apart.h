// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Questions to libraries that may crash, hang or print: a process of its own asks them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanewise::info {

/// Facts that a process found out: names with values, in the order in which they were found.
class Facts {
 public:
  void add(std::string name, std::string value) { all_.emplace_back(std::move(name), std::move(value)); }
  /// The first value with this name; empty if there is none.
  [[nodiscard]] std::string get(const std::string& name) const;
  /// All values with this name.
  [[nodiscard]] std::vector<std::string> all(const std::string& name) const;

  /// One line for each fact. Line ends in a value become blanks.
  [[nodiscard]] std::string encoded() const;
  static Facts decoded(const std::string& text);

 private:
  std::vector<std::pair<std::string, std::string>> all_;
};

/// Runs `question` in a forked process without output, and returns its facts. A process that crashes gives the fact
/// "error" with the signal; one that takes more than `seconds` is killed and gives the same with that reason.
Facts ask_apart(const std::function<void(Facts&)>& question, unsigned seconds = 20);

}  // namespace lanewise::info
