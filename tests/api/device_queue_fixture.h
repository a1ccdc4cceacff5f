// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A context with a default queue on its device, and runs of kernels that enqueue.
#pragma once

#include <string>
#include <vector>

#include "tests/api/program_fixture.h"
#include "tests/by_spirv.h"

namespace lanewise::test {

using EventPtr = Owned<cl_event, clReleaseEvent>;

class DeviceQueueFixture : public ProgramFixture {
 protected:
  static constexpr cl_command_queue_properties kOnDevice = CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  static constexpr cl_command_queue_properties kDefault = kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT;

  /// @param bytes  CL_QUEUE_SIZE; 0: not given
  [[nodiscard]] QueuePtr device_queue(cl_command_queue_properties properties, cl_uint bytes = 0,
                                      cl_int expected = CL_SUCCESS) const {
    std::vector<cl_queue_properties> list{CL_QUEUE_PROPERTIES, properties};
    if (bytes != 0) list.insert(list.end(), {CL_QUEUE_SIZE, bytes});
    list.push_back(0);
    cl_int code = 1;
    QueuePtr made(clCreateCommandQueueWithProperties(context_.get(), device_, list.data(), &code));
    EXPECT_EQ(code, expected);
    return made;
  }
  [[nodiscard]] ProgramPtr program(const std::string& text, const std::string& options = "") const {
    const std::string all = "-cl-std=CL3.0 " + options;
    ProgramPtr made(make_program(context_.get(), text, all));
    EXPECT_EQ(clBuildProgram(made.get(), 0, nullptr, all.c_str(), nullptr, nullptr), CL_SUCCESS) << log(made);
    return made;
  }
  [[nodiscard]] QueuePtr profiling_queue() const {
    return QueuePtr(clCreateCommandQueue(context_.get(), device_, CL_QUEUE_PROFILING_ENABLE, nullptr));
  }

  /// Enqueues kernel `name` of `program` with `out` as its argument, and waits. The status of its event.
  cl_int run_status(const ProgramPtr& program, const char* name, const MemPtr& out, std::size_t items = 1,
                    std::size_t local = 0) const {
    const auto made = kernel(program, name);
    cl_mem memory = out.get();
    EXPECT_EQ(clSetKernelArg(made.get(), 0, sizeof memory, &memory), CL_SUCCESS);
    const auto on = queue();
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueNDRangeKernel(on.get(), made.get(), 1, nullptr, &items, local != 0 ? &local : nullptr, 0,
                                     nullptr, &event),
              CL_SUCCESS);
    EXPECT_EQ(clFinish(on.get()), CL_SUCCESS);
    cl_int status = 1;
    EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), CL_SUCCESS);
    clReleaseEvent(event);
    return status;
  }
  /// What kernel k of `text` leaves in `count` ints, which begin as zeros.
  [[nodiscard]] std::vector<cl_int> result_of(const std::string& text, std::size_t count, std::size_t items = 1,
                                              std::size_t local = 0, const std::string& options = "") const {
    const auto out = buffer(count * sizeof(cl_int));
    const cl_int zero = 0;
    const auto on = queue();
    EXPECT_EQ(clEnqueueFillBuffer(on.get(), out.get(), &zero, sizeof zero, 0, count * sizeof zero, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clFinish(on.get()), CL_SUCCESS);
    EXPECT_EQ(run_status(program(text, options), "k", out, items, local), CL_COMPLETE);
    return read<cl_int>(out, count);
  }
};

}  // namespace lanewise::test
