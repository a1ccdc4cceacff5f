// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a loader sees: dispatch table, loader-managed dispatch (cl_khr_icd 2.0), look-up by name.
#include <dlfcn.h>

#include <cstdint>

#include "include/lanewise/cl_compat.h"
#include "tests/api/fixture.h"

namespace lanewise::test {
namespace {

struct Head {
  void* const* dispatch;
  void* loader_data;
};

const Head& head(const void* handle) {
  return *static_cast<const Head*>(handle);
}

struct Slot {
  const char* name;
  enum Kind { works, tagged, foreign, empty } kind;
};

constexpr Slot kSlots[] = {
#define ENTRY(name, since) {#name, Slot::works},
#define TAGGED(name, since) {#name, Slot::tagged},
#define FOREIGN(name) {#name, Slot::foreign},
#define ALIAS(name, function) {#name, Slot::works},
#define EMPTY(name) {#name, Slot::empty},
#include "icd/entry_points.def"
};

TEST(IcdLoader, TableHoldsWhatTheLookUpGives) {
  const auto platform = first_platform();
  void* const* table = head(platform).dispatch;
  ASSERT_NE(table, nullptr);
  for (const Slot& slot : kSlots) {
    void* const entry = *table++;
    void* const found = clIcdGetFunctionAddressForPlatformKHR(platform, slot.name);
    switch (slot.kind) {
      case Slot::works:
        EXPECT_EQ(entry, found) << slot.name;
        EXPECT_NE(entry, nullptr) << slot.name;
        break;
      case Slot::tagged:
        EXPECT_EQ(reinterpret_cast<std::intptr_t>(entry), CL_ICD2_TAG_KHR) << slot.name;
        EXPECT_NE(found, nullptr) << slot.name;
        break;
      case Slot::foreign:
        EXPECT_NE(entry, nullptr) << slot.name;
        EXPECT_EQ(found, nullptr) << slot.name;
        break;
      case Slot::empty:
        EXPECT_EQ(entry, nullptr) << slot.name;
        EXPECT_EQ(found, nullptr) << slot.name;
        break;
    }
  }
}

TEST(IcdLoader, ForeignSlotsRefuse) {
  const auto* table = reinterpret_cast<const cl_icd_dispatch*>(head(first_platform()).dispatch);
  cl_int code = 0;
  EXPECT_EQ(table->clCreateFromGLBuffer(nullptr, 0, 0, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_OPERATION);
  EXPECT_EQ(table->clCreateFromGLBuffer(nullptr, 0, 0, nullptr), nullptr);
  EXPECT_EQ(table->clEnqueueAcquireGLObjects(nullptr, 0, nullptr, 0, nullptr, nullptr), CL_INVALID_OPERATION);
}

TEST(IcdLoader, Names) {
  const auto platform = first_platform();
  for (const char* name :
       {"clIcdGetPlatformIDsKHR", "clIcdGetFunctionAddressForPlatformKHR", "clIcdSetPlatformDispatchDataKHR"}) {
    EXPECT_NE(clGetExtensionFunctionAddress(name), nullptr) << name;
    EXPECT_NE(clGetExtensionFunctionAddressForPlatform(platform, name), nullptr) << name;
    EXPECT_NE(dlsym(RTLD_DEFAULT, name), nullptr) << name;
  }
  EXPECT_NE(clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSuggestedLocalWorkSizeKHR"), nullptr);
  for (const char* name : {
#define PLANNED(name, extension) #name,
#include "icd/entry_points.def"
           "clNoSuchFunction", "", "clCreateFromGLBuffer"}) {
    EXPECT_EQ(clGetExtensionFunctionAddress(name), nullptr) << name;
    EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(platform, name), nullptr) << name;
    EXPECT_EQ(clIcdGetFunctionAddressForPlatformKHR(platform, name), nullptr) << name;
  }
  EXPECT_EQ(clGetExtensionFunctionAddress(nullptr), nullptr);
  EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(nullptr, "clIcdGetPlatformIDsKHR"), nullptr);
  EXPECT_EQ(clIcdGetFunctionAddressForPlatformKHR(nullptr, "clGetPlatformIDs"), nullptr);
}

TEST(IcdLoader, DispatchDataReachesEveryNewObject) {
  const auto platform = first_platform();
  const auto device = first_device();
  void* const before = head(platform).loader_data;
  int mark = 0;
  EXPECT_EQ(clIcdSetPlatformDispatchDataKHR(nullptr, &mark), CL_INVALID_PLATFORM);
  ASSERT_EQ(clIcdSetPlatformDispatchDataKHR(platform, &mark), CL_SUCCESS);
  EXPECT_EQ(head(platform).loader_data, &mark);
  EXPECT_EQ(head(device).loader_data, &mark);
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  const cl_mem buffer = clCreateBuffer(context, 0, 64, nullptr, nullptr);
  EXPECT_EQ(head(context).loader_data, &mark);
  EXPECT_EQ(head(buffer).loader_data, &mark);
  EXPECT_EQ(head(context).dispatch, head(platform).dispatch);
  EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
  EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
  EXPECT_EQ(clIcdSetPlatformDispatchDataKHR(platform, before), CL_SUCCESS);
}

}  // namespace
}  // namespace lanewise::test
