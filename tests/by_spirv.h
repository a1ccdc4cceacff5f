// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs of tests, by way of SPIR-V where LANEWISE_TEST_SPIRV names the compiler for it (lanewise-cc).
#pragma once

#include <CL/cl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace lanewise::test {

/// The module that the compiler makes of OpenCL C.
inline std::string spirv_of(const std::string& compiler, const std::string& source, const std::string& options) {
  char folder[] = "/tmp/lanewise-test-XXXXXX";
  EXPECT_NE(mkdtemp(folder), nullptr);
  const std::string from = std::string(folder) + "/program.cl";
  const std::string to = std::string(folder) + "/program.spv";
  std::ofstream(from) << source;
  const std::string command = compiler + " --source=" + from + " --output=" + to + " -- " + options;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;  // NOLINT(cert-env33-c): the test's own words
  std::ifstream file(to, std::ios::binary);
  std::string module{std::istreambuf_iterator<char>(file), {}};
  unlink(from.c_str());
  unlink(to.c_str());
  rmdir(folder);
  return module;
}

/// A program that is to be built with the same options.
inline cl_program make_program(cl_context context, const std::string& source, const std::string& options) {
  cl_int error = CL_SUCCESS;
  cl_program program = nullptr;
  if (const char* compiler = std::getenv("LANEWISE_TEST_SPIRV")) {
    const std::string module = spirv_of(compiler, source, options);
    program = clCreateProgramWithIL(context, module.data(), module.size(), &error);
  } else {
    const char* text = source.c_str();
    program = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
  }
  EXPECT_EQ(error, CL_SUCCESS);
  return program;
}

}  // namespace lanewise::test
