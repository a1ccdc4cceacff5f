// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-suite and bench-families [--quick] [--plain] [--list] [--machine] [--cpu-time] [--budget SECONDS] [--platform NAME]
//   [--spirv COMPILER] [PATTERN...]:
// runs the cases whose names contain one of the patterns (all without one) and prints a line for each: rate, and share
// of the limit. With --lines: `name outcome`, for suite.py. Exit status 1 if a result was wrong.
#include <cstdio>
#include <cstring>

#include "tests/bench/bench.h"
#include "tests/bench/suite/suite.h"

namespace {

using namespace lanewise::bench;

void print_for_people(const char* name, const std::string& outcome, const Machine& machine) {
  double seconds = 0, amount = 0;
  char unit[32] = {}, limit[32] = {};
  if (std::sscanf(outcome.c_str(), "ok %lf %lf %31s %31s", &seconds, &amount, unit, limit) != 4) {
    std::printf("%-32s %s\n", name, outcome.c_str());
    return;
  }
  const double rate = amount / seconds;
  std::printf("%-32s %10.3f ms %10.3f G%s/s", name, seconds * 1e3, rate * 1e-9, unit);
  const std::string kind = limit;
  const double most = kind == "bandwidth" ? machine.bandwidth
                      : kind == "float"   ? machine.float_peak
                      : kind == "double"  ? machine.double_peak
                                          : 0;
  if (most > 0) std::printf("  %5.1f %% of %.1f (%s)", 100 * rate / most, most * 1e-9, limit);
  std::printf("\n");
}

struct Options {
  Mode mode;
  bool lines = false, list = false, machine = false;
  std::vector<std::string> patterns;
};

Options parse(int count, char** values) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = values[i];
    if (word == "--quick")
      options.mode.quick = true;
    else if (word == "--plain")
      options.mode.plain = true;
    else if (word == "--cpu-time")
      options.mode.cpu_time = true;
    else if (word == "--lines")
      options.lines = true;
    else if (word == "--list")
      options.list = true;
    else if (word == "--machine")
      options.machine = true;
    else if (word == "--budget" && i + 1 < count)
      options.mode.budget = std::atof(values[++i]);
    else if (word == "--platform" && i + 1 < count)
      options.mode.platform = values[++i];
    else if (word == "--spirv" && i + 1 < count)
      options.mode.spirv = values[++i];
    else
      options.patterns.push_back(word);
  }
  return options;
}

bool wanted(const Options& options, const std::string& name) {
  if (options.patterns.empty()) return true;
  return std::any_of(options.patterns.begin(), options.patterns.end(), [&](const std::string& pattern) {
    return options.lines ? name == pattern : name.find(pattern) != std::string::npos;
  });
}

}  // namespace

int main(int count, char** values) {
  const Options options = parse(count, values);
  Machine machine = {};
  if (options.machine || (!options.lines && !options.list && !options.mode.quick)) {
    machine = measure_machine();
    std::printf("bandwidth %.6g\nfloat %.6g\ndouble %.6g\n", machine.bandwidth, machine.float_peak,
                machine.double_peak);
    if (options.machine) return 0;
  }
  int status = 0;
  for (const Entry& entry : all_cases()) {
    if (!wanted(options, entry.name)) continue;
    if (options.list) {
      std::printf("%s\n", entry.name);
      continue;
    }
    Run run(options.mode, entry.name);
    entry.body(run);
    if (options.lines)
      std::printf("%s %s\n", entry.name, run.outcome().c_str());
    else
      print_for_people(entry.name, run.outcome(), machine);
    std::fflush(stdout);
    if (!run.good()) status = 1;
  }
  return status;
}
