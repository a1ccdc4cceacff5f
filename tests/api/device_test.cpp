// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The device (API 4.2, 4.3).
#include <sched.h>
#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "include/lanewise/cl_compat.h"
#include "tests/api/fixture.h"

namespace lanewise::test {
namespace {

TEST(Device, TypesAndLists) {
  const auto platform = first_platform();
  cl_uint count = 0;
  for (const cl_device_type type :
       {cl_device_type{CL_DEVICE_TYPE_ALL}, cl_device_type{CL_DEVICE_TYPE_CPU}, cl_device_type{CL_DEVICE_TYPE_DEFAULT},
        cl_device_type{CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU}}) {
    cl_device_id device = nullptr;
    EXPECT_EQ(clGetDeviceIDs(platform, type, 1, &device, &count), CL_SUCCESS);
    EXPECT_EQ(count, 1u);
    EXPECT_EQ(device, first_device());
  }
  EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 0, nullptr, &count), CL_DEVICE_NOT_FOUND);
  EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM, 0, nullptr, &count), CL_DEVICE_NOT_FOUND);
  EXPECT_EQ(clGetDeviceIDs(platform, 0, 0, nullptr, &count), CL_INVALID_DEVICE_TYPE);
  EXPECT_EQ(clGetDeviceIDs(platform, 1u << 20, 0, nullptr, &count), CL_INVALID_DEVICE_TYPE);
  cl_device_id device = nullptr;
  EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &device, &count), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceIDs(reinterpret_cast<cl_platform_id>(first_device()), CL_DEVICE_TYPE_ALL, 1, &device, nullptr),
            CL_INVALID_PLATFORM);
}

