// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_khr_priority_hints and cl_khr_throttle_hints: which values are valid, and that queues work with each.
#include "tests/api/fixture.h"

namespace lanewise::test {
namespace {

class QueueHints : public WithContext {
 protected:
  cl_command_queue create(std::vector<cl_queue_properties> list, cl_int expected = CL_SUCCESS) {
    cl_int code = 1;
    const auto queue = clCreateCommandQueueWithProperties(context, device, list.data(), &code);
    EXPECT_EQ(code, expected);
    EXPECT_EQ(queue != nullptr, expected == CL_SUCCESS);
    return queue;
  }
};

constexpr cl_queue_properties kHigh = CL_QUEUE_PRIORITY_HIGH_KHR;
constexpr cl_queue_properties kMedium = CL_QUEUE_PRIORITY_MED_KHR;
constexpr cl_queue_properties kLow = CL_QUEUE_PRIORITY_LOW_KHR;

TEST_F(QueueHints, EveryValueOfBothIsTakenAndShownAgain) {
  for (const cl_queue_properties priority : {kHigh, kMedium, kLow}) {
    for (const cl_queue_properties throttle : {kHigh, kMedium, kLow}) {
      const std::vector<cl_queue_properties> list{CL_QUEUE_PRIORITY_KHR, priority, CL_QUEUE_THROTTLE_KHR, throttle, 0};
      const auto queue = create(list);
      ASSERT_NE(queue, nullptr);
      std::vector<cl_queue_properties> shown(list.size());
      std::size_t size = 0;
      EXPECT_EQ(
          clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, shown.size() * sizeof shown[0], shown.data(), &size),
          CL_SUCCESS);
      EXPECT_EQ(size, list.size() * sizeof list[0]);
      EXPECT_EQ(shown, list);
      cl_int value = 5;
      cl_int result = 0;
      cl_int code = 1;
      const auto buffer = clCreateBuffer(context, 0, sizeof value, nullptr, &code);
      EXPECT_EQ(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof value, &value, 0, nullptr, nullptr),
                CL_SUCCESS);
      EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof result, &result, 0, nullptr, nullptr),
                CL_SUCCESS);
      EXPECT_EQ(result, 5);
      EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
      EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
    }
  }
}

TEST_F(QueueHints, OtherValuesAreRefused) {
  for (const cl_queue_properties hint : {CL_QUEUE_PRIORITY_KHR, CL_QUEUE_THROTTLE_KHR}) {
    for (const cl_queue_properties value : {cl_queue_properties{0}, kHigh | kLow, cl_queue_properties{8}})
      create({hint, value, 0}, CL_INVALID_VALUE);
    create({hint, kLow, hint, kLow, 0}, CL_INVALID_VALUE);
    create({CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, hint, kLow, 0},
           CL_INVALID_QUEUE_PROPERTIES);
  }
}

}  // namespace
}  // namespace lanewise::test
