// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// reqd_work_group_size beyond the limits of the device, with and without an explicit local size (API 5.10): the error
/// is the same, and nothing runs. Private arrays that live across a barrier make the scratch memory of a group as large
/// as the group times their size, which must not wrap around.
#include <array>
#include <string>

#include "tests/api/fixture.h"
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

using Size3 = std::array<size_t, 3>;

class RequiredSize : public ProgramFixture {
 protected:
  /// The code of a launch of one group of the required size.
  void check(const Size3& size, cl_int expected) {
    const std::string name = std::to_string(size[0]) + "," + std::to_string(size[1]) + "," + std::to_string(size[2]);
    SCOPED_TRACE(name);
    const ProgramPtr program = built("kernel __attribute__((reqd_work_group_size(" + name +
                                     "))) void f(global uint* out) {"
                                     "  uint own[16];"
                                     "  for (int i = 0; i < 16; ++i) own[i] = out[i] + i;"
                                     "  barrier(CLK_GLOBAL_MEM_FENCE);"
                                     "  for (int i = 0; i < 16; ++i) atomic_add(out + i, own[15 - i]);"
                                     "}");
    const KernelPtr f = kernel(program, "f");
    const MemPtr memory = buffer(16 * sizeof(cl_uint));
    const cl_mem handle = memory.get();
    ASSERT_EQ(clSetKernelArg(f.get(), 0, sizeof handle, &handle), CL_SUCCESS);
    const QueuePtr q = queue();
    for (const size_t* local : {static_cast<const size_t*>(nullptr), size.data()}) {
      EXPECT_EQ(clEnqueueNDRangeKernel(q.get(), f.get(), 3, nullptr, size.data(), local, 0, nullptr, nullptr), expected)
          << (local != nullptr ? "explicit" : "left to the driver");
    }
    EXPECT_EQ(clFinish(q.get()), CL_SUCCESS);
  }
};

TEST_F(RequiredSize, BeyondTheDevice) {
  const size_t most = device_value<size_t>(device_, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  check({most, 1, 1}, CL_SUCCESS);
  check({most + 1, 1, 1}, CL_INVALID_WORK_ITEM_SIZE);
  check({most, 2, 1}, CL_INVALID_WORK_GROUP_SIZE);
  check({1, 1, 2 * most}, CL_INVALID_WORK_ITEM_SIZE);
  // 2^61 work-items: times the 64 bytes of each, 0.
  check({2097152, 2097152, 524288}, CL_INVALID_WORK_ITEM_SIZE);
  check({most, most, most}, CL_INVALID_WORK_GROUP_SIZE);
}

}  // namespace
}  // namespace lanewise::test