TEST(Device, RootIsNotCounted) {
  const auto device = first_device();
  EXPECT_EQ(clRetainDevice(device), CL_SUCCESS);
  EXPECT_EQ(device_value<cl_uint>(device, CL_DEVICE_REFERENCE_COUNT), 1u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(clReleaseDevice(device), CL_SUCCESS);
  EXPECT_EQ(device_value<cl_uint>(device, CL_DEVICE_REFERENCE_COUNT), 1u);
  EXPECT_EQ(device_value<cl_device_id>(device, CL_DEVICE_PARENT_DEVICE), nullptr);
}

TEST(Device, MinimumLimits) {
  const auto d = first_device();
  const auto global = device_value<cl_ulong>(d, CL_DEVICE_GLOBAL_MEM_SIZE);
  const auto alloc = device_value<cl_ulong>(d, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  EXPECT_GE(alloc, std::max<cl_ulong>(std::min<cl_ulong>(1u << 30, global / 4), 32u << 20));
  EXPECT_LE(alloc, global);
  EXPECT_GE(device_value<cl_ulong>(d, CL_DEVICE_LOCAL_MEM_SIZE), 32u << 10);
  EXPECT_GE(device_value<cl_ulong>(d, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE), 64u << 10);
  EXPECT_GE(device_value<cl_uint>(d, CL_DEVICE_MAX_CONSTANT_ARGS), 8u);
  EXPECT_GE(device_value<std::size_t>(d, CL_DEVICE_MAX_PARAMETER_SIZE), 1024u);
  EXPECT_GE(device_value<std::size_t>(d, CL_DEVICE_PRINTF_BUFFER_SIZE), 1u << 20);
  EXPECT_GE(device_value<cl_uint>(d, CL_DEVICE_MEM_BASE_ADDR_ALIGN), 1024u);
  EXPECT_EQ(device_value<cl_uint>(d, CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE), 128u);
  EXPECT_EQ(device_value<cl_uint>(d, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS), 3u);
  EXPECT_EQ(device_list<std::size_t>(d, CL_DEVICE_MAX_WORK_ITEM_SIZES).size(), 3u);
  EXPECT_EQ(device_value<cl_uint>(d, CL_DEVICE_ADDRESS_BITS), 64u);
  EXPECT_EQ(device_value<cl_bool>(d, CL_DEVICE_AVAILABLE), cl_bool{CL_TRUE});
  const auto queue = device_value<cl_command_queue_properties>(d, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES);
  EXPECT_TRUE(queue & CL_QUEUE_PROFILING_ENABLE);
}

TEST(Device, FloatingPoint) {
  const auto d = first_device();
  const auto single = device_value<cl_device_fp_config>(d, CL_DEVICE_SINGLE_FP_CONFIG);
  EXPECT_EQ(single & (CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN),
            cl_device_fp_config{CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN});
  constexpr cl_device_fp_config kRequired = CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN | CL_FP_DENORM;
  EXPECT_EQ(device_value<cl_device_fp_config>(d, CL_DEVICE_DOUBLE_FP_CONFIG) & kRequired, kRequired);
  constexpr cl_device_fp_config kHalf = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN | CL_FP_DENORM;
  EXPECT_EQ(device_value<cl_device_fp_config>(d, CL_DEVICE_HALF_FP_CONFIG) & kHalf, kHalf);
  EXPECT_EQ(device_value<cl_uint>(d, CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF),
            device_value<cl_uint>(d, CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT));
}

/// Also run at a lower level (LANEWISE_ISA), at which no feature beyond the level is used.
TEST(Device, DotProducts) {
#if defined(__x86_64__)
  const char* isa = std::getenv("LANEWISE_ISA");
  const bool highest = isa == nullptr || std::string(isa) == "x86-64-v4";
  const cl_bool expected = highest && __builtin_cpu_supports("avx512vnni") != 0 ? CL_TRUE : CL_FALSE;
#else
  const char* isa = std::getenv("LANEWISE_ISA");
  const bool lowest = isa != nullptr && std::string(isa) == "armv8-a";
  const cl_bool expected = !lowest && (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0 ? CL_TRUE : CL_FALSE;
#endif
  const auto d = first_device();
  constexpr cl_device_integer_dot_product_capabilities_khr kBoth =
      CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR | CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR;
  EXPECT_EQ(
      device_value<cl_device_integer_dot_product_capabilities_khr>(d, CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR),
      kBoth);
  for (const cl_device_info query : {CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
                                     CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR}) {
    std::size_t size = 0;
    ASSERT_EQ(clGetDeviceInfo(d, query, 0, nullptr, &size), CL_SUCCESS);
    ASSERT_EQ(size, sizeof(cl_device_integer_dot_product_acceleration_properties_khr));
    const auto fields = device_value<cl_device_integer_dot_product_acceleration_properties_khr>(d, query);
    EXPECT_EQ(fields.signed_accelerated, expected);
    EXPECT_EQ(fields.unsigned_accelerated, expected);
    EXPECT_EQ(fields.mixed_signedness_accelerated, expected);
    EXPECT_EQ(fields.accumulating_saturating_signed_accelerated, expected);
    EXPECT_EQ(fields.accumulating_saturating_unsigned_accelerated, expected);
    EXPECT_EQ(fields.accumulating_saturating_mixed_signedness_accelerated, expected);
  }
}

TEST(Device, HostFacts) {
  const auto d = first_device();
  EXPECT_FALSE(device_text(d, CL_DEVICE_NAME).empty());
  EXPECT_FALSE(device_text(d, CL_DEVICE_VENDOR).empty());
  const auto units = device_value<cl_uint>(d, CL_DEVICE_MAX_COMPUTE_UNITS);
  EXPECT_GE(units, 1u);
  EXPECT_LE(units, std::max(1u, std::thread::hardware_concurrency()));
}

TEST(Device, LanguageVersions) {
  const auto d = first_device();
  const auto versions = device_list<cl_name_version>(d, CL_DEVICE_OPENCL_C_ALL_VERSIONS);
  for (const cl_version wanted : {CL_MAKE_VERSION(1, 0, 0), CL_MAKE_VERSION(1, 1, 0), CL_MAKE_VERSION(1, 2, 0),
                                  CL_MAKE_VERSION(2, 0, 0), CL_MAKE_VERSION(3, 0, 0)}) {
    EXPECT_EQ(std::count_if(versions.begin(), versions.end(), [&](const auto& v) { return v.version == wanted; }), 1);
  }
  for (const auto& version : versions) EXPECT_STREQ(version.name, "OpenCL C");
  EXPECT_EQ(device_text(d, CL_DEVICE_OPENCL_C_VERSION).rfind("OpenCL C 3.", 0), 0u);
  EXPECT_EQ(CL_VERSION_MAJOR(device_value<cl_version>(d, CL_DEVICE_NUMERIC_VERSION)), 3u);
  const auto features = device_list<cl_name_version>(d, CL_DEVICE_OPENCL_C_FEATURES);
  for (const char* wanted : {"__opencl_c_int64", "__opencl_c_fp64", "__opencl_c_generic_address_space"}) {
    EXPECT_EQ(std::count_if(features.begin(), features.end(),
                            [&](const auto& f) { return std::strcmp(f.name, wanted) == 0; }),
              1)
        << wanted;
  }
}

/// The query agrees with the macro that programs see (OpenCL C 6.2.1).
TEST(Device, GenericAddressSpace) {
  const auto d = first_device();
  EXPECT_EQ(device_value<cl_bool>(d, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT), cl_bool{CL_TRUE});
  cl_int error = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &d, nullptr, nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  const char* source =
      "#ifndef __opencl_c_generic_address_space\n#error\n#endif\n"
      "kernel void k(global int* a) { int* p = a; *p = 1; }";
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(clBuildProgram(program, 1, &d, "-cl-std=CL3.0", nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clBuildProgram(program, 1, &d, "-cl-std=CL1.2", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  clReleaseProgram(program);
  clReleaseContext(context);
}

/// The compiler accepts what the device reports: orders, scopes, floating-point atomics.
TEST(Device, Atomics) {
  const auto d = first_device();
  const auto memory = device_value<cl_device_atomic_capabilities>(d, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES);
  const auto fence = device_value<cl_device_atomic_capabilities>(d, CL_DEVICE_ATOMIC_FENCE_CAPABILITIES);
  EXPECT_EQ(memory, cl_device_atomic_capabilities{CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
                                                  CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
                                                  CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES});
  EXPECT_EQ(fence, memory | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM);
  for (const cl_device_info of :
       {CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT, CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT,
        CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT})
    EXPECT_EQ(device_value<cl_device_fp_atomic_capabilities_ext>(d, of),
              cl_device_fp_atomic_capabilities_ext{
                  CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT | CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT |
                  CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT |
                  CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT});
  EXPECT_TRUE(device_value<cl_device_svm_capabilities>(d, CL_DEVICE_SVM_CAPABILITIES) & CL_DEVICE_SVM_ATOMICS);
}

TEST(Device, WorkGroupFunctions) {
  const auto d = first_device();
  EXPECT_TRUE(device_value<cl_bool>(d, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT));
  const auto has = [](const std::vector<cl_name_version>& list, const char* name) {
    return std::any_of(list.begin(), list.end(), [&](const auto& f) { return std::strcmp(f.name, name) == 0; });
  };
  EXPECT_TRUE(
      has(device_list<cl_name_version>(d, CL_DEVICE_OPENCL_C_FEATURES), "__opencl_c_work_group_collective_functions"));
  EXPECT_TRUE(
      has(device_list<cl_name_version>(d, CL_DEVICE_EXTENSIONS_WITH_VERSION), "cl_khr_work_group_uniform_arithmetic"));
}

TEST(Device, KernelClock) {
  const auto d = first_device();
  const auto scopes = device_value<cl_bitfield>(d, CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR);
  const auto has = [](const std::vector<cl_name_version>& list, const char* name) {
    return std::any_of(list.begin(), list.end(), [&](const auto& f) { return std::strcmp(f.name, name) == 0; });
  };
  const auto features = device_list<cl_name_version>(d, CL_DEVICE_OPENCL_C_FEATURES);
  EXPECT_EQ(has(device_list<cl_name_version>(d, CL_DEVICE_EXTENSIONS_WITH_VERSION), "cl_khr_kernel_clock"),
            scopes != 0);
  const std::pair<cl_bitfield, const char*> macros[] = {
      {CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR, "__opencl_c_kernel_clock_scope_device"},
      {CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR, "__opencl_c_kernel_clock_scope_work_group"},
      {CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR, "__opencl_c_kernel_clock_scope_sub_group"}};
  for (const auto& [scope, macro] : macros) EXPECT_EQ(has(features, macro), (scopes & scope) != 0) << macro;
}

TEST(Device, UuidsAreSetAndDiffer) {
  using Uuid = std::array<cl_uchar, CL_UUID_SIZE_KHR>;
  const auto d = first_device();
  const auto device = device_value<Uuid>(d, CL_DEVICE_UUID_KHR);
  const auto driver = device_value<Uuid>(d, CL_DRIVER_UUID_KHR);
  EXPECT_NE(device, Uuid{});
  EXPECT_NE(driver, Uuid{});
  EXPECT_NE(device, driver);
  EXPECT_EQ(device, device_value<Uuid>(d, CL_DEVICE_UUID_KHR));
  EXPECT_EQ(device_value<cl_bool>(d, CL_DEVICE_LUID_VALID_KHR), cl_bool{CL_FALSE});
}

TEST(Device, Timers) {
  const auto d = first_device();
  cl_ulong device_time = 0, host_time = 0, later = 0;
  ASSERT_EQ(clGetDeviceAndHostTimer(d, &device_time, &host_time), CL_SUCCESS);
  ASSERT_EQ(clGetHostTimer(d, &later), CL_SUCCESS);
  EXPECT_GT(device_time, 0u);
  EXPECT_GE(later, host_time);
  EXPECT_EQ(clGetDeviceAndHostTimer(d, nullptr, &host_time), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceAndHostTimer(d, &device_time, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceAndHostTimer(nullptr, &device_time, &host_time), CL_INVALID_DEVICE);
  EXPECT_EQ(clGetHostTimer(d, nullptr), CL_INVALID_VALUE);
}

}  // namespace
}  // namespace lanewise::test
