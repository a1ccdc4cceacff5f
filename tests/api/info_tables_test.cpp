// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every query of every kind of object. The whole range of enumerators is queried, so that no row is overlooked; the
/// lists below are those of the specification, so that no row is missing.
#include <cstring>
#include <functional>
#include <set>

#include "include/lanewise/cl_compat.h"
#include "tests/api/fixture.h"

namespace lanewise::test {
namespace {

using Query = std::function<cl_int(cl_uint param, std::size_t size, void* value, std::size_t* size_ret)>;

/// The rules for each query that succeeds (API 4.1; every other clGet*Info has the same).
void check_row(const Query& query, cl_uint param, std::size_t size) {
  std::vector<unsigned char> buffer(size + 1, 0);  // zeros: CL_PROGRAM_BINARIES reads pointers here
  buffer[size] = 0xab;
  std::size_t again = 0;
  EXPECT_EQ(query(param, size, buffer.data(), &again), CL_SUCCESS);
  EXPECT_EQ(again, size);
  EXPECT_EQ(buffer[size], 0xab) << "wrote past the end";
  EXPECT_EQ(query(param, size, buffer.data(), nullptr), CL_SUCCESS);
  EXPECT_EQ(query(param, size + 64, nullptr, nullptr), CL_SUCCESS);
  if (size != 0) {
    EXPECT_EQ(query(param, size - 1, buffer.data(), nullptr), CL_INVALID_VALUE);
  }
}

/// Queries every enumerator in use by OpenCL; returns those that succeed.
std::set<cl_uint> walk(const Query& query) {
  std::set<cl_uint> answered;
  for (cl_uint param = 0; param < 0x4400; ++param) {
    std::size_t size = ~std::size_t{0};
    if (query(param, 0, nullptr, &size) != CL_SUCCESS) continue;
    SCOPED_TRACE(testing::Message() << "param 0x" << std::hex << param);
    answered.insert(param);
    EXPECT_LT(size, std::size_t{1} << 24);
    check_row(query, param, size);
  }
  return answered;
}

void expect_all(const char* what, const Query& query, std::initializer_list<cl_uint> wanted) {
  SCOPED_TRACE(what);
  const std::set<cl_uint> answered = walk(query);
  for (const cl_uint param : wanted) EXPECT_EQ(answered.count(param), 1u) << "not answered: 0x" << std::hex << param;
}

class InfoTables : public WithContext {};

TEST_F(InfoTables, Platform) {
  expect_all("platform", [&](auto... args) { return clGetPlatformInfo(platform, args...); },
             {CL_PLATFORM_PROFILE, CL_PLATFORM_VERSION, CL_PLATFORM_NUMERIC_VERSION, CL_PLATFORM_NAME,
              CL_PLATFORM_VENDOR, CL_PLATFORM_EXTENSIONS, CL_PLATFORM_EXTENSIONS_WITH_VERSION,
              CL_PLATFORM_HOST_TIMER_RESOLUTION, CL_PLATFORM_ICD_SUFFIX_KHR});
}

TEST_F(InfoTables, Device) {
  expect_all("device", [&](auto... args) { return clGetDeviceInfo(device, args...); },
             {CL_DEVICE_TYPE,
              CL_DEVICE_VENDOR_ID,
              CL_DEVICE_MAX_COMPUTE_UNITS,
              CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS,
              CL_DEVICE_MAX_WORK_ITEM_SIZES,
              CL_DEVICE_MAX_WORK_GROUP_SIZE,
              CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR,
              CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT,
              CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT,
              CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG,
              CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT,
              CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE,
              CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF,
              CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR,
              CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT,
              CL_DEVICE_NATIVE_VECTOR_WIDTH_INT,
              CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG,
              CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT,
              CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE,
              CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF,
              CL_DEVICE_MAX_CLOCK_FREQUENCY,
              CL_DEVICE_ADDRESS_BITS,
              CL_DEVICE_MAX_MEM_ALLOC_SIZE,
              CL_DEVICE_IMAGE_SUPPORT,
              CL_DEVICE_MAX_READ_IMAGE_ARGS,
              CL_DEVICE_MAX_WRITE_IMAGE_ARGS,
              CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS,
              CL_DEVICE_IL_VERSION,
              CL_DEVICE_ILS_WITH_VERSION,
              CL_DEVICE_IMAGE2D_MAX_WIDTH,
              CL_DEVICE_IMAGE2D_MAX_HEIGHT,
              CL_DEVICE_IMAGE3D_MAX_WIDTH,
              CL_DEVICE_IMAGE3D_MAX_HEIGHT,
              CL_DEVICE_IMAGE3D_MAX_DEPTH,
              CL_DEVICE_IMAGE_MAX_BUFFER_SIZE,
              CL_DEVICE_IMAGE_MAX_ARRAY_SIZE,
              CL_DEVICE_MAX_SAMPLERS,
              CL_DEVICE_IMAGE_PITCH_ALIGNMENT,
              CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT,
              CL_DEVICE_MAX_PIPE_ARGS,
              CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS,
              CL_DEVICE_PIPE_MAX_PACKET_SIZE,
              CL_DEVICE_MAX_PARAMETER_SIZE,
              CL_DEVICE_MEM_BASE_ADDR_ALIGN,
              CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE,
              CL_DEVICE_SINGLE_FP_CONFIG,
              CL_DEVICE_DOUBLE_FP_CONFIG,
              CL_DEVICE_GLOBAL_MEM_CACHE_TYPE,
              CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE,
              CL_DEVICE_GLOBAL_MEM_CACHE_SIZE,
              CL_DEVICE_GLOBAL_MEM_SIZE,
              CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE,
              CL_DEVICE_MAX_CONSTANT_ARGS,
              CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE,
              CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE,
              CL_DEVICE_LOCAL_MEM_TYPE,
              CL_DEVICE_LOCAL_MEM_SIZE,
              CL_DEVICE_ERROR_CORRECTION_SUPPORT,
              CL_DEVICE_HOST_UNIFIED_MEMORY,
              CL_DEVICE_PROFILING_TIMER_RESOLUTION,
              CL_DEVICE_ENDIAN_LITTLE,
              CL_DEVICE_AVAILABLE,
              CL_DEVICE_COMPILER_AVAILABLE,
              CL_DEVICE_LINKER_AVAILABLE,
              CL_DEVICE_EXECUTION_CAPABILITIES,
              CL_DEVICE_QUEUE_PROPERTIES,
              CL_DEVICE_QUEUE_ON_HOST_PROPERTIES,
              CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES,
              CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE,
              CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE,
              CL_DEVICE_MAX_ON_DEVICE_QUEUES,
              CL_DEVICE_MAX_ON_DEVICE_EVENTS,
              CL_DEVICE_BUILT_IN_KERNELS,
              CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION,
              CL_DEVICE_PLATFORM,
              CL_DEVICE_NAME,
              CL_DEVICE_VENDOR,
              CL_DRIVER_VERSION,
              CL_DEVICE_PROFILE,
              CL_DEVICE_VERSION,
              CL_DEVICE_NUMERIC_VERSION,
              CL_DEVICE_OPENCL_C_VERSION,
              CL_DEVICE_OPENCL_C_ALL_VERSIONS,
              CL_DEVICE_OPENCL_C_FEATURES,
              CL_DEVICE_EXTENSIONS,
              CL_DEVICE_EXTENSIONS_WITH_VERSION,
              CL_DEVICE_PRINTF_BUFFER_SIZE,
              CL_DEVICE_PREFERRED_INTEROP_USER_SYNC,
              CL_DEVICE_PARENT_DEVICE,
              CL_DEVICE_PARTITION_MAX_SUB_DEVICES,
              CL_DEVICE_PARTITION_PROPERTIES,
              CL_DEVICE_PARTITION_AFFINITY_DOMAIN,
              CL_DEVICE_PARTITION_TYPE,
              CL_DEVICE_REFERENCE_COUNT,
              CL_DEVICE_SVM_CAPABILITIES,
              CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT,
              CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT,
              CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT,
              CL_DEVICE_MAX_NUM_SUB_GROUPS,
              CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS,
              CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES,
              CL_DEVICE_ATOMIC_FENCE_CAPABILITIES,
              CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT,
              CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT,
              CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT,
              CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES,
              CL_DEVICE_PIPE_SUPPORT,
              CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
              CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED,
              CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR,
              CL_DEVICE_UUID_KHR,
              CL_DRIVER_UUID_KHR,
              CL_DEVICE_LUID_VALID_KHR,
              CL_DEVICE_LUID_KHR,
              CL_DEVICE_NODE_MASK_KHR});
}

TEST_F(InfoTables, Context) {
  expect_all("context", [&](auto... args) { return clGetContextInfo(context, args...); },
             {CL_CONTEXT_REFERENCE_COUNT, CL_CONTEXT_NUM_DEVICES, CL_CONTEXT_DEVICES, CL_CONTEXT_PROPERTIES});
}

TEST_F(InfoTables, Queue) {
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  const cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties, nullptr);
  const Query query = [&](auto... args) { return clGetCommandQueueInfo(queue, args...); };
  expect_all("queue", query,
             {CL_QUEUE_CONTEXT, CL_QUEUE_DEVICE, CL_QUEUE_REFERENCE_COUNT, CL_QUEUE_PROPERTIES,
              CL_QUEUE_PROPERTIES_ARRAY, CL_QUEUE_DEVICE_DEFAULT});
  EXPECT_EQ(query(CL_QUEUE_SIZE, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
}

TEST_F(InfoTables, Memory) {
  const cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_ONLY, 4096, nullptr, nullptr);
  const cl_buffer_region region{0, 1024};
  const cl_mem sub = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr);
  for (const cl_mem object : {buffer, sub}) {
    expect_all(
        "memory", [&](auto... args) { return clGetMemObjectInfo(object, args...); },
        {CL_MEM_TYPE, CL_MEM_FLAGS, CL_MEM_SIZE, CL_MEM_HOST_PTR, CL_MEM_MAP_COUNT, CL_MEM_REFERENCE_COUNT,
         CL_MEM_CONTEXT, CL_MEM_ASSOCIATED_MEMOBJECT, CL_MEM_OFFSET, CL_MEM_USES_SVM_POINTER, CL_MEM_PROPERTIES});
    EXPECT_EQ(clReleaseMemObject(object), CL_SUCCESS);
  }
}

TEST_F(InfoTables, Event) {
  const cl_event user = clCreateUserEvent(context, nullptr);
  const std::initializer_list<cl_uint> wanted = {CL_EVENT_COMMAND_QUEUE, CL_EVENT_CONTEXT, CL_EVENT_COMMAND_TYPE,
                                                 CL_EVENT_COMMAND_EXECUTION_STATUS, CL_EVENT_REFERENCE_COUNT};
  expect_all("user event", [&](auto... args) { return clGetEventInfo(user, args...); }, wanted);
  EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(user), CL_SUCCESS);

  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  const cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties, nullptr);
  cl_event marker = nullptr;
  ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &marker), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  expect_all("event", [&](auto... args) { return clGetEventInfo(marker, args...); }, wanted);
  expect_all("profiling", [&](auto... args) { return clGetEventProfilingInfo(marker, args...); },
             {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
              CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_COMPLETE});
  EXPECT_EQ(clReleaseEvent(marker), CL_SUCCESS);
  EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
}

