// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small extensions that producers of kernels declare.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tests/spirv/newer_fixture.h"

namespace lanewise::test {
namespace {

using Numbers = std::vector<cl_uint>;

class NewerProducers : public NewerIl {
 protected:
  void SetUp() override {
    NewerIl::SetUp();
    if (!IsSkipped() && !has("SPV_INTEL_predicated_io")) GTEST_SKIP() << "the validator does not know the extensions";
  }
  template <class T>
  std::vector<T> ran(const char* name, std::vector<T> values, size_t items, size_t local = 0) const {
    const auto made = kernel(built_il("newer_producers"), name);
    const size_t count = values.size();
    const auto memory = filled(std::move(values));
    set(made, 0, memory);
    run(made, items, local);
    return read<T>(memory, count);
  }
};

Numbers counted(size_t count) {
  Numbers numbers(count);
  for (size_t i = 0; i < count; ++i) numbers[i] = static_cast<cl_uint>(i * 0x9e3779b9U);
  return numbers;
}

TEST_F(NewerProducers, AccessesMayHaveAPredicate) {
  constexpr size_t kItems = 1003;
  const Numbers before = counted(2 * kItems);
  const Numbers after = ran("predicated", before, kItems);
  for (size_t i = 0; i < kItems; ++i) {
    const cl_uint loaded = before[2 * i] % 2 == 1 ? before[2 * i + 1] : 77;
    ASSERT_EQ(after[2 * i], i % 4 == 0 ? before[2 * i] : loaded) << i;
    ASSERT_EQ(after[2 * i + 1], before[2 * i + 1]) << i;
  }
}

/// Of vectors that are aligned as their elements are; nothing is accessed where the predicate is false.
TEST_F(NewerProducers, PredicatesGuardVectors) {
  constexpr size_t kItems = 1003;
  Numbers before = counted(5 * kItems);
  for (size_t i = 0; i < kItems; ++i) before[5 * i] = i % 3;
  const Numbers after = ran("vectors", before, kItems);
  for (size_t i = 0; i < before.size(); i += 5) {
    const bool on = before[i] != 0;
    ASSERT_EQ(after[i], on ? before[i + 4] : 7) << i;
    ASSERT_EQ(after[i + 1], on ? before[i + 4] : before[i + 1]) << i;
    for (size_t j = i + 2; j < i + 5; ++j) ASSERT_EQ(after[j], before[j]) << j;
  }
}

TEST_F(NewerProducers, BitsGoThroughATable) {
  constexpr size_t kItems = 501;
  const Numbers before = counted(4 * kItems);
  for (const cl_uint table : {0x96U, 0x00U, 0xffU, 0x1bU, 0xe8U}) {
    SCOPED_TRACE(table);
    const auto program = from_il(module_named("newer_producers"));
    if (table != 0x96U)
      ASSERT_EQ(clSetProgramSpecializationConstant(program.get(), 1, sizeof table, &table), CL_SUCCESS);
    build(program);
    const Numbers after = result_of(program, "bitwise", before, kItems);
    for (size_t i = 0; i < before.size(); i += 4) {
      const cl_uint a = before[i], b = before[i + 1], c = before[i + 2];
      cl_uint expected = 0;
      for (unsigned bit = 0; bit < 32; ++bit) {
        const cl_uint number = (a >> bit & 1) | (b >> bit & 1) << 1 | (c >> bit & 1) << 2;
        expected |= (table >> number & 1) << bit;
      }
      ASSERT_EQ(after[i], (a & ~c) | (b & c)) << i;
      ASSERT_EQ(after[i + 1], expected) << i;
      ASSERT_EQ(after[i + 2], c) << i;
    }
  }
}

TEST_F(NewerProducers, TablesAreForVectorsOfBytesToo) {
  const Numbers before = counted(size_t{4} * 333);
  const Numbers after = ran("narrow", before, 333);
  for (size_t i = 0; i < before.size(); i += 4) {
    const cl_uint a = before[i], b = before[i + 1], c = before[i + 2];
    ASSERT_EQ(after[i + 3], (a & ~c) | (b & c)) << i;
  }
}

TEST_F(NewerProducers, TensorFloatsHaveTenBitsOfFraction) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::vector<float> before{0,
                            -0.0F,
                            1,
                            -1,
                            kInfinity,
                            -kInfinity,
                            std::nanf(""),
                            -std::nanf("1"),
                            std::numeric_limits<float>::max(),
                            std::numeric_limits<float>::denorm_min()};
  for (const cl_uint bits : {0x7f800001U, 0xffbfffffU, 0x3f801000U, 0x3f803000U, 0x3f801001U, 0x3f800fffU})
    before.push_back(std::bit_cast<float>(bits));
  for (const cl_uint bits : counted(4096 - before.size())) before.push_back(std::bit_cast<float>(bits));
  const auto after = ran("rounded", before, before.size(), 16);
  for (size_t i = 0; i < before.size(); ++i) {
    const auto bits = std::bit_cast<cl_uint>(before[i]);
    if (std::isnan(before[i])) {
      ASSERT_TRUE(std::isnan(after[i])) << i;
      continue;
    }
    // The two numbers around it, of which the nearer one is wanted, or the one with an even last bit.
    const cl_uint low = bits & ~0x1fffU;
    const cl_uint rest = bits & 0x1fffU;
    const bool up = rest > 0x1000U || (rest == 0x1000U && (low & 0x2000U) != 0);
    ASSERT_EQ(std::bit_cast<cl_uint>(after[i]), up ? low + 0x2000U : low) << i << " " << before[i];
  }
}

/// SPV_EXT_split_barrier; a prefetch changes nothing.
TEST_F(NewerProducers, BarriersMayBeInTwoHalves) {
  const Numbers before = counted(1024);
  const Numbers after = ran("halves", before, before.size(), 16);
  for (size_t i = 0; i < before.size(); ++i) ASSERT_EQ(after[i], before[i ^ 1U]) << i;
}

/// SPV_KHR_float_controls2.
TEST_F(NewerProducers, PermissionsAreForEachOperation) {
  EXPECT_EQ(ran("permits", std::vector<float>(1003, 2), 1003), std::vector<float>(1003, 6));
}

TEST_F(NewerProducers, FormatsMayBeInAnyMemory) {
  ::testing::internal::CaptureStdout();
  const Numbers after = ran("prints", Numbers{42}, 1);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "42\n42\n42\n");
  EXPECT_EQ(after, Numbers{0});
}

}  // namespace
}  // namespace lanewise::test
