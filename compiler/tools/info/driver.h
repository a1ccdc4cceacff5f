// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The driver of this installation: where it lies, and what it says about itself.
#pragma once

#include <string>

#include "compiler/tools/info/apart.h"
#include "compiler/tools/info/document.h"

namespace lanewise::info {

/// The files of an installation.
struct Installation {
  std::string driver;             ///< the library; empty: there is none
  std::string private_directory;  ///< the folder of the helper, the compiler and the built-in library
};

/// The installation that this program belongs to, or that of the driver `named`, if that is not empty.
Installation find_installation(const std::string& named);

/// Loads an OpenCL driver and asks for its platforms. Facts: "platform" once for each ("NAME, VERSION"), "error".
/// @param library  a path, or a name that the dynamic linker looks for
void ask_platforms(const std::string& library, Facts& facts);

/// Loads the driver, asks for its device and runs a kernel. Facts: "name", "version", "driver version", "units",
/// "global memory", "local memory", "largest buffer", "il", "ran" (how long the build and the run took), "error".
void ask_device(const std::string& driver, Facts& facts);

/// Loads the compiler and asks for its version. Facts: "version", "error".
void ask_compiler(const std::string& private_directory, Facts& facts);

/// What to do where one of the driver's files is missing: LANEWISE_COMPILER_DIR, or the installation, is wrong.
std::string remedy_for_parts();

/// The files that the driver needs beside it, with what is wrong with them.
Value describe_files(const Installation& installation, Problems& problems);

}  // namespace lanewise::info
