// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions that have been renamed since, and are still called by their older names.
#include <CL/cl_ext.h>

#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

class OlderNames : public ProgramFixture {
 protected:
  template <class Function>
  [[nodiscard]] Function find(const char* name) const {
    auto* found = reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform_, name));
    EXPECT_NE(found, nullptr) << name;
    return found;
  }
};

TEST_F(OlderNames, BuffersWithProperties) {
  const auto create = find<clCreateBufferWithPropertiesINTEL_fn>("clCreateBufferWithPropertiesINTEL");
  cl_int code = 1;
  const MemPtr made(create(context_.get(), nullptr, CL_MEM_READ_WRITE, 64, nullptr, &code));
  EXPECT_EQ(code, CL_SUCCESS);
  EXPECT_NE(made, nullptr);
  const cl_mem_properties_intel unknown[] = {77, 1, 0};
  EXPECT_EQ(create(context_.get(), unknown, CL_MEM_READ_WRITE, 64, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_PROPERTY);
}

TEST_F(OlderNames, Migration) {
  const auto migrate = find<clEnqueueMigrateMemObjectEXT_fn>("clEnqueueMigrateMemObjectEXT");
  const auto on = queue();
  const auto memory = buffer(64);
  cl_mem handle = memory.get();
  cl_event event = nullptr;
  ASSERT_EQ(migrate(on.get(), 1, &handle, CL_MIGRATE_MEM_OBJECT_HOST_EXT, 0, nullptr, &event), CL_SUCCESS);
  cl_command_type type = 0;
  EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
  EXPECT_EQ(type, cl_command_type{CL_COMMAND_MIGRATE_MEM_OBJECT_EXT});
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
  EXPECT_EQ(migrate(on.get(), 1, &handle, 2, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(migrate(on.get(), 0, &handle, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(migrate(on.get(), 1, nullptr, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(migrate(nullptr, 1, &handle, 0, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  cl_mem none = nullptr;
  EXPECT_EQ(migrate(on.get(), 1, &none, 0, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
}

TEST_F(OlderNames, Memset) {
  const auto allocate = find<clSharedMemAllocINTEL_fn>("clSharedMemAllocINTEL");
  const auto give_back = find<clMemFreeINTEL_fn>("clMemFreeINTEL");
  const auto set = find<clEnqueueMemsetINTEL_fn>("clEnqueueMemsetINTEL");
  const auto on = queue();
  cl_int code = 1;
  auto* bytes = static_cast<unsigned char*>(allocate(context_.get(), device_, nullptr, 100, 0, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  std::fill(bytes, bytes + 100, static_cast<unsigned char>(1));
  ASSERT_EQ(set(on.get(), bytes + 3, 0x1ab, 90, 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(clFinish(on.get()), CL_SUCCESS);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(bytes[i], i < 3 || i >= 93 ? 1 : 0xab) << i;
  EXPECT_EQ(set(on.get(), nullptr, 0, 90, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(set(on.get(), bytes, 0, 101, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(set(nullptr, bytes, 0, 1, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(give_back(context_.get(), bytes), CL_SUCCESS);
}

}  // namespace
}  // namespace lanewise::test
