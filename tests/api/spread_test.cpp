// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches of few, heavy work-groups use all threads. Tested without a clock: the first group polls, a limited number
/// of times, until a later one has begun, which can only be on another thread.
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

class Spread : public ProgramFixture {
 protected:
  void SetUp() override {
    ProgramFixture::SetUp();
    cl_uint units = 0;
    ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr), CL_SUCCESS);
    if (units < 2) GTEST_SKIP() << "one compute unit";
  }

  /// state[0]: the last group has begun; state[1]: the first one saw that.
  KernelPtr meeting() {
    program_ = built(R"(
      __kernel void meet(volatile __global int* state, long looks, int at) {
        const size_t last = get_num_groups(0) - 1;
        if (get_group_id(0) == last) atomic_xchg(&state[0], 1);
        if (get_group_id(0) == 0 && get_local_id(0) == 0)
          for (long i = 0; i < looks; ++i)
            if (state[at] != 0) {
              state[1] = 1;
              break;
            }
      })");
    KernelPtr kernel = this->kernel(program_, "meet");
    make_state(kernel);
    look_at(kernel, 0);
    return kernel;
  }
  void make_state(const KernelPtr& kernel) {
    cl_int code = 0;
    state_.reset(clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, 3 * sizeof(cl_int), nullptr, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    cl_mem memory = state_.get();
    EXPECT_EQ(clSetKernelArg(kernel.get(), 0, sizeof memory, &memory), CL_SUCCESS);
  }

  /// 0: the first group polls what the last one writes; 2: what nobody writes.
  static void look_at(const KernelPtr& kernel, cl_int at) {
    EXPECT_EQ(clSetKernelArg(kernel.get(), 2, sizeof at, &at), CL_SUCCESS);
  }

  /// One launch on a queue of its own; whether the groups met.
  bool met(const KernelPtr& kernel, cl_long looks, std::size_t groups, std::size_t local) {
    const auto on = queue();
    const cl_int none[3] = {0, 0, 0};
    EXPECT_EQ(clEnqueueWriteBuffer(on.get(), state_.get(), CL_TRUE, 0, sizeof none, none, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel.get(), 1, sizeof looks, &looks), CL_SUCCESS);
    run(kernel, groups * local, local);
    return read<cl_int>(state_, 3)[1] == 1;
  }

  /// Half a minute if the groups do not meet: the second thread may wait long for a processor on a busy machine.
  static constexpr cl_long kMany = cl_long{1} << 35;
  static constexpr cl_long kSome = 10'000'000;
  ProgramPtr program_;
  MemPtr state_;
};

TEST_F(Spread, FirstLaunchOfFewGroups) {
  const std::size_t shapes[][2] = {{2, 1}, {16, 1}, {128, 1}, {16, 4}, {8, 16}, {2, 64}};
  for (const auto& [groups, local] : shapes) {
    const KernelPtr kernel = meeting();  // a new program each time, so that its cost is not known
    EXPECT_TRUE(met(kernel, kMany, groups, local)) << groups << " groups of " << local;
  }
}

TEST_F(Spread, HeavyLaunchAfterCheapOnes) {
  for (const int cheap : {50, 51}) {
    const KernelPtr kernel = meeting();
    const auto on = queue();
    const cl_long looks = 0;
    ASSERT_EQ(clSetKernelArg(kernel.get(), 1, sizeof looks, &looks), CL_SUCCESS);
    const std::size_t groups = 16;
    const std::size_t local = 1;
    for (int i = 0; i < cheap; ++i) {
      ASSERT_EQ(clEnqueueNDRangeKernel(on.get(), kernel.get(), 1, nullptr, &groups, &local, 0, nullptr, nullptr),
                CL_SUCCESS);
      ASSERT_EQ(clFinish(on.get()), CL_SUCCESS);
    }
    // These may stay on one thread. The driver measures one in sixteen launches of a cheap kernel; from one of these it
    // learns that the kernel is heavy. If their groups met by chance, it would learn that the kernel is cheap.
    look_at(kernel, 2);
    for (int i = 0; i < 150; ++i) met(kernel, kSome / 10, groups, local);
    look_at(kernel, 0);
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(met(kernel, kMany, groups, local)) << cheap << ", launch " << i;
  }
}

/// A kernel that uses only global ids: neighbouring groups run as the lanes of vectors.
class SpreadRows : public Spread {
 protected:
  KernelPtr build(const std::string& body) {
    program_ = built(
        "__kernel void meet(volatile __global int* state, long looks, int at) {"
        "  const size_t i = get_global_id(0);"
        "  const size_t last = get_global_size(0) - 1;" +
        body + "}");
    KernelPtr kernel = this->kernel(program_, "meet");
    make_state(kernel);
    look_at(kernel, 0);
    return kernel;
  }
  const std::string wait_ = "if (i == 0) for (long k = 0; k < looks; ++k) if (state[at] != 0) { state[1] = 1; break; }";
  const std::string tell_ = "if (i == last) atomic_xchg(&state[0], 1);";
};

TEST_F(SpreadRows, OfTheFirstLaunch) {
  // 128 items are several rows, whatever their width.
  EXPECT_TRUE(met(build(tell_ + wait_), kMany, 128, 1));
}

/// With fewer rows than threads the lanes of a row are divided, at least once, to measure whether that is faster. In
/// one vector the last lane would only signal after the first has given up.
TEST_F(SpreadRows, AreDividedOnTrial) {
  const KernelPtr kernel = build(wait_ + tell_);
  // A launch that always takes long: if its groups met by chance, the next one would be taken for a small one.
  look_at(kernel, 2);
  met(kernel, kSome, 4, 1);
  look_at(kernel, 0);
  EXPECT_TRUE(met(kernel, kMany, 4, 1));
}

}  // namespace
}  // namespace lanewise::test
