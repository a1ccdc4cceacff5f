// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// lanewise-info: what the driver and the machine are, and what is wrong with the installation. docs/lanewise-info.1
///
///     lanewise-info [--json] [--driver=FILE]
///
/// Drivers and loaders are asked in processes of their own: one that crashes is a line of the report. Exit code: 0, 1
/// if there is a problem, 2 on wrong usage.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "compiler/tools/info/driver.h"
#include "compiler/tools/info/machine.h"
#include "compiler/tools/info/registration.h"
#include "include/lanewise/version.h"
#include "src/config/config.h"

namespace {

using namespace lanewise;
using namespace lanewise::info;

constexpr const char* kUsage =
    "usage: lanewise-info [--json] [--driver=FILE]\n"
    "\n"
    "Shows the driver, its device and what limits it, the instruction sets, the cache, all registered OpenCL\n"
    "drivers, and what is wrong with the installation, each problem with its remedy.\n"
    "\n"
    "  --json         writes JSON\n"
    "  --driver=FILE  looks at this liblanewise.so instead of the one that belongs to this program\n"
    "  --help         writes this text\n"
    "  --version      writes the version\n"
    "\n"
    "Exit status: 0, 1 if there is a problem, 2 if the arguments are wrong.\n";

struct InfoArguments {
  bool json = false;
  std::string driver;
};

Value describe_driver(const Installation& installation, const Facts& device, Problems& problems) {
  Value value;
  value.add("version", LANEWISE_VERSION).add("build", LANEWISE_BUILD).add("file", installation.driver);
  const std::string version = device.get("driver version");
  if (!version.empty() && version.find(LANEWISE_VERSION) == std::string::npos) {
    value.add("version of the file", version);
    problems.push_back({"The driver has version " + version + ", this program " LANEWISE_VERSION,
                        "install one version of both, or name the driver's own lanewise-info"});
  }
  const Facts compiler = ask_apart([&](Facts& facts) { ask_compiler(installation.private_directory, facts); });
  value.add("compiler", compiler.get("error").empty() ? compiler.get("version") : compiler.get("error"));
  if (const std::string error = compiler.get("error"); !error.empty())
    problems.push_back(
        {"The compiler cannot be used: " + error, remedy_for_parts() + ", with the libraries that it depends on"});
  value.add("oneTBB", LANEWISE_TBB_VERSION);
  value.add("private files", installation.private_directory).add("parts", describe_files(installation, problems));
  return value;
}

Value describe_all(const InfoArguments& arguments, Problems& problems) {
  Value all;
  const Installation installation = find_installation(arguments.driver);
  if (installation.driver.empty()) {
    problems.push_back({"There is no driver beside this program", "install the package again, or use --driver=FILE"});
  } else {
    const Facts device = ask_apart([&](Facts& facts) { ask_device(installation.driver, facts); }, 120);
    all.add("driver", describe_driver(installation, device, problems));
    all.add("device", describe_device(device, problems));
  }
  all.add("instruction sets", describe_instruction_sets(installation.private_directory, problems));
  all.add("cache", describe_cache(problems));
  all.add("options", describe_options(problems));
  all.add("registration", describe_registration(installation.driver, problems));
  return all;
}

void print_text(const Value& all, const Problems& problems) {
  std::printf("%s\n", all.text().substr(1).c_str());
  if (problems.empty()) std::printf("\nNo problem was found.\n");
  for (const Problem& problem : problems)
    std::printf("\nproblem: %s\nremedy:  %s\n", problem.what.c_str(), problem.remedy.c_str());
}

}  // namespace

int main(int count, char** values) {
  InfoArguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = values[i];
    if (argument == "--help") return std::fputs(kUsage, stdout) < 0 ? 1 : 0;
    if (argument == "--version") return std::puts("lanewise-info " LANEWISE_VERSION) < 0 ? 1 : 0;
    if (argument == "--json") {
      arguments.json = true;
    } else if (argument.starts_with("--driver=")) {
      arguments.driver = argument.substr(std::string_view("--driver=").size());
    } else {
      std::fprintf(stderr, "lanewise-info: unknown argument %s\n%s", values[i], kUsage);
      return 2;
    }
  }
  Problems problems;
  Value all = describe_all(arguments, problems);
  if (arguments.json) {
    Value::List list;
    for (const Problem& problem : problems) {
      Value one;
      list.push_back(one.add("what", problem.what).add("remedy", problem.remedy));
    }
    std::printf("%s\n", all.add("problems", list).json().c_str());
  } else {
    print_text(all, problems);
  }
  if (std::fflush(stdout) != 0) {
    std::fprintf(stderr, "lanewise-info: cannot write to standard output: %s\n", std::strerror(errno));
    return 1;
  }
  return problems.empty() ? 0 : 1;
}
