// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How applications find OpenCL drivers: the loader, its variables, and the files that register drivers.
///
/// Sources: the README of ocl-icd (OCL_ICD_VENDORS, OPENCL_VENDOR_PATH) and of the Khronos ICD loader (OCL_ICD_VENDORS,
/// OCL_ICD_FILENAMES); `strings` of the loader in the wheel of PyOpenCL (PYOPENCL_HOME).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/tools/info/document.h"

namespace lanewise::info {

/// A registered driver.
struct Registration {
  std::string file;      ///< the .icd file, or the variable that names the library
  std::string library;   ///< the file's first line
  bool searched = true;  ///< false: a variable makes loaders look elsewhere
  /// Whether a file registers it, and no variable.
  [[nodiscard]] bool is_file() const { return file.find('/') != std::string::npos; }
};

/// The variables that change where loaders look; nothing: unset.
struct LoaderVariables {
  std::optional<std::string> vendors;      ///< OCL_ICD_VENDORS: a folder, an .icd file or a library
  std::optional<std::string> vendor_path;  ///< OPENCL_VENDOR_PATH: a folder
  std::optional<std::string> filenames;    ///< OCL_ICD_FILENAMES: libraries with colons between
  std::optional<std::string> pyopencl;     ///< PYOPENCL_HOME: a folder with .libs, in which PyOpenCL's own loader lies
};
LoaderVariables read_loader_variables();

/// All registered drivers: those that a loader would find, then those of `system_folder` that a variable hides. What is
/// registered beside PyOpenCL's own loader is found by that one only.
std::vector<Registration> find_registrations(const LoaderVariables& variables, const std::string& system_folder);

/// The loader and all registered drivers, each with the platforms that it has, and what is wrong with the registration
/// of `driver`.
Value describe_registration(const std::string& driver, Problems& problems);

}  // namespace lanewise::info
