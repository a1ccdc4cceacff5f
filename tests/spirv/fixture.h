// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs from the modules of this folder, which are assembled (spirv-as) or compiled (Clang's SPIR-V back end).
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/api/program_fixture.h"

namespace lanewise::test {

using Module = std::vector<std::uint8_t>;

/// The module of a source file of this folder: "saxpy" is of saxpy.cl.
inline Module module_named(const std::string& name) {
  std::ifstream file(LANEWISE_TEST_MODULES "/" + name + ".spv", std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The instructions of the module, each of which `change` may replace.
template <class Change>
Module changed(const Module& module, Change change) {
  std::vector<std::uint32_t> words(module.size() / 4), made;
  std::memcpy(words.data(), module.data(), module.size());
  made.assign(words.begin(), words.begin() + 5);
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16) {
    std::vector<std::uint32_t> instruction(words.begin() + static_cast<std::ptrdiff_t>(at),
                                           words.begin() + static_cast<std::ptrdiff_t>(at + (words[at] >> 16)));
    change(instruction);
    instruction[0] = (instruction[0] & 0xffff) | static_cast<std::uint32_t>(instruction.size()) << 16;
    made.insert(made.end(), instruction.begin(), instruction.end());
  }
  Module bytes(made.size() * 4);
  std::memcpy(bytes.data(), made.data(), bytes.size());
  return bytes;
}

class IlFixture : public ProgramFixture {
 protected:
  void SetUp() override {
    ProgramFixture::SetUp();
    size_t size = 0;
    ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_IL_VERSION, 0, nullptr, &size), CL_SUCCESS);
    if (size <= 1) GTEST_SKIP() << "the SPIR-V translator is not installed";
  }

  ProgramPtr from_il(const Module& module, cl_int expected = CL_SUCCESS) const {
    cl_int code = 1;
    ProgramPtr program(clCreateProgramWithIL(context_.get(), module.data(), module.size(), &code));
    EXPECT_EQ(code, expected);
    EXPECT_EQ(program != nullptr, expected == CL_SUCCESS);
    return program;
  }
  void build(const ProgramPtr& program, const char* options = nullptr) const {
    ASSERT_EQ(clBuildProgram(program.get(), 0, nullptr, options, nullptr, nullptr), CL_SUCCESS) << log(program);
  }
  ProgramPtr built_il(const std::string& name, const char* options = nullptr) const {
    auto program = from_il(module_named(name));
    build(program, options);
    return program;
  }
  ProgramPtr compiled_il(const std::string& name) const {
    auto program = from_il(module_named(name));
    EXPECT_EQ(clCompileProgram(program.get(), 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS)
        << log(program);
    return program;
  }

  template <class T>
  MemPtr filled(std::vector<T> values) const {
    cl_int code = 1;
    MemPtr made(clCreateBuffer(context_.get(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.size() * sizeof(T),
                               values.data(), &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  template <class T>
  static void set(const KernelPtr& kernel, cl_uint index, const T& value) {
    ASSERT_EQ(clSetKernelArg(kernel.get(), index, sizeof value, &value), CL_SUCCESS);
  }
  static void set(const KernelPtr& kernel, cl_uint index, const MemPtr& memory) { set(kernel, index, memory.get()); }

  /// The values after `kernel(global T* values)` has run on them with one work-item.
  template <class T>
  std::vector<T> result_of(const ProgramPtr& program, const char* name, std::vector<T> values, size_t items = 1) const {
    const auto made = kernel(program, name);
    const size_t count = values.size();
    const auto memory = filled(std::move(values));
    set(made, 0, memory);
    run(made, items);
    return read<T>(memory, count);
  }
};

}  // namespace lanewise::test
