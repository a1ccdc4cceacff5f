// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a loader sees: dispatch table, look-up by name. Two loaders in one process: tests/packaging.
#include <dlfcn.h>

#include <cstdint>

#include "include/lanewise/cl_compat.h"
#include "tests/api/fixture.h"

namespace lanewise::test {
namespace {

struct Head {
  void* const* dispatch;
};

const Head& head(const void* handle) {
  return *static_cast<const Head*>(handle);
}

struct Slot {
  const char* name;
  enum Kind { works, found, alias, empty } kind;
};

constexpr Slot kSlots[] = {
#define ENTRY(name, since) {#name, Slot::works},
#define FOUND(name, since, extension) {#name, Slot::found},
#define ALIAS(name, function) {#name, Slot::alias},
#define EMPTY(name) {#name, Slot::empty},
#include "icd/entry_points.def"
};

TEST(IcdLoader, TableHoldsWhatTheLookUpGives) {
  const auto platform = first_platform();
  void* const* table = head(platform).dispatch;
  ASSERT_NE(table, nullptr);
  for (const Slot& slot : kSlots) {
    void* const entry = *table++;
    void* const found = clGetExtensionFunctionAddressForPlatform(platform, slot.name);
    switch (slot.kind) {
      case Slot::works:
        EXPECT_NE(entry, nullptr) << slot.name;
        EXPECT_EQ(entry, dlsym(RTLD_DEFAULT, slot.name)) << slot.name;
        EXPECT_EQ(found, nullptr) << slot.name;
        break;
      case Slot::alias:
        EXPECT_NE(entry, nullptr) << slot.name;
        EXPECT_EQ(entry, found) << slot.name;
        break;
      case Slot::found:
        EXPECT_NE(entry, nullptr) << slot.name;
        EXPECT_EQ(entry, dlsym(RTLD_DEFAULT, slot.name)) << slot.name;
        EXPECT_EQ(entry, found) << slot.name;
        break;
      case Slot::empty:
        EXPECT_EQ(entry, nullptr) << slot.name;
        EXPECT_EQ(found, nullptr) << slot.name;
        break;
    }
  }
}

TEST(IcdLoader, Names) {
  const auto platform = first_platform();
  const char* const platforms = "clIcdGetPlatformIDsKHR";
  EXPECT_NE(clGetExtensionFunctionAddress(platforms), nullptr);
  EXPECT_NE(clGetExtensionFunctionAddressForPlatform(platform, platforms), nullptr);
  EXPECT_NE(dlsym(RTLD_DEFAULT, platforms), nullptr);
  EXPECT_NE(clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSuggestedLocalWorkSizeKHR"), nullptr);
  for (const char* name : {
#define PLANNED(name, extension) #name,
#include "icd/entry_points.def"
           "clNoSuchFunction", "", "clCreateFromD3D10BufferKHR"}) {
    EXPECT_EQ(clGetExtensionFunctionAddress(name), nullptr) << name;
    EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(platform, name), nullptr) << name;
  }
  EXPECT_EQ(clGetExtensionFunctionAddress(nullptr), nullptr);
  EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(nullptr, "clIcdGetPlatformIDsKHR"), nullptr);
}

/// A loader with tables of its own (cl_khr_icd 2.0) must not take this driver for one that lets it use them: the
/// objects have no room for the tables of several loaders.
TEST(IcdLoader, NoLoaderManagedDispatch) {
  constexpr std::intptr_t kTag = 0x4F50454E434C3331;  // CL_ICD2_TAG_KHR
  const auto* table = reinterpret_cast<const cl_icd_dispatch*>(head(first_platform()).dispatch);
  EXPECT_NE(reinterpret_cast<std::intptr_t>(table->clGetPlatformIDs), kTag);
  EXPECT_NE(reinterpret_cast<std::intptr_t>(table->clUnloadCompiler), kTag);
  for (const char* name : {"clIcdGetFunctionAddressForPlatformKHR", "clIcdSetPlatformDispatchDataKHR"}) {
    EXPECT_EQ(clGetExtensionFunctionAddress(name), nullptr) << name;
    EXPECT_EQ(dlsym(RTLD_DEFAULT, name), nullptr) << name;
  }
}

}  // namespace
}  // namespace lanewise::test
