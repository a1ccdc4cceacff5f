// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs of tests, by way of SPIR-V where LANEWISE_TEST_SPIRV names the compiler for it (lanewise-cc).
#pragma once

#include <CL/cl.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/spirv_of.h"

namespace lanewise::test {

/// A program that is to be built with the same options.
inline cl_program make_program(cl_context context, const std::string& source, const std::string& options) {
  cl_int error = CL_SUCCESS;
  cl_program program = nullptr;
  if (const char* compiler = std::getenv("LANEWISE_TEST_SPIRV")) {
    const std::string module = spirv_of(compiler, source, options);
    EXPECT_FALSE(module.empty()) << compiler << " refuses the program";
    program = clCreateProgramWithIL(context, module.data(), module.size(), &error);
  } else {
    const char* text = source.c_str();
    program = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
  }
  EXPECT_EQ(error, CL_SUCCESS);
  return program;
}

}  // namespace lanewise::test
