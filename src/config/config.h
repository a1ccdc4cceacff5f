// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The environment options as typed values, read once per process.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lanewise {

/// Kinds of debug output; the names of LANEWISE_DEBUG.
enum class Channel : std::uint32_t { api, build, vectorize, barriers, cache, scheduler, time, verify };

/// Where the compiler runs. `process` falls back to `inprocess` if no process can be created.
enum class Placement { process, inprocess };

/// Which code kernels run (design D8): that of the first tier until they are hot; only that of the first tier; or that
/// of the second tier from the first launch on, which then waits for the compiler (for tests).
enum class Tier { automatic, first, second };

/// Name of an instruction set (src/base/isa.h), or empty.
struct InstructionSet {
  std::string name;
};

using Switch = bool;
using Text = std::string;
using Count = std::uint32_t;
using Size = std::uint64_t;

/// A set of channels.
struct Channels {
  std::uint32_t bits = 0;
  [[nodiscard]] bool has(Channel channel) const { return (bits >> static_cast<std::uint32_t>(channel) & 1u) != 0; }
  void add(Channel channel) { bits |= 1u << static_cast<std::uint32_t>(channel); }
};

struct Config {
#define OPTION(member, variable, type, initial, help) type member = initial;
#include "src/config/options.def"
#undef OPTION
};

/// Returns the value of a variable, or nothing if it is unset.
using EnvironmentLookup = std::function<std::optional<std::string>(const char* variable)>;

/// One sentence for each variable that counts as unset: "LANEWISE_TIER=3 is ignored: it takes auto, 1 or 2".
using Complaints = std::vector<std::string>;

/// The options that `lookup` returns; an option with an invalid value has its default, and a sentence in `complaints`.
Config read_config(const EnvironmentLookup& lookup, Complaints* complaints = nullptr);

/// Complaints about variables in `environment` (strings like "NAME=value", then a null pointer) whose names begin as those
/// of options do, with the option that was perhaps meant. Names that begin with LANEWISE_TEST_ belong to tests.
Complaints unknown_options(const char* const* environment);

/// True if this process has more rights than whoever started it (AT_SECURE: set-user-ID, set-group-ID, file
/// capabilities). Then the caller must not be able to choose where code or data of the driver come from: the
/// environment counts as empty, here and in the helper. All code that reads an environment variable must use
/// `secure_getenv`, never `getenv` (tests/tree/environment.py).
[[nodiscard]] bool privileged();

/// The options of this process, read from its environment at the first call (which is ignored in set-user-ID programs).
const Config& config();

/// Writes to stderr, a line each, which variables of this process's environment are ignored. Nothing for privileged
/// processes, whose environment counts as empty.
void report_ignored_options();

}  // namespace lanewise
