// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPV_KHR_untyped_pointers.
#include <bit>
#include <cstdint>

#include "tests/spirv/newer_fixture.h"

namespace lanewise::test {
namespace {

class UntypedPointers : public NewerIl {
 protected:
  void SetUp() override {
    NewerIl::SetUp();
    if (!IsSkipped() && !has("SPV_KHR_untyped_pointers")) GTEST_SKIP() << "the validator does not know the extension";
  }
  /// The values after the kernel has run on them.
  template <class T>
  std::vector<T> ran(const char* name, std::vector<T> values, size_t items, size_t local = 0,
                     const char* module = "newer_untyped_pointers") const {
    const size_t count = values.size();
    const auto made = kernel(built_il(module), name);
    const auto memory = filled(std::move(values));
    set(made, 0, memory);
    run(made, items, local);
    return read<T>(memory, count);
  }
};

using Numbers = std::vector<cl_uint>;
constexpr size_t kItems = 1003;

Numbers counted(size_t count) {
  Numbers numbers(count);
  for (size_t i = 0; i < count; ++i) numbers[i] = static_cast<cl_uint>(i * 0x01030507U + 5);
  return numbers;
}

TEST_F(UntypedPointers, ReadAndWrite) {
  const Numbers before = counted(kItems);
  const Numbers after = ran("twice", before, kItems);
  for (size_t i = 0; i < kItems; ++i) ASSERT_EQ(after[i], 2 * before[i]) << i;
}

TEST_F(UntypedPointers, ReachFieldsOfStructures) {
  struct Pair {
    cl_uint number;
    float value;
    cl_ushort words[4];
  };
  std::vector<Pair> pairs(kItems);
  for (size_t i = 0; i < kItems; ++i)
    pairs[i] = {.number = 77, .value = static_cast<float>(i), .words = {1, 2, 3, static_cast<cl_ushort>(40000 + i)}};
  const auto after = ran("fields", pairs, kItems);
  for (size_t i = 0; i < kItems; ++i) ASSERT_EQ(after[i].number, 40000 + 2 * i) << i;
}

TEST_F(UntypedPointers, AreVariablesInLocalMemory) {
  const Numbers before = counted(160);
  const Numbers after = ran("reversed", before, before.size(), 16);
  for (size_t i = 0; i < before.size(); ++i) ASSERT_EQ(after[i], before[i / 16 * 16 + 15 - i % 16]) << i;
}

TEST_F(UntypedPointers, SeeAPrivateVariableInOtherTypes) {
  const Numbers before = counted(kItems);
  const Numbers after = ran("bytes", before, kItems);
  for (size_t i = 0; i < kItems; ++i) ASSERT_EQ(after[i], before[i] >> 8 * (i % 4) & 0xff) << i;
}

TEST_F(UntypedPointers, AreGenericToo) {
  EXPECT_EQ(ran("generic", Numbers{2}, 1), (Numbers{42}));
}

TEST_F(UntypedPointers, CopyMemory) {
  EXPECT_EQ(ran("copies", Numbers{11, 22, 33, 44, 55, 66}, 1), (Numbers{11, 16, 11, 44, 11, 22}));
}

TEST_F(UntypedPointers, AreAddressesOfAtomics) {
  Numbers before(16);
  before[4] = 1234;
  before[12] = 1000;
  const Numbers after = ran("atomics", before, 100);
  EXPECT_EQ(after[0], 200U);
  EXPECT_EQ(after[1], 99U);
  EXPECT_EQ(std::bit_cast<float>(after[2]), 100.0F);
  EXPECT_EQ(after[8], 1234U);
  EXPECT_LT(after[12], 100U);  // the number of the first work-item that came
}

TEST_F(UntypedPointers, HaveTheTypeThatAFunctionNeeds) {
  std::vector<float> before(10);
  before[0] = -2.75F;
  const auto after = ran("math", before, 1);
  EXPECT_EQ(after[1], -3.0F);
  EXPECT_EQ(std::bit_cast<cl_int>(after[2]), 2);
  EXPECT_EQ(after[3], -2.0F);
  EXPECT_EQ((std::vector<float>(after.begin() + 4, after.begin() + 8)), (std::vector<float>{0.25F, -6, -0.6875F, -4}));
  EXPECT_EQ(after[9], -0.75F);
}

TEST_F(UntypedPointers, ReadConstants) {
  const Numbers after = ran("tables", Numbers(kItems), kItems);
  for (size_t i = 0; i < kItems; ++i) ASSERT_EQ(after[i], 10 * (i % 4 + 1)) << i;
}

TEST_F(UntypedPointers, AreNumbersAndCompared) {
  EXPECT_EQ(ran("walk", Numbers{1, 20, 300, 4000, 50000}, 1), (Numbers{4321, 20, 300, 4000, 50000}));
}

TEST_F(UntypedPointers, DescribeArguments) {
  const auto made = kernel(built_il("newer_untyped_pointers", "-cl-kernel-arg-info"), "twice");
  cl_kernel_arg_address_qualifier space = 0;
  ASSERT_EQ(clGetKernelArgInfo(made.get(), 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(space, static_cast<cl_kernel_arg_address_qualifier>(CL_KERNEL_ARG_ADDRESS_GLOBAL));
}

TEST_F(UntypedPointers, AreRefusedWhereTheTypeIsNotKnown) {
  const auto program = from_il(module_named("newer_refused"));
  EXPECT_EQ(clBuildProgram(program.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(log(program).find("passed by value has an untyped pointer"), std::string::npos) << log(program);
}

/// Instructions that do not name the type of what they access, and constant expressions.
class UntypedOperations : public UntypedPointers {
 protected:
  template <class T>
  std::vector<T> ran(const char* name, std::vector<T> values, size_t items, size_t local = 0) const {
    return UntypedPointers::ran(name, std::move(values), items, local, "newer_untyped_operations");
  }
};

TEST_F(UntypedOperations, DifferencesAreInBytes) {
  EXPECT_EQ(ran("distance", std::vector<cl_long>{0, 0, 7}, 1), (std::vector<cl_long>{16, -16, 7}));
}

TEST_F(UntypedOperations, FlagsAreWords) {
  const Numbers after = ran("flags", Numbers{0, 1, 0, 0}, 1);
  EXPECT_EQ(after, (Numbers{0, 10, 20, 10}));
}

TEST_F(UntypedOperations, StepsAreOfWholeVectors) {
  const Numbers before = counted(4 * kItems);
  const Numbers after = ran("vectors", before, kItems);
  for (size_t i = 0; i < before.size(); i += 4) {
    ASSERT_EQ(after[i], before[i]) << i;
    ASSERT_EQ(after[i + 1], before[i + 2]) << i;
    ASSERT_EQ(after[i + 2], before[i + 1]) << i;
    ASSERT_EQ(after[i + 3], before[i + 3] + before[i + 2]) << i;
  }
}

TEST_F(UntypedOperations, StepsAreOfWholePointers) {
  Numbers before(kItems + 2);
  before[0] = 123;
  before[1] = 456;
  const Numbers after = ran("pointers", before, kItems);
  for (size_t i = 0; i < kItems; ++i) ASSERT_EQ(after[i + 2], i % 2 == 0 ? 123U : 456U) << i;
}

TEST_F(UntypedOperations, SubGroupsReadAndWriteBlocks) {
  std::vector<cl_ushort> words(1024);
  for (size_t i = 0; i < words.size(); ++i) words[i] = static_cast<cl_ushort>(i * 61);
  const auto after = ran("blocks", words, words.size(), 64);
  for (size_t i = 0; i < words.size(); ++i) ASSERT_EQ(after[i], static_cast<cl_ushort>(words[i] * 3)) << i;
  const Numbers before = counted(2048);
  const Numbers wide = ran("wide_blocks", before, before.size() / 2, 64);
  for (size_t i = 0; i < before.size(); ++i) ASSERT_EQ(wide[i], before[i] * 3) << i;
}

TEST_F(UntypedOperations, AsyncCopiesGatherAndScatter) {
  for (const size_t local : {1, 7, 64, 256}) {
    SCOPED_TRACE(local);
    const size_t items = 4 * local;
    const Numbers before = counted(3 * items);
    const Numbers gathered = ran("gathered", before, items, local);
    const Numbers scattered = ran("scattered", before, items, local);
    for (size_t i = 0; i < before.size(); ++i) {
      const size_t begin = i / 3 / local * local * 3;  // of the group's words
      ASSERT_EQ(gathered[i], before[i] + (i % 3 == 0 ? 1 : 0)) << i;
      if (i % 3 == 0) ASSERT_EQ(scattered[i], 2 * before[begin + (i - begin) / 3]) << i;
      if (i % 3 != 0) ASSERT_EQ(scattered[i], before[i]) << i;
    }
  }
}

TEST_F(UntypedOperations, AsyncCopiesTakeElementsOfAnySize) {
  constexpr size_t kElements = 100;
  std::vector<cl_uchar> before(9 * kElements + 3);
  for (size_t i = 0; i < before.size(); ++i) before[i] = static_cast<cl_uchar>(i * 7 + i / 256);
  std::vector<cl_uchar> expected = before;
  for (size_t i = 0; i < 5 * kElements; ++i) expected[i] = before[i / 5 * 9 + i % 5];
  EXPECT_EQ(ran("odd_sizes", before, kElements, kElements), expected);
}

TEST_F(UntypedOperations, AddressesAreConstants) {
  const Numbers after = ran("constants", Numbers(kItems), kItems);
  const cl_uint tens[] = {30, 60, 40, 70};
  for (size_t i = 0; i < kItems; ++i) ASSERT_EQ(after[i], tens[i % 4]) << i;
  const auto program = from_il(module_named("newer_untyped_operations"));
  const cl_ulong first = 0;
  ASSERT_EQ(clSetProgramSpecializationConstant(program.get(), 3, sizeof first, &first), CL_SUCCESS);
  build(program);
  EXPECT_EQ(result_of(program, "constants", Numbers(4), 4), (Numbers{30, 60, 40, 10}));
}

TEST_F(UntypedOperations, AddressesInitialiseVariables) {
  EXPECT_EQ(ran("globals", Numbers{3, 0}, 1), (Numbers{53, 53}));
}

/// Tables of variables, and casts to typed generic pointers.
TEST_F(UntypedOperations, PointersOfBothKindsMix) {
  EXPECT_EQ(ran("mixed", Numbers{7}, 1), Numbers{17});
}

}  // namespace
}  // namespace lanewise::test
