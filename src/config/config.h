// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The environment options as typed values, read once per process.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lanewise {

/// The kinds of debug output, with their names in LANEWISE_DEBUG.
enum class Channel : std::uint32_t { api, build, vectorize, barriers, cache, scheduler, time, verify, crash };

/// Where the compiler runs. `process` falls back to `inprocess` if no process can be created.
enum class Placement { process, inprocess };

/// The code that kernels run (design D8).
enum class Tier {
  automatic,  ///< first-tier code until they are hot
  first,      ///< first-tier code only
  second      ///< second-tier code from the first launch on, which waits for the compiler (for tests)
};

/// When the code of kernels is made (design D30).
enum class CodeMade {
  automatic,  ///< code is made when it is wanted, if no error of the program can show only then
  all         ///< code of all kernels is made in the build
};

/// The name of an instruction set (src/base/isa.h), or empty.
struct InstructionSet {
  std::string name;
};

/// The number of work-items in a vector: a power of two up to 64, or 0, with which the compiler chooses.
struct Width {
  std::uint32_t items = 0;
};

/// An upper limit of threads.
struct ThreadCount {
  std::uint32_t most = 0;  ///< 0: no limit
  bool share = false;      ///< "auto": the part of this process, where a launcher has started several (launcher.h)
};

/// What to check in kernels: LANEWISE_CHECK.
struct Checks {
  std::uint32_t kinds = 0;  ///< bits of check::CheckKind (include/lanewise/check_abi.h)
  bool fatal = false;       ///< a command in which something is found fails
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

/// The values of all options (options.def).
struct Config {
#define OPTION(member, variable, type, initial, help) type member = initial;
#include "src/config/options.def"
#undef OPTION
};

/// A function that returns the value of a variable, or nothing if it is unset.
using EnvironmentLookup = std::function<std::optional<std::string>(const char* variable)>;

/// Sentences, one for each ignored variable: "LANEWISE_TIER=3 is ignored: it takes auto, 1 or 2".
using Complaints = std::vector<std::string>;

/// Reads the options by `lookup`. An option with an invalid value has its default, and a sentence in `complaints`.
Config read_config(const EnvironmentLookup& lookup, Complaints* complaints = nullptr);

/// Complaints about variables whose names begin like options but are none, with the option that was perhaps meant.
/// Names that begin with LANEWISE_TEST_ belong to tests.
/// @param environment  strings like "NAME=value", then a null pointer
Complaints unknown_options(const char* const* environment);

/// Whether this process has more rights than its caller (AT_SECURE: set-user-ID, set-group-ID, file capabilities). The
/// caller must then not choose where code or data of the driver come from: the environment counts as empty, here and in
/// the helper. All code that reads an environment variable must use `secure_getenv`, never `getenv`
/// (tests/tree/environment.py).
[[nodiscard]] bool privileged();

/// A variable of this process's environment, which counts as empty in privileged processes.
[[nodiscard]] std::optional<std::string> from_environment(const char* variable);

/// The options of this process. The first call reads them from the environment, which counts as empty in privileged
/// processes.
const Config& config();

/// Complaints about all ignored variables of this process's environment. None in privileged processes, whose
/// environment counts as empty.
Complaints ignored_options();
/// Writes a line to stderr for each of them.
void report_ignored_options();

}  // namespace lanewise