constexpr std::initializer_list<cl_uint> kProgramQueries = {
    CL_PROGRAM_REFERENCE_COUNT, CL_PROGRAM_CONTEXT, CL_PROGRAM_NUM_DEVICES,  CL_PROGRAM_DEVICES,
    CL_PROGRAM_SOURCE,          CL_PROGRAM_IL,      CL_PROGRAM_BINARY_SIZES, CL_PROGRAM_BINARIES};
constexpr std::initializer_list<cl_uint> kBuildQueries = {CL_PROGRAM_BUILD_STATUS, CL_PROGRAM_BUILD_OPTIONS,
                                                          CL_PROGRAM_BUILD_LOG, CL_PROGRAM_BINARY_TYPE,
                                                          CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE};

constexpr std::initializer_list<cl_uint> kQueriesOfExecutables = {CL_PROGRAM_NUM_KERNELS, CL_PROGRAM_KERNEL_NAMES,
                                                                  CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT,
                                                                  CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT};

TEST_F(InfoTables, ProgramBeforeBuild) {
  const char* source = "kernel void f(global int* out) { out[get_global_id(0)] = 1; }";
  const cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  const Query query = [&](auto... args) { return clGetProgramInfo(program, args...); };
  expect_all("program", query, kProgramQueries);
  std::size_t size = 0;
  for (const cl_uint param : kQueriesOfExecutables)
    EXPECT_EQ(query(param, 0, nullptr, &size), CL_INVALID_PROGRAM_EXECUTABLE) << param;
  expect_all("build", [&](auto... args) { return clGetProgramBuildInfo(program, device, args...); }, kBuildQueries);
  EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
}

