// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every extension that the device reports exists in every version of OpenCL C and C++ for OpenCL that it reports: its
/// macro, its pragma, its functions and its types (extension_programs.def). Where LANEWISE_TEST_SPIRV names a compiler, by way
/// of SPIR-V.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "tests/api/program_fixture.h"
#include "tests/by_spirv.h"

namespace lanewise::test {
namespace {

enum class Kind { language, names_only, api };

struct Extension {
  std::string_view name;
  Kind kind;
  std::string_view program;  ///< what it adds to the language, in use
  bool source_only = false;
};

constexpr Extension kExtensions[] = {
#define LANGUAGE_EXTENSION(name, program) {#name, Kind::language, program},
#define SOURCE_ONLY(name, reason, program) {#name, Kind::language, program, true},
#define NAMES_ONLY(name, program) {#name, Kind::names_only, program},
#define API_EXTENSION(name) {#name, Kind::api, {}},
#include "tests/api/extension_programs.def"
};

const Extension* find(std::string_view name) {
  const auto* row = std::find_if(std::begin(kExtensions), std::end(kExtensions),
                                 [&](const Extension& extension) { return extension.name == name; });
  return row == std::end(kExtensions) ? nullptr : row;
}

/// A program that fails to build unless the macro is there, and in which the pragma gives no warning.
std::string program_of(const Extension& extension) {
  const std::string name(extension.name);
  std::string text;
  if (extension.kind == Kind::language)
    text =
        "#ifndef " + name + "\n#error no macro " + name + "\n#endif\n#pragma OPENCL EXTENSION " + name + " : enable\n";
  return text.append(extension.program) + "\n";
}

class ExtensionVersions : public ProgramFixture {
 protected:
  [[nodiscard]] std::vector<std::string> reported() const {
    std::size_t size = 0;
    EXPECT_EQ(clGetDeviceInfo(device_, CL_DEVICE_EXTENSIONS, 0, nullptr, &size), CL_SUCCESS);
    std::string text(size, '\0');
    EXPECT_EQ(clGetDeviceInfo(device_, CL_DEVICE_EXTENSIONS, size, text.data(), nullptr), CL_SUCCESS);
    std::istringstream words(text.substr(0, text.find('\0')));
    return {std::istream_iterator<std::string>(words), {}};
  }

  /// The values of -cl-std=: those of the device's list, and those of C++ for OpenCL.
  [[nodiscard]] std::vector<std::string> standards() const {
    std::size_t size = 0;
    EXPECT_EQ(clGetDeviceInfo(device_, CL_DEVICE_OPENCL_C_ALL_VERSIONS, 0, nullptr, &size), CL_SUCCESS);
    std::vector<cl_name_version> versions(size / sizeof(cl_name_version));
    EXPECT_EQ(clGetDeviceInfo(device_, CL_DEVICE_OPENCL_C_ALL_VERSIONS, size, versions.data(), nullptr), CL_SUCCESS);
    std::vector<std::string> all;
    for (const cl_name_version& v : versions)
      all.push_back("CL" + std::to_string(CL_VERSION_MAJOR(v.version)) + "." +
                    std::to_string(CL_VERSION_MINOR(v.version)));
    all.insert(all.end(), {"CLC++", "CLC++2021"});
    return all;
  }

  /// What is said of a program that is refused, or gives warnings; empty if it is taken. Compiling it looks up all names;
  /// building it also makes code of every function.
  [[nodiscard]] std::string fault(const std::string& text, const std::string& standard, bool build = false) const {
    const std::string options = "-Werror -cl-std=" + standard + (build ? " -cl-opt-disable" : "");
    const ProgramPtr program(make_program(context_.get(), text, options));
    if (program == nullptr) return "no program";
    const cl_int result =
        build ? clBuildProgram(program.get(), 0, nullptr, options.c_str(), nullptr, nullptr)
              : clCompileProgram(program.get(), 0, nullptr, options.c_str(), 0, nullptr, nullptr, nullptr, nullptr);
    return result == CL_SUCCESS ? "" : log(program) + "(no more)";
  }

  [[nodiscard]] std::vector<const Extension*> of_the_language() const {
    const bool by_spirv = std::getenv("LANEWISE_TEST_SPIRV") != nullptr;
    std::vector<const Extension*> present;
    for (const std::string& name : reported())
      if (const Extension* extension = find(name);
          extension != nullptr && extension->kind != Kind::api && !(extension->source_only && by_spirv))
        present.push_back(extension);
    return present;
  }
  /// In one program, which takes less time than many.
  [[nodiscard]] std::string together() const {
    std::string text;
    for (const Extension* extension : of_the_language()) text += program_of(*extension);
    return text;
  }
};

TEST_F(ExtensionVersions, EveryReportedOneHasARow) {
  for (const std::string& name : reported()) EXPECT_NE(find(name), nullptr) << name;
}

TEST_F(ExtensionVersions, EachExistsInEachVersion) {
  const auto present = of_the_language();
  EXPECT_GT(present.size(), 30U);
  for (const std::string& standard : standards()) {
    const std::string all = fault(together(), standard);
    if (all.empty()) continue;
    bool found = false;
    for (const Extension* extension : present) {
      const std::string log = fault(program_of(*extension), standard);
      found |= !log.empty();
      EXPECT_EQ(log, "") << extension->name << " in " << standard;
    }
    EXPECT_TRUE(found) << "each is there in " << standard << ", but not all together: " << all;
  }
}

/// In the version that programs get without -cl-std. The names of the functions are the same in all of them.
TEST_F(ExtensionVersions, EachFunctionHasCode) {
  EXPECT_EQ(fault(together(), "CL1.2", true), "");
}

/// The check itself must be able to fail.
TEST_F(ExtensionVersions, WhatDoesNotExistIsFound) {
  const Extension unknown{"cl_khr_no_such_extension", Kind::language, "kernel void k() {}"};
  EXPECT_NE(fault(program_of(unknown), "CL1.2"), "");
  EXPECT_NE(fault("kernel void k(global int* p) { p[0] = no_such_function(p[1]); }", "CL1.2"), "");
  EXPECT_NE(fault("#pragma OPENCL EXTENSION cl_khr_no_such_extension : enable\nkernel void k() {}", "CL3.0"), "");
}

}  // namespace
}  // namespace lanewise::test
