// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Semaphores in short, for tests.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <vector>

#include "include/lanewise/semaphore.h"
#include "tests/api/program_fixture.h"

namespace lanewise::test {

class SemaphoreFixture : public ProgramFixture {
 protected:
  using Properties = std::vector<cl_semaphore_properties_khr>;

  void SetUp() override {
    ProgramFixture::SetUp();
#define LANEWISE_FIND(member, name)                                                                        \
  member = reinterpret_cast<decltype(member)>(clGetExtensionFunctionAddressForPlatform(platform_, #name)); \
  ASSERT_NE(member, nullptr) << #name
    LANEWISE_FIND(create_, clCreateSemaphoreWithPropertiesKHR);
    LANEWISE_FIND(retain_, clRetainSemaphoreKHR);
    LANEWISE_FIND(release_, clReleaseSemaphoreKHR);
    LANEWISE_FIND(signal_, clEnqueueSignalSemaphoresKHR);
    LANEWISE_FIND(wait_, clEnqueueWaitSemaphoresKHR);
    LANEWISE_FIND(info_, clGetSemaphoreInfoKHR);
#undef LANEWISE_FIND
    first_ = queue();
    second_ = queue();
  }

  [[nodiscard]] cl_semaphore_khr semaphore() const {
    const Properties binary{CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
    cl_int code = 1;
    cl_semaphore_khr made = create_(context_.get(), binary.data(), &code);
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  [[nodiscard]] cl_int creation(const Properties& properties) const {
    cl_int code = 1;
    cl_semaphore_khr made = create_(context_.get(), properties.data(), &code);
    EXPECT_EQ(made != nullptr, code == CL_SUCCESS);
    if (made != nullptr) {
      EXPECT_EQ(release_(made), CL_SUCCESS);
    }
    return code;
  }
  cl_event signal(const QueuePtr& queue, cl_semaphore_khr semaphore) const {
    cl_event event = nullptr;
    EXPECT_EQ(signal_(queue.get(), 1, &semaphore, nullptr, 0, nullptr, &event), CL_SUCCESS);
    return event;
  }
  cl_event wait(const QueuePtr& queue, cl_semaphore_khr semaphore, cl_event after = nullptr) const {
    cl_event event = nullptr;
    EXPECT_EQ(wait_(queue.get(), 1, &semaphore, nullptr, after != nullptr ? 1 : 0, after != nullptr ? &after : nullptr,
                    &event),
              CL_SUCCESS);
    return event;
  }
  [[nodiscard]] static cl_int status(cl_event event) {
    cl_int value = 1;
    EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof value, &value, nullptr), CL_SUCCESS);
    return value;
  }
  static cl_int finish(cl_event event) {
    const cl_int code = clWaitForEvents(1, &event);
    EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    return code;
  }
  [[nodiscard]] cl_semaphore_payload_khr payload(cl_semaphore_khr semaphore) const {
    cl_semaphore_payload_khr value = 77;
    EXPECT_EQ(info_(semaphore, CL_SEMAPHORE_PAYLOAD_KHR, sizeof value, &value, nullptr), CL_SUCCESS);
    return value;
  }

  clCreateSemaphoreWithPropertiesKHR_fn create_ = nullptr;
  clRetainSemaphoreKHR_fn retain_ = nullptr;
  clReleaseSemaphoreKHR_fn release_ = nullptr;
  clEnqueueSignalSemaphoresKHR_fn signal_ = nullptr;
  clEnqueueWaitSemaphoresKHR_fn wait_ = nullptr;
  clGetSemaphoreInfoKHR_fn info_ = nullptr;
  QueuePtr first_;
  QueuePtr second_;
};

}  // namespace lanewise::test
