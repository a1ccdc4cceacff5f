// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Command-queues: creation, properties, queries, counts, flush and finish (API 5.1, 5.16).
#include <array>

#include "tests/api/fixture.h"

namespace lanewise::test {
namespace {

class QueueApi : public WithContext {
 protected:
  cl_command_queue make(std::vector<cl_queue_properties> properties, cl_int expected) {
    cl_int code = 1;
    const cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties.data(), &code);
    EXPECT_EQ(code, expected);
    EXPECT_EQ(queue != nullptr, expected == CL_SUCCESS);
    return queue;
  }
  template <class T>
  T value(cl_command_queue queue, cl_command_queue_info param) {
    T result{};
    std::size_t size = 0;
    EXPECT_EQ(clGetCommandQueueInfo(queue, param, sizeof result, &result, &size), CL_SUCCESS);
    EXPECT_EQ(size, sizeof result);
    return result;
  }
};

TEST_F(QueueApi, PropertiesAndQueries) {
  const cl_command_queue_properties bits = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
  const std::array<cl_queue_properties, 3> list{CL_QUEUE_PROPERTIES, bits, 0};
  const cl_command_queue queue = make({list.begin(), list.end()}, CL_SUCCESS);
  EXPECT_EQ(value<cl_context>(queue, CL_QUEUE_CONTEXT), context);
  EXPECT_EQ(value<cl_device_id>(queue, CL_QUEUE_DEVICE), device);
  EXPECT_EQ(value<cl_command_queue_properties>(queue, CL_QUEUE_PROPERTIES), bits);
  EXPECT_EQ(value<cl_command_queue>(queue, CL_QUEUE_DEVICE_DEFAULT), nullptr);
  EXPECT_EQ((value<std::array<cl_queue_properties, 3>>(queue, CL_QUEUE_PROPERTIES_ARRAY)), list);

  EXPECT_EQ(value<cl_uint>(queue, CL_QUEUE_REFERENCE_COUNT), 1u);
  EXPECT_EQ(clRetainCommandQueue(queue), CL_SUCCESS);
  EXPECT_EQ(value<cl_uint>(queue, CL_QUEUE_REFERENCE_COUNT), 2u);
  EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
  EXPECT_EQ(value<cl_uint>(queue, CL_QUEUE_REFERENCE_COUNT), 1u);

  cl_uint size = 0;
  EXPECT_EQ(clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, sizeof size, &size, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clGetCommandQueueInfo(queue, 0x1, sizeof size, &size, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, 1, &size, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetCommandQueueInfo(nullptr, CL_QUEUE_CONTEXT, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
}

TEST_F(QueueApi, NoPropertyListGivesNoneBack) {
  cl_int code = 1;
  for (const bool old : {false, true}) {
    const cl_command_queue queue = old ? clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code)
                                       : clCreateCommandQueueWithProperties(context, device, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    std::size_t size = 99;
    EXPECT_EQ(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, 0, nullptr, &size), CL_SUCCESS);
    EXPECT_EQ(size, 0u);
    EXPECT_EQ(value<cl_command_queue_properties>(queue, CL_QUEUE_PROPERTIES),
              cl_command_queue_properties{old ? CL_QUEUE_PROFILING_ENABLE : 0u});
    clReleaseCommandQueue(queue);
  }
}

TEST_F(QueueApi, CreationErrors) {
  constexpr cl_queue_properties kDeviceQueue = CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  make({CL_QUEUE_PROPERTIES, kDeviceQueue, CL_QUEUE_SIZE, 0, 0}, CL_INVALID_QUEUE_PROPERTIES);
  make({CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0}, CL_INVALID_VALUE);
  make({CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE_DEFAULT, 0}, CL_INVALID_VALUE);
  make({CL_QUEUE_PROPERTIES, cl_queue_properties{1} << 40, 0}, CL_INVALID_VALUE);
  make({CL_QUEUE_SIZE, 1024, 0}, CL_INVALID_VALUE);
  make({CL_QUEUE_PROPERTIES, 0, CL_QUEUE_PROPERTIES, 0, 0}, CL_INVALID_VALUE);
  make({0x1234, 1, 0}, CL_INVALID_VALUE);

  cl_int code = 1;
  EXPECT_EQ(clCreateCommandQueueWithProperties(nullptr, device, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateCommandQueueWithProperties(context, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_DEVICE);
  EXPECT_EQ(clCreateCommandQueue(nullptr, device, 0, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateCommandQueue(context, nullptr, 0, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_DEVICE);
  EXPECT_EQ(clCreateCommandQueue(context, device, cl_command_queue_properties{1} << 40, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateCommandQueue(context, device, CL_QUEUE_ON_DEVICE, nullptr), nullptr);
}

TEST_F(QueueApi, OtherFunctions) {
  const cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);
  EXPECT_EQ(clFlush(queue), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(clSetCommandQueueProperty(queue, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, nullptr), CL_INVALID_OPERATION);
  EXPECT_EQ(clSetCommandQueueProperty(nullptr, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context, device, queue), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clFlush(nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clFinish(nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clRetainCommandQueue(nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clReleaseCommandQueue(nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clFlush(reinterpret_cast<cl_command_queue>(context)), CL_INVALID_COMMAND_QUEUE)
      << "a handle of another type";
  EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
}

}  // namespace
}  // namespace lanewise::test
