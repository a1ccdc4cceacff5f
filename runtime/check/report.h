// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LANEWISE_CHECK: what checks have found. Each place is reported once, on stderr, when the first command that has it
/// ends; LANEWISE_CHECK_LOG names a file that has all places, with the counts of all commands so far, as JSON.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/base/sizes.h"

namespace lanewise::check {

/// One access or operation.
struct Spot {
  std::string file{};
  std::uint64_t line = 0;  ///< 0: not known
  std::uint64_t column = 0;
  std::string access{};  ///< "read", "write", "atomic operation"; empty for operations
  std::uint64_t bytes = 0;
  bool one_item = true;  ///< `item` is known; otherwise several work-items
  Sizes item{};          ///< global id
  bool one_group = true;
  Sizes group{};
};

/// What was accessed.
struct FaultTarget {
  std::string kind{};  ///< "argument", "image", "local", "private", "constant", "variable", "memory"
  std::string name{};
  std::uint64_t number = 0;                            ///< position among the arguments
  std::uint64_t bytes = 0;                             ///< size; 0: not known
  std::optional<std::int64_t> offset{};                ///< bytes from its begin; of "memory" the address
  std::optional<std::array<std::int32_t, 3>> texel{};  ///< coordinates in an image
};

struct FaultReport {
  std::string check{};  ///< "memory", "race", "arith", "barrier"
  std::string kernel{};
  std::string reason{};  ///< "beyond the end", "null", ...
  Spot spot{};
  std::optional<Spot> other{};  ///< the access before, if it is a race
  std::optional<FaultTarget> target{};
  std::uint64_t count = 0;
};

/// "lanewise check: memory: program.cl:3:8 in kernel scale: ...".
[[nodiscard]] std::string to_text(const FaultReport& report);
[[nodiscard]] std::string to_json(const FaultReport& report);

/// Makes the file of LANEWISE_CHECK_LOG, at the first call. May throw std::bad_alloc.
void begin_reports();
/// Adds the reports of a command that has ended: writes those of new places to stderr, and the file.
void publish(std::vector<FaultReport> reports);

}  // namespace lanewise::check
