// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Queries about sub-groups (API 5.9.4, table 48; cl_intel_required_subgroup_size), and that launches agree with them.
#include <CL/cl_ext.h>

#include <array>

#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

using Sizes = std::vector<size_t>;

class SubGroups : public ProgramFixture {
 protected:
  static constexpr const char* kSource = R"(
    kernel void free(global uint* out) { out[get_global_id(0)] = sub_group_reduce_add(1u); }
    __attribute__((intel_reqd_sub_group_size(16))) kernel void sixteen(global uint* out) {
      out[get_global_id(0)] = get_max_sub_group_size();
    }
    __attribute__((reqd_work_group_size(24, 1, 1))) __attribute__((intel_reqd_sub_group_size(8)))
    kernel void fixed(global uint* out) { out[get_global_id(0)] = get_num_sub_groups(); }
    kernel void none(global uint* out) { out[get_global_id(0)] = 0; })";

  void SetUp() override {
    ProgramFixture::SetUp();
    program_ = built(kSource, "-cl-std=CL3.0");
  }

  cl_int query(const KernelPtr& kernel, cl_kernel_sub_group_info what, const Sizes& input, Sizes& output) const {
    size_t bytes = 0;
    const cl_int code = clGetKernelSubGroupInfo(kernel.get(), device_, what, input.size() * sizeof(size_t),
                                                input.data(), output.size() * sizeof(size_t), output.data(), &bytes);
    if (code == CL_SUCCESS) output.resize(bytes / sizeof(size_t));
    return code;
  }
  size_t value(const char* name, cl_kernel_sub_group_info what, const Sizes& input = {}) const {
    Sizes output(1, 0);
    EXPECT_EQ(query(kernel(program_, name), what, input, output), CL_SUCCESS);
    EXPECT_EQ(output.size(), 1u);
    return output[0];
  }
  Sizes local_size(const char* name, size_t count, size_t dimensions) const {
    Sizes output(dimensions, 9);
    EXPECT_EQ(query(kernel(program_, name), CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {count}, output), CL_SUCCESS);
    return output;
  }

  ProgramPtr program_;
};

TEST_F(SubGroups, Device) {
  cl_uint most = 0;
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof most, &most, nullptr), CL_SUCCESS);
  EXPECT_GE(most, 1u);
  cl_bool independent = CL_FALSE;
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, sizeof independent, &independent,
                            nullptr),
            CL_SUCCESS);
  EXPECT_TRUE(independent);  // kernels: Turns.*
  std::array<size_t, 5> sizes{};
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes.data(), nullptr), CL_SUCCESS);
  EXPECT_EQ(sizes, (std::array<size_t, 5>{4, 8, 16, 32, 64}));
}

