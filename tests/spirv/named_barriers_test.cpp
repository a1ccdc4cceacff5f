// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Named barriers of modules (cl_khr_subgroup_named_barrier). From source: tests/kernels/named_barriers_test.cpp.
#include "tests/spirv/fixture.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kSize = 128;
constexpr std::size_t kItems = 3 * kSize;

class IlNamedBarriers : public IlFixture {
 protected:
  std::vector<cl_uint> result(const ProgramPtr& program, const char* name) const {
    const auto memory = filled(std::vector<cl_uint>(kItems));
    const auto made = kernel(program, name);
    set(made, 0, memory);
    run(made, kItems, kSize);
    return read<cl_uint>(memory, kItems);
  }
};

TEST_F(IlNamedBarriers, AllSubGroupsMeet) {
  const std::vector<cl_uint> found = result(built_il("named_barriers"), "all");
  for (std::size_t i = 0; i < kItems; ++i) ASSERT_EQ(found[i], kSize - 1 - i % kSize) << i;
}

TEST_F(IlNamedBarriers, SomeSubGroupsMeet) {
  const std::vector<cl_uint> found = result(built_il("named_barriers"), "some");
  for (std::size_t i = 0; i < kItems; ++i) {
    const std::size_t l = i % kSize;
    ASSERT_EQ(found[i], l < 8 || l >= kSize - 8 ? kSize - 1 - l : 7) << i;
  }
}

TEST_F(IlNamedBarriers, KernelsOfBinariesHaveThem) {
  const auto again = from_binary(binary(built_il("named_barriers")));
  build(again);
  EXPECT_EQ(result(again, "all")[5], kSize - 6);
}

}  // namespace
}  // namespace lanewise::test
