// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs the application of app.cpp in a process of its own and checks what it leaves behind.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/temporary_directory.h"

namespace lanewise::robustness {

using test::TemporaryDirectory;

struct Outcome {
  int exit_code = -1;  ///< -1 if it did not end by itself
  int signal = 0;      ///< the signal that ended it
  bool timed_out = false;
  std::string out;
  std::string err;
  std::vector<std::string> left_in_directory;  ///< names of files in its working directory afterwards
  bool helper_left = false;                    ///< a compiler process of its own still runs two seconds later
};

struct Options {
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< set on top of the test's own
  std::vector<std::string> unset = {};
  std::function<bool()> before_exec = {};  ///< runs in the child; false: the machine does not allow it (exit code 77)
  double seconds = 60;                     ///< after that the child is killed
  std::string program = {};                ///< instead of lanewise-robustness-app
};

constexpr int kNotAllowedHere = 77;

/// For `before_exec`: mounts an empty tmpfs over `path`, in a mount namespace of the child's own, so that the machine
/// never sees it. False unless root.
bool mount_over(const std::string& path, const char* options = "", unsigned long flags = 0);

/// Runs `lanewise-robustness-app arguments...` in an empty working directory. Unless `options` say otherwise it has a
/// cache directory of its own and no variable of the driver's is set.
Outcome run_app(const std::vector<std::string>& arguments, const Options& options = {});

}  // namespace lanewise::robustness