TEST_F(SubGroups, SizeAndCount) {
  EXPECT_EQ(value("sixteen", CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {64}), 16u);
  EXPECT_EQ(value("sixteen", CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {5, 3, 2}), 16u);
  EXPECT_EQ(value("sixteen", CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {64}), 4u);
  EXPECT_EQ(value("sixteen", CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {65}), 5u);
  EXPECT_EQ(value("sixteen", CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {5, 7}), 3u);
  EXPECT_EQ(value("sixteen", CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {5, 7, 2}), 5u);
  EXPECT_EQ(value("sixteen", CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL), 16u);
  EXPECT_EQ(value("free", CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL), 0u);
  EXPECT_EQ(value("sixteen", CL_KERNEL_COMPILE_NUM_SUB_GROUPS), 0u);
  size_t most = 0;
  const auto k = kernel(program_, "sixteen");
  ASSERT_EQ(clGetKernelWorkGroupInfo(k.get(), device_, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(value("sixteen", CL_KERNEL_MAX_NUM_SUB_GROUPS), (most + 15) / 16);
  EXPECT_GE(value("none", CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {64}), 1u);
  cl_ulong spilled = 0;
  EXPECT_EQ(
      clGetKernelWorkGroupInfo(k.get(), device_, CL_KERNEL_SPILL_MEM_SIZE_INTEL, sizeof spilled, &spilled, nullptr),
      CL_SUCCESS);
}

TEST_F(SubGroups, LocalSizeForCount) {
  EXPECT_EQ(local_size("sixteen", 3, 1), Sizes({48}));
  EXPECT_EQ(local_size("sixteen", 3, 2), Sizes({48, 1}));
  EXPECT_EQ(local_size("sixteen", 1, 3), Sizes({16, 1, 1}));
  EXPECT_EQ(local_size("sixteen", 0, 3), Sizes({0, 0, 0}));
  EXPECT_EQ(local_size("sixteen", 1000000, 2), Sizes({0, 0}));
  EXPECT_EQ(local_size("sixteen", ~size_t{0} / 16 + 2, 1), Sizes({0}));
  EXPECT_EQ(local_size("fixed", 3, 3), Sizes({24, 1, 1}));
  EXPECT_EQ(local_size("fixed", 2, 3), Sizes({0, 0, 0}));
}

TEST_F(SubGroups, LaunchesAgree) {
  cl_int code = 1;
  const QueuePtr queue(clCreateCommandQueue(context_.get(), device_, 0, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  const size_t size = value("free", CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {50});
  const size_t count = value("free", CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {50});
  const MemPtr memory(clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, 100 * sizeof(cl_uint), nullptr, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  const auto k = kernel(program_, "free");
  cl_mem argument = memory.get();
  ASSERT_EQ(clSetKernelArg(k.get(), 0, sizeof argument, &argument), CL_SUCCESS);
  const size_t global = 100;
  const size_t local = 50;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue.get(), k.get(), 1, nullptr, &global, &local, 0, nullptr, nullptr), CL_SUCCESS);
  std::array<cl_uint, 100> out{};
  ASSERT_EQ(clEnqueueReadBuffer(queue.get(), memory.get(), CL_TRUE, 0, sizeof out, out.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(count, (50 + size - 1) / size);
  for (size_t i = 0; i < 100; ++i) {
    const size_t first = i % 50 / size * size;
    EXPECT_EQ(out[i], std::min<size_t>(size, 50 - first)) << i;
  }
}

TEST_F(SubGroups, Errors) {
  const auto k = kernel(program_, "free");
  Sizes output(3, 0);
  EXPECT_EQ(query(k, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {}, output), CL_INVALID_VALUE);
  EXPECT_EQ(query(k, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {1, 1, 1, 1}, output), CL_INVALID_VALUE);
  EXPECT_EQ(query(k, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {}, output), CL_INVALID_VALUE);
  EXPECT_EQ(query(k, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {1, 1}, output), CL_INVALID_VALUE);
  EXPECT_EQ(query(k, 0, {1}, output), CL_INVALID_VALUE);
  const size_t local = 8;
  size_t result = 0;
  const auto ask = [&](cl_kernel kernel, cl_device_id device, size_t input_bytes, const void* input, size_t bytes) {
    return clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, input_bytes, input, bytes,
                                   &result, nullptr);
  };
  EXPECT_EQ(ask(k.get(), device_, sizeof local, &local, sizeof result), CL_SUCCESS);
  EXPECT_EQ(ask(k.get(), nullptr, sizeof local, &local, sizeof result), CL_SUCCESS);
  EXPECT_EQ(ask(nullptr, device_, sizeof local, &local, sizeof result), CL_INVALID_KERNEL);
  EXPECT_EQ(ask(k.get(), reinterpret_cast<cl_device_id>(context_.get()), sizeof local, &local, sizeof result),
            CL_INVALID_DEVICE);
  EXPECT_EQ(ask(k.get(), device_, sizeof local, nullptr, sizeof result), CL_INVALID_VALUE);
  EXPECT_EQ(ask(k.get(), device_, sizeof local - 1, &local, sizeof result), CL_INVALID_VALUE);
  EXPECT_EQ(ask(k.get(), device_, sizeof local, &local, sizeof result - 1), CL_INVALID_VALUE);
}

TEST_F(SubGroups, SizesThatAreNotThereFailTheBuild) {
  for (const char* size : {"1", "3", "5", "128"}) {
    const auto program = source(std::string("__attribute__((intel_reqd_sub_group_size(") + size +
                                "))) kernel void k(global uint* out) { out[0] = 1; }");
    EXPECT_EQ(clBuildProgram(program.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE) << size;
    EXPECT_NE(log(program).find("sub-groups of"), std::string::npos) << log(program);
  }
}

}  // namespace
}  // namespace lanewise::test