TEST_F(InfoTables, ProgramAndKernelAfterBuild) {
  const char* source = "kernel void f(global int* out, const int n) { out[get_global_id(0)] = n; }";
  const cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, "-cl-kernel-arg-info", nullptr, nullptr), CL_SUCCESS);
  const Query query = [&](auto... args) { return clGetProgramInfo(program, args...); };
  expect_all("program", query, kProgramQueries);
  expect_all("program", query, kQueriesOfExecutables);
  expect_all("build", [&](auto... args) { return clGetProgramBuildInfo(program, device, args...); }, kBuildQueries);

  const cl_kernel kernel = clCreateKernel(program, "f", nullptr);
  ASSERT_NE(kernel, nullptr);
  expect_all("kernel", [&](auto... args) { return clGetKernelInfo(kernel, args...); },
             {CL_KERNEL_FUNCTION_NAME, CL_KERNEL_NUM_ARGS, CL_KERNEL_REFERENCE_COUNT, CL_KERNEL_CONTEXT,
              CL_KERNEL_PROGRAM, CL_KERNEL_ATTRIBUTES});
  const Query group = [&](auto... args) { return clGetKernelWorkGroupInfo(kernel, device, args...); };
  expect_all("work-group", group,
             {CL_KERNEL_WORK_GROUP_SIZE, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, CL_KERNEL_LOCAL_MEM_SIZE,
              CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, CL_KERNEL_PRIVATE_MEM_SIZE});
  EXPECT_EQ(group(CL_KERNEL_GLOBAL_WORK_SIZE, 0, nullptr, nullptr), CL_INVALID_VALUE);
  for (cl_uint index = 0; index < 2; ++index) {
    expect_all("argument", [&](auto... args) { return clGetKernelArgInfo(kernel, index, args...); },
               {CL_KERNEL_ARG_ADDRESS_QUALIFIER, CL_KERNEL_ARG_ACCESS_QUALIFIER, CL_KERNEL_ARG_TYPE_NAME,
                CL_KERNEL_ARG_TYPE_QUALIFIER, CL_KERNEL_ARG_NAME});
  }
  EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
  EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
}

}  // namespace
}  // namespace lanewise::test
