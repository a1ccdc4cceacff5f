// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SPV_INTEL_arbitrary_precision_integers: see the module.
#include "tests/spirv/newer_fixture.h"

namespace lanewise::test {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::size_t kItems = 203;

class OddIntegers : public NewerIl {
 protected:
  void SetUp() override {
    NewerIl::SetUp();
    if (!IsSkipped() && !has("SPV_INTEL_arbitrary_precision_integers")) GTEST_SKIP() << "the validator refuses them";
  }
};

std::vector<cl_ulong> numbers(std::size_t count) {
  std::vector<cl_ulong> made(count);
  for (std::size_t i = 0; i < count; ++i) made[i] = i * 0x9e3779b97f4a7c15U ^ i << 7;
  return made;
}

/// The lowest bits as a signed number.
cl_long narrowed(cl_ulong number, unsigned bits) {
  return static_cast<cl_long>(number << (64 - bits)) >> (64 - bits);
}

constexpr std::uint32_t kTypeInt = 21, kConstant = 43, kConstantNull = 46;

TEST_F(OddIntegers, FitInRegisters) {
  for (const cl_ulong shift : {3U, 5U}) {
    const auto program = from_il(module_named("newer_odd_integers"));
    if (shift != 3) EXPECT_EQ(clSetProgramSpecializationConstant(program.get(), 3, sizeof shift, &shift), CL_SUCCESS);
    build(program);
    const auto before = numbers(2 * kItems);
    auto expected = before;
    for (std::size_t i = 0; i < 2 * kItems; i += 2) {
      expected[i] = static_cast<cl_ulong>(narrowed(before[i] * 7 + 70000000000, 37) >> shift);
      const cl_long x = narrowed(before[i], 17), rest = x % 5;
      const cl_long chosen = rest == 0 ? 5 : rest == 3 ? narrowed(static_cast<cl_ulong>(2 * x), 17) : rest;
      expected[i + 1] = static_cast<cl_ulong>(chosen);
    }
    EXPECT_EQ(result_of(program, "narrow", before, kItems), expected) << shift;
  }
}

/// Numbers of 24 bits are in words.
TEST_F(OddIntegers, AreInMemory) {
  const auto before = numbers(kItems);
  const auto after = result_of(built_il("newer_odd_integers"), "memory", before, kItems);
  for (std::size_t i = 0; i < kItems; ++i) {
    const cl_ulong sum = before[i] * 3 + (before[i] >> 32);
    ASSERT_EQ(after[i] & 0xffffff, sum & 0xffffff) << i;
    ASSERT_EQ(after[i] >> 32 & 0xffffff, before[i] >> 32 & 0xffffff) << i;
  }
}

TEST_F(OddIntegers, AreWide) {
  std::uint32_t type = 0;
  const auto program = from_il(changed(module_named("newer_odd_integers"), [&](std::vector<std::uint32_t>& i) {
    if ((i[0] & 0xffff) == kTypeInt && i[2] == 100) type = i[1];
    if ((i[0] & 0xffff) == kConstantNull && type != 0 && i[1] == type)
      i = {kConstant, i[1], i[2], 0x89abcdef, 0x01234567, 0x76543210, 0x9};
  }));
  build(program);
  const Wide big = Wide{0x976543210} << 64 | 0x0123456789abcdef;
  auto before = numbers(2 * kItems);
  for (std::size_t i = 0; i < kItems; ++i)
    if (before[2 * i] == 0 || i % 3 == 0) before[2 * i] |= 1, before[2 * i + 1] >>= 20 + i % 44;
  auto expected = before;
  for (std::size_t i = 0; i < 2 * kItems; i += 2) {
    const Wide w = Wide{before[i + 1]} << 64 | before[i];
    const Wide sum = big / (w << 28 >> 28) + w;
    expected[i] = static_cast<cl_ulong>(sum);
    expected[i + 1] = static_cast<cl_ulong>(sum >> 64);
  }
  EXPECT_EQ(result_of(program, "wide", before, kItems), expected);
}

TEST_F(OddIntegers, AreInVectors) {
  const auto before = numbers(kItems);
  std::vector<cl_ulong> expected;
  constexpr cl_ulong kMask = 0x1ffff;
  for (const cl_ulong number : before) {
    const cl_ulong x = number & kMask;
    cl_ulong sum = 0;
    for (const cl_ulong product : {x * 5, (x + 5) * 2, x * 2 * 5, x * 2})
      if ((product & kMask) < x) sum += product;
    expected.push_back(sum & kMask);
  }
  EXPECT_EQ(result_of(built_il("newer_odd_integers"), "vectors", before, kItems), expected);
}

TEST_F(OddIntegers, MayHaveTheLaterNameOfTheExtension) {
  const auto program = from_il(changed(module_named("newer_odd_integers"), [&](std::vector<std::uint32_t>& i) {
    constexpr std::uint32_t kExtension = 10;
    constexpr char kName[] = "SPV_ALTERA_arbitrary_precision_integers";
    if ((i[0] & 0xffff) != kExtension) return;
    i.assign(1 + sizeof kName / 4, kExtension);
    std::memcpy(i.data() + 1, kName, sizeof kName);
  }));
  build(program);
}

TEST_F(OddIntegers, AreRefusedIfTooWide) {
  const auto program = from_il(changed(module_named("newer_odd_integers"), [](std::vector<std::uint32_t>& i) {
    if ((i[0] & 0xffff) == kTypeInt && i[2] == 100) i[2] = 300;
  }));
  EXPECT_EQ(clBuildProgram(program.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(log(program).find("integers of 300 bits are not supported: the most is 128"), std::string::npos)
      << log(program);
}

}  // namespace
}  // namespace lanewise::test
