// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules that are damaged, or not for this device: they give an error code and a reason, and have no other effect.
#include <cstring>
#include <random>
#include <string>
#include <utility>

#include "tests/spirv/fixture.h"

namespace lanewise::test {
namespace {

using IlDamage = IlFixture;

constexpr std::uint32_t kMemoryModel = 14;

std::uint32_t word_of(const Module& module, size_t index) {
  std::uint32_t word = 0;
  std::memcpy(&word, module.data() + index * sizeof word, sizeof word);
  return word;
}
void set_word(Module& module, size_t index, std::uint32_t word) {
  std::memcpy(module.data() + index * sizeof word, &word, sizeof word);
}
/// Index of the first word of an instruction with this opcode.
size_t find_op(const Module& module, std::uint32_t op) {
  size_t at = 5;
  while (at * 4 < module.size() && (word_of(module, at) & 0xffff) != op) at += word_of(module, at) >> 16;
  EXPECT_LT(at * 4, module.size());
  return at;
}

TEST_F(IlDamage, NothingIsAModule) {
  cl_int code = 1;
  const std::uint32_t magic = 0x07230203;
  EXPECT_EQ(clCreateProgramWithIL(context_.get(), nullptr, 4, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithIL(context_.get(), &magic, 0, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithIL(context_.get(), &magic, sizeof magic, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithIL(nullptr, &magic, sizeof magic, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
}

TEST_F(IlDamage, IsFoundBehindWhatIsTolerated) {
  constexpr std::uint32_t kTypeFloat = 22;
  constexpr std::uint32_t kIAdd = 128;
  const Module good = module_named("tolerated");
  EXPECT_EQ(result_of(built_il("tolerated"), "tolerated", std::vector<cl_uint>{41, 7}), (std::vector<cl_uint>{42, 7}));
  Module bad = good;
  set_word(bad, find_op(bad, kIAdd) + 1, word_of(bad, find_op(bad, kTypeFloat) + 1));
  from_il(bad, CL_INVALID_VALUE);
}

/// Modules of oneAPI 2024 (compiler/spirv/mended_form.h).
TEST_F(IlDamage, SlipsOfProducersAreMended) {
  EXPECT_EQ(result_of(built_il("slips"), "first", std::vector<cl_uint>{2, 1}), (std::vector<cl_uint>{33, 1}));
  EXPECT_EQ(result_of(built_il("slips"), "second", std::vector<cl_uint>{5, 2}), (std::vector<cl_uint>{48, 2}));
}

TEST_F(IlDamage, HeadersAreChecked) {
  const Module good = module_named("constants");
  const auto with = [&](size_t index, std::uint32_t word) {
    Module bad = good;
    set_word(bad, index, word);
    return bad;
  };
  from_il(with(0, 0x07230204), CL_INVALID_VALUE);
  from_il(with(1, 0x00010700), CL_INVALID_VALUE);  // version 1.7
  from_il(with(1, 0x00020000), CL_INVALID_VALUE);
  from_il(with(1, 0x01010000), CL_INVALID_VALUE);
  from_il(with(3, 0), CL_INVALID_VALUE);
  from_il(with(3, 0xffffffff), CL_INVALID_VALUE);
  from_il(with(3, 5), CL_INVALID_VALUE);  // fewer than there are
  from_il(with(4, 1), CL_INVALID_VALUE);
}

TEST_F(IlDamage, EveryCutIsSeen) {
  const Module good = module_named("caller");
  const size_t empty = (find_op(good, kMemoryModel) + 3) * 4;  // a module that declares nothing is valid
  for (size_t size = 1; size < good.size(); ++size) {
    SCOPED_TRACE(size);
    from_il(Module(good.begin(), good.begin() + size), size == empty ? CL_SUCCESS : CL_INVALID_VALUE);
  }
}

TEST_F(IlDamage, WhatTheDeviceLacksIsRefused) {
  const Module good = module_named("constants");
  const auto with = [&](std::uint32_t op, size_t operand, std::uint32_t word) {
    Module bad = good;
    set_word(bad, find_op(bad, op) + operand, word);
    return bad;
  };
  constexpr std::uint32_t kCapability = 17;
  constexpr std::uint32_t kEntryPoint = 15;
  from_il(with(kCapability, 1, 1), CL_INVALID_VALUE);     // Shader
  from_il(with(kCapability, 1, 9999), CL_INVALID_VALUE);  // none at all
  from_il(with(kMemoryModel, 1, 1), CL_INVALID_VALUE);    // Physical32
  from_il(with(kMemoryModel, 2, 1), CL_INVALID_VALUE);    // GLSL450
  from_il(with(kEntryPoint, 1, 5), CL_INVALID_VALUE);     // GLCompute
}

/// What other drivers take is told by the log of the build, for people who see nothing else.
TEST_F(IlDamage, BuildsNameTheCapabilityThatIsMissing) {
  constexpr std::uint32_t kCapability = 17;
  const std::pair<std::uint32_t, const char*> missing[] = {{60, "PipeStorage"}, {5606, "AsmINTEL"}};
  for (const auto& [number, name] : missing) {
    Module module = module_named("constants");
    set_word(module, find_op(module, kCapability) + 1, number);
    const auto program = from_il(module);
    EXPECT_EQ(clBuildProgram(program.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
    EXPECT_NE(log(program).find(std::string("capability ") + name + " is not supported: "), std::string::npos)
        << log(program);
    EXPECT_EQ(clCompileProgram(program.get(), 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr),
              CL_COMPILE_PROGRAM_FAILURE);
  }
}

TEST_F(IlDamage, TheTranslatorsEndIsALog) {
  const auto program = from_il(module_named("barrier"));
  EXPECT_EQ(clBuildProgram(program.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(log(program).find("the SPIR-V translator gave the module up: "), std::string::npos) << log(program);
  EXPECT_EQ(clCompileProgram(program.get(), 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr),
            CL_COMPILE_PROGRAM_FAILURE);
  build(from_il(module_named("saxpy")));
}

TEST_F(IlDamage, WordsThatAreChangedNeverDoHarm) {
  const Module good = module_named("saxpy");
  std::mt19937 random(1);
  int refused = 0;
  for (int i = 0; i < 150; ++i) {
    Module bad = good;
    for (unsigned n = 1 + random() % 3; n != 0; --n) {
      const size_t at = 5 + random() % (bad.size() / 4 - 5);
      set_word(
          bad, at,
          random() % 2 == 0 ? static_cast<std::uint32_t>(random() % 70) : word_of(bad, at) ^ (1U << random() % 32));
    }
    cl_int code = 1;
    ProgramPtr program(clCreateProgramWithIL(context_.get(), bad.data(), bad.size(), &code));
    if (program == nullptr) {
      ++refused;
      ASSERT_EQ(code, CL_INVALID_VALUE);
      continue;
    }
    const cl_int built = clBuildProgram(program.get(), 0, nullptr, nullptr, nullptr, nullptr);
    if (built == CL_SUCCESS) continue;
    ASSERT_EQ(built, CL_BUILD_PROGRAM_FAILURE);
    ASSERT_FALSE(log(program).empty());
  }
  EXPECT_GT(refused, 50);
  // The driver still works.
  build(from_il(good));
}

}  // namespace
}  // namespace lanewise::test
