// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What random programs show when they are only compiled:
///
///     kernel_reach --reach 300                  which transformations 300 kernels reach
///     kernel_reach --broken 200 --seed drawn    200 broken programs: their errors belong to the build
///     kernel_reach --broken 1 --seed 77 --print the broken program of this seed
///
/// With `--first FILE` and `--unreached FILE`: ReachTrial. The exit code is 1 if something is not as it should be.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/drawn.h"
#include "tests/fuzz/kernels/broken.h"
#include "tests/fuzz/kernels/reach.h"

namespace {

using namespace lanewise;
using namespace lanewise::fuzz;

struct Options {
  ReachTrial reach{.count = 0, .first = {}, .unreached = {}};
  std::uint64_t broken = 0;  ///< so many programs with faults are built
  bool print = false;
};

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--print") {
      options.print = true;
      continue;
    }
    if (++i == argc) return false;
    const std::string text = argv[i];
    if (name == "--seed")
      options.reach.seed = text == "drawn" ? test::drawn_seed() : std::strtoull(text.c_str(), nullptr, 10);
    else if (name == "--reach")
      options.reach.count = std::strtoull(text.c_str(), nullptr, 10);
    else if (name == "--broken")
      options.broken = std::strtoull(text.c_str(), nullptr, 10);
    else if (name == "--first")
      options.reach.first = text;
    else if (name == "--unreached")
      options.reach.unreached = text;
    else
      return false;
  }
  return (options.reach.count == 0) != (options.broken == 0);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fprintf(stderr,
                 "usage: kernel_reach [--seed N|drawn] --reach KERNELS [--first FILE] [--unreached FILE]\n"
                 "       kernel_reach [--seed N|drawn] --broken PROGRAMS [--print]\n");
    return 2;
  }
  if (options.print) {
    std::fputs(broken(options.reach.seed).c_str(), stdout);
    return 0;
  }
  if (options.broken != 0) return check_broken(options.reach.seed, options.broken) ? 0 : 1;
  return check_reach(options.reach, {}) ? 0 : 1;
}
