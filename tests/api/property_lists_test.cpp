// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Property lists, by table: what every entry point that takes one must accept and reject. The lists for images and
/// samplers are in tests/api/images/property_lists_test.cpp.
#include "tests/api/property_lists.h"

#include <CL/cl_ext.h>

#include <limits>

#include "include/lanewise/cl_compat.h"
#include "tests/api/fixture.h"

namespace lanewise::test {
namespace {

class PropertyLists : public WithContext {
 protected:
  template <class F>
  F extension(const char* name) const {
    const auto function = reinterpret_cast<F>(clGetExtensionFunctionAddressForPlatform(platform, name));
    EXPECT_NE(function, nullptr) << name;
    return function;
  }
  std::uint64_t as_property(cl_platform_id handle) const { return reinterpret_cast<std::uintptr_t>(handle); }

  ListCase contexts(const char* name, ListCase::Create create) const {
    return {name,
            CL_INVALID_PROPERTY,
            {{CL_CONTEXT_PLATFORM, as_property(platform)},
             {CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, true},
             {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, true},
             {CL_CONTEXT_MEMORY_INITIALIZE_KHR, CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR, true}},
            {CL_QUEUE_PROPERTIES, CL_MEM_ALLOC_FLAGS_INTEL, CL_DEVICE_PARTITION_EQUALLY},
            std::move(create)};
  }
  ListCase queues(const char* name, ListCase::Create create) const {
    return {name,
            CL_INVALID_VALUE,
            {{CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, true},
             {CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_LOW_KHR, true},
             {CL_QUEUE_THROTTLE_KHR, CL_QUEUE_THROTTLE_HIGH_KHR, true}},
            {CL_CONTEXT_PLATFORM, CL_QUEUE_SIZE, CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT},
            std::move(create)};
  }
  ListCase allocations(const char* name, bool placed, ListCase::Create create) const {
    const std::uint64_t flags = placed ? CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL : CL_MEM_ALLOC_WRITE_COMBINED_INTEL;
    return {name,
            CL_INVALID_PROPERTY,
            {{CL_MEM_ALLOC_FLAGS_INTEL, flags, true}},
            {CL_QUEUE_PROPERTIES, CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT},
            std::move(create)};
  }
};

TEST_F(PropertyLists, Contexts) {
  check_lists(contexts("clCreateContext", [this](const std::uint64_t* list) {
    cl_int code = 1;
    const auto made =
        clCreateContext(reinterpret_cast<const cl_context_properties*>(list), 1, &device, nullptr, nullptr, &code);
    if (made != nullptr) EXPECT_EQ(clReleaseContext(made), CL_SUCCESS);
    return code;
  }));
  check_lists(contexts("clCreateContextFromType", [](const std::uint64_t* list) {
    cl_int code = 1;
    const auto made = clCreateContextFromType(reinterpret_cast<const cl_context_properties*>(list), CL_DEVICE_TYPE_ALL,
                                              nullptr, nullptr, &code);
    if (made != nullptr) EXPECT_EQ(clReleaseContext(made), CL_SUCCESS);
    return code;
  }));
}

TEST_F(PropertyLists, Queues) {
  const auto with = [this](auto function) {
    return [this, function](const std::uint64_t* list) {
      cl_int code = 1;
      const auto made = function(context, device, reinterpret_cast<const cl_queue_properties*>(list), &code);
      if (made != nullptr) EXPECT_EQ(clReleaseCommandQueue(made), CL_SUCCESS);
      return code;
    };
  };
  check_lists(queues("clCreateCommandQueueWithProperties", with(&clCreateCommandQueueWithProperties)));
  check_lists(queues("clCreateCommandQueueWithPropertiesKHR", with(extension<clCreateCommandQueueWithPropertiesKHR_fn>(
                                                                  "clCreateCommandQueueWithPropertiesKHR"))));
}

TEST_F(PropertyLists, Buffers) {
  check_lists({"clCreateBufferWithProperties",
               CL_INVALID_PROPERTY,
               {{CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, true}},
               {CL_QUEUE_PROPERTIES, CL_MEM_ALLOC_FLAGS_INTEL},
               [this](const std::uint64_t* list) {
                 cl_int code = 1;
                 const auto made = clCreateBufferWithProperties(context, list, 0, 64, nullptr, &code);
                 if (made != nullptr) EXPECT_EQ(clReleaseMemObject(made), CL_SUCCESS);
                 return code;
               }});
}

TEST_F(PropertyLists, ImportedMemory) {
  const auto import = extension<clImportMemoryARM_fn>("clImportMemoryARM");
  unsigned char own[64] = {};
  check_lists({"clImportMemoryARM",
               CL_INVALID_PROPERTY,
               {{CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_HOST_ARM, true}},
               {CL_IMPORT_TYPE_PROTECTED_ARM, CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, CL_MEM_ALLOC_FLAGS_INTEL},
               [&](const std::uint64_t* list) {
                 cl_int code = 1;
                 const auto made = import(context, 0, reinterpret_cast<const cl_import_properties_arm*>(list), own,
                                          sizeof own, &code);
                 if (made != nullptr) EXPECT_EQ(clReleaseMemObject(made), CL_SUCCESS);
                 return code;
               }});
}

TEST_F(PropertyLists, UnifiedSharedMemory) {
  const auto host = extension<clHostMemAllocINTEL_fn>("clHostMemAllocINTEL");
  const auto on_device = extension<clDeviceMemAllocINTEL_fn>("clDeviceMemAllocINTEL");
  const auto shared = extension<clSharedMemAllocINTEL_fn>("clSharedMemAllocINTEL");
  const auto free = extension<clMemFreeINTEL_fn>("clMemFreeINTEL");
  const auto given_back = [this, free](void* made, cl_int code) {
    if (made != nullptr) EXPECT_EQ(free(context, made), CL_SUCCESS);
    return code;
  };
  check_lists(allocations("clHostMemAllocINTEL", false, [=, this](const std::uint64_t* list) {
    cl_int code = 1;
    void* made = host(context, list, 64, 0, &code);
    return given_back(made, code);
  }));
  check_lists(allocations("clDeviceMemAllocINTEL", false, [=, this](const std::uint64_t* list) {
    cl_int code = 1;
    void* made = on_device(context, device, list, 64, 0, &code);
    return given_back(made, code);
  }));
  check_lists(allocations("clSharedMemAllocINTEL", true, [=, this](const std::uint64_t* list) {
    cl_int code = 1;
    void* made = shared(context, device, list, 64, 0, &code);
    return given_back(made, code);
  }));
}

/// A partition is one scheme with its values; nothing may follow it.
TEST_F(PropertyLists, SubDevices) {
  using List = std::vector<cl_device_partition_property>;
  constexpr cl_device_partition_property kHigh = cl_device_partition_property{1} << 32;
  constexpr auto kEqually = CL_DEVICE_PARTITION_EQUALLY;
  constexpr auto kCounts = CL_DEVICE_PARTITION_BY_COUNTS;
  constexpr auto kDomain = CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN;
  constexpr auto kNames = CL_DEVICE_PARTITION_BY_NAMES_INTEL;
  const List invalid[] = {
      {0},
      {0x7777, 1, 0},
      {-1, 1, 0},
      {kEqually | kHigh, 1, 0},
      {kEqually, 0, 0},
      {kEqually, -1, 0},
      {kEqually, 1, kEqually, 1, 0},
      {kEqually, 1, kCounts, 1, 0, 0},
      {kCounts, 0, 0},
      {kCounts, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, kEqually, 1, 0},
      {kDomain, 0, 0},
      {kDomain, cl_device_partition_property{1} << 40, 0},
      {kDomain, CL_DEVICE_AFFINITY_DOMAIN_NUMA | CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE, 0},
      {kDomain, CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, kDomain, CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0},
      {kNames, CL_PARTITION_BY_NAMES_LIST_END_INTEL, 0},
      {kNames, 0, 0, CL_PARTITION_BY_NAMES_LIST_END_INTEL, 0},
      {kNames, kHigh, CL_PARTITION_BY_NAMES_LIST_END_INTEL, 0},
      {kNames, 0, CL_PARTITION_BY_NAMES_LIST_END_INTEL, kNames, 0},
  };
  const auto code = [this](const List& list) {
    cl_uint count = 0;
    return clCreateSubDevices(device, list.data(), 0, nullptr, &count);
  };
  for (std::size_t i = 0; i < std::size(invalid); ++i) EXPECT_EQ(code(invalid[i]), CL_INVALID_VALUE) << i;
  EXPECT_EQ(clCreateSubDevices(device, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  const List too_many[] = {
      {kEqually, kHigh + 1, 0},   {kEqually, std::numeric_limits<cl_device_partition_property>::max(), 0},
      {kCounts, kHigh + 1, 0, 0}, {kCounts, std::numeric_limits<cl_device_partition_property>::max(), 1, 0, 0},
      {kCounts, -1, 0, 0},        {kCounts, 1, kHigh, 0, 0}};
  for (std::size_t i = 0; i < std::size(too_many); ++i)
    EXPECT_EQ(code(too_many[i]), CL_INVALID_DEVICE_PARTITION_COUNT) << i;
}

}  // namespace
}  // namespace lanewise::test
