// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A kernel whose groups wait for their predecessors, again and again: its cost is known from the second launch on, and
/// the launch is in few large pieces then. A limit of time is that of the test program.
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

class GroupOrder : public ProgramFixture {};

TEST_F(GroupOrder, OfAChainInManyLaunches) {
  const ProgramPtr program = built(R"(
    __kernel void chain(volatile __global int* state, int work) {
      const int g = get_group_id(0);
      if (get_local_id(0) != 0) return;
      int sum = g;
      for (int k = 0; k < work; ++k) sum = sum * 5 + k;
      if (g > 0) while (state[g - 1] == 0) {}
      state[g] = sum | 1;
    })");
  const KernelPtr kernel = this->kernel(program, "chain");
  constexpr std::size_t kGroups = 20'000;
  cl_int code = 0;
  const MemPtr state(clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, kGroups * sizeof(cl_int), nullptr, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  cl_mem memory = state.get();
  ASSERT_EQ(clSetKernelArg(kernel.get(), 0, sizeof memory, &memory), CL_SUCCESS);
  for (const cl_int work : {0, 100, 2000})
    for (int launch = 0; launch < 10; ++launch) {
      const cl_int zero = 0;
      const auto on = queue();
      ASSERT_EQ(
          clEnqueueFillBuffer(on.get(), state.get(), &zero, sizeof zero, 0, kGroups * sizeof zero, 0, nullptr, nullptr),
          CL_SUCCESS);
      ASSERT_EQ(clFinish(on.get()), CL_SUCCESS);
      ASSERT_EQ(clSetKernelArg(kernel.get(), 1, sizeof work, &work), CL_SUCCESS);
      run(kernel, kGroups * 4, 4);
      const std::vector<cl_int> ended = read<cl_int>(state, kGroups);
      ASSERT_EQ(std::count(ended.begin(), ended.end(), 0), 0);
    }
}

}  // namespace
}  // namespace lanewise::test
