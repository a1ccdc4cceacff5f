// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose module says how many sub-groups a work-group has: queries, launches, local sizes that the driver chooses.
#include "include/lanewise/cl_compat.h"
#include "tests/spirv/fixture.h"

namespace lanewise::test {
namespace {

class SubGroupCounts : public IlFixture {
 protected:
  void SetUp() override {
    IlFixture::SetUp();
    if (!IsSkipped()) program_ = from_il(module_named("sub_group_counts"));
  }

  size_t required(const char* name) const {
    size_t count = 99;
    EXPECT_EQ(clGetKernelSubGroupInfo(kernel(program_, name).get(), device_, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0,
                                      nullptr, sizeof count, &count, nullptr),
              CL_SUCCESS);
    return count;
  }
  size_t local_size_for(const char* name, size_t count) const {
    size_t size = 99;
    EXPECT_EQ(clGetKernelSubGroupInfo(kernel(program_, name).get(), device_, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                                      sizeof count, &count, sizeof size, &size, nullptr),
              CL_SUCCESS);
    return size;
  }
  /// What each of the work-items wrote; empty if the launch is refused.
  std::vector<cl_uint> launched(const char* name, const size_t* local) const {
    const auto on = queue();
    const auto made = kernel(program_, name);
    const auto memory = filled(std::vector<cl_uint>(kItems));
    set(made, 0, memory);
    const cl_int code = clEnqueueNDRangeKernel(on.get(), made.get(), 1, nullptr, &kItems, local, 0, nullptr, nullptr);
    EXPECT_EQ(clFinish(on.get()), CL_SUCCESS);
    if (code == CL_SUCCESS) return read<cl_uint>(memory, kItems);
    EXPECT_EQ(code, CL_INVALID_WORK_GROUP_SIZE);
    return {};
  }

  static constexpr size_t kItems = 192;
  ProgramPtr program_;
};

TEST_F(SubGroupCounts, AreTold) {
  build(program_);
  EXPECT_EQ(required("four"), 4u);
  EXPECT_EQ(required("product"), 6u);
  EXPECT_EQ(required("any"), 0u);
  EXPECT_EQ(local_size_for("four", 4), 32u);
  EXPECT_EQ(local_size_for("four", 3), 0u);
  EXPECT_EQ(local_size_for("any", 3), 24u);
}

TEST_F(SubGroupCounts, FollowSpecialisationConstants) {
  const cl_uint four = 4;
  ASSERT_EQ(clSetProgramSpecializationConstant(program_.get(), 7, sizeof four, &four), CL_SUCCESS);
  build(program_);
  EXPECT_EQ(required("product"), 12u);
  EXPECT_EQ(launched("product", nullptr), std::vector<cl_uint>(kItems, 12));
}

TEST_F(SubGroupCounts, AreThoseOfLaunches) {
  build(program_);
  const size_t thirty_two = 32;
  const size_t twenty_seven = 27;
  const size_t twenty_four = 24;
  EXPECT_EQ(launched("four", &thirty_two), std::vector<cl_uint>(kItems, 4));
  EXPECT_EQ(launched("four", nullptr), std::vector<cl_uint>(kItems, 4));
  EXPECT_FALSE(launched("four", &twenty_seven).empty());  // the last of four is not full
  EXPECT_TRUE(launched("four", &twenty_four).empty());
  EXPECT_EQ(launched("product", nullptr), std::vector<cl_uint>(kItems, 6));
  EXPECT_TRUE(launched("product", &thirty_two).empty());
  EXPECT_EQ(launched("any", &twenty_four), std::vector<cl_uint>(kItems, 3));
}

TEST_F(SubGroupCounts, GoWithTheProgramsBinary) {
  build(program_);
  program_ = from_binary(binary(program_));
  build(program_);
  EXPECT_EQ(required("product"), 6u);
}

}  // namespace
}  // namespace lanewise::test
