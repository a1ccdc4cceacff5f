// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The functions of command-buffers as an application finds them, and a program with a few kernels to record.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "include/lanewise/command_buffer.h"
#include "tests/api/program_fixture.h"

namespace lanewise::test {

/// Releases what clCreateCommandBufferKHR has made.
struct ReleaseCommandBuffer {
  decltype(&api::clReleaseCommandBufferKHR) release = nullptr;
  void operator()(cl_command_buffer_khr buffer) const { EXPECT_EQ(release(buffer), CL_SUCCESS); }
};
using CommandBufferPtr = std::unique_ptr<_cl_command_buffer_khr, ReleaseCommandBuffer>;

/// An update of the arguments of one recorded launch; `args` must live until it is applied.
inline api::cl_mutable_dispatch_config_khr argument_update(cl_mutable_command_khr command,
                                                           std::span<const cl_mutable_dispatch_arg_khr> args) {
  api::cl_mutable_dispatch_config_khr config{};
  config.command = command;
  config.num_args = static_cast<cl_uint>(args.size());
  config.arg_list = args.data();
  return config;
}

class CommandBufferFixture : public ProgramFixture {
 protected:
  using SyncPoints = std::vector<cl_sync_point_khr>;

  void SetUp() override {
    ProgramFixture::SetUp();
#define LANEWISE_FIND(member, name)                                                                        \
  member = reinterpret_cast<decltype(member)>(clGetExtensionFunctionAddressForPlatform(platform_, #name)); \
  ASSERT_NE(member, nullptr) << #name
    LANEWISE_FIND(create_, clCreateCommandBufferKHR);
    LANEWISE_FIND(finalize_, clFinalizeCommandBufferKHR);
    LANEWISE_FIND(retain_, clRetainCommandBufferKHR);
    LANEWISE_FIND(release_, clReleaseCommandBufferKHR);
    LANEWISE_FIND(enqueue_, clEnqueueCommandBufferKHR);
    LANEWISE_FIND(info_, clGetCommandBufferInfoKHR);
    LANEWISE_FIND(barrier_, clCommandBarrierWithWaitListKHR);
    LANEWISE_FIND(copy_buffer_, clCommandCopyBufferKHR);
    LANEWISE_FIND(copy_rect_, clCommandCopyBufferRectKHR);
    LANEWISE_FIND(fill_buffer_, clCommandFillBufferKHR);
    LANEWISE_FIND(svm_copy_, clCommandSVMMemcpyKHR);
    LANEWISE_FIND(svm_fill_, clCommandSVMMemFillKHR);
    LANEWISE_FIND(copy_image_, clCommandCopyImageKHR);
    LANEWISE_FIND(fill_image_, clCommandFillImageKHR);
    LANEWISE_FIND(copy_to_image_, clCommandCopyBufferToImageKHR);
    LANEWISE_FIND(copy_from_image_, clCommandCopyImageToBufferKHR);
    LANEWISE_FIND(ndrange_, clCommandNDRangeKernelKHR);
    LANEWISE_FIND(remap_, clRemapCommandBufferKHR);
    LANEWISE_FIND(update_, clUpdateMutableCommandsKHR);
    LANEWISE_FIND(command_info_, clGetMutableCommandInfoKHR);
#undef LANEWISE_FIND
    program_ = built(
        "kernel void add(global int* a, int n) { a[get_global_id(0)] += n; }\n"
        "kernel void scale(global int* a, int n) { a[get_global_id(0)] *= n; }\n"
        "kernel void index(global int* a) { a[get_global_id(0)] = get_global_id(0); }\n"
        "kernel void empty() {}\n"
        "kernel void heavy(global int* a, int n) {\n"
        "  int x = a[get_global_id(0)];\n"
        "  for (int i = 0; i < n; ++i) x = x * 1664525 + 1013904223;\n"
        "  a[get_global_id(0)] = x;\n"
        "}\n"
        "kernel void say(int n) { printf(\"%d\\n\", n); }\n");
    queue_ = queue();
    unordered_ = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  }

  [[nodiscard]] QueuePtr new_queue(cl_command_queue_properties properties) const {
    cl_int code = 1;
    QueuePtr made(clCreateCommandQueue(context_.get(), device_, properties, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  CommandBufferPtr command_buffer(std::initializer_list<cl_command_queue> queues,
                                  cl_command_buffer_flags_khr flags = 0) {
    const cl_command_buffer_properties_khr properties[] = {CL_COMMAND_BUFFER_FLAGS_KHR, flags, 0};
    cl_int code = 1;
    CommandBufferPtr made(create_(static_cast<cl_uint>(queues.size()), queues.begin(), properties, &code),
                          ReleaseCommandBuffer{release_});
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  /// A kernel with a buffer and, if it has a second argument, a number.
  KernelPtr kernel_on(const char* name, const MemPtr& memory, std::optional<cl_int> number = {}) const {
    auto made = kernel(program_, name);
    cl_mem handle = memory.get();
    EXPECT_EQ(clSetKernelArg(made.get(), 0, sizeof handle, &handle), CL_SUCCESS);
    if (number) {
      EXPECT_EQ(clSetKernelArg(made.get(), 1, sizeof *number, &*number), CL_SUCCESS);
    }
    return made;
  }
  cl_sync_point_khr record(const CommandBufferPtr& buffer, const KernelPtr& kernel, size_t items,
                           const SyncPoints& waits = {}, cl_mutable_command_khr* handle = nullptr,
                           cl_command_queue queue = nullptr) {
    cl_sync_point_khr point = 0;
    EXPECT_EQ(ndrange_(buffer.get(), queue, nullptr, kernel.get(), 1, nullptr, &items, nullptr,
                       static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(), &point, handle),
              CL_SUCCESS);
    return point;
  }
  void run(const CommandBufferPtr& buffer, const QueuePtr& queue) {
    EXPECT_EQ(enqueue_(0, nullptr, buffer.get(), 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue.get()), CL_SUCCESS);
  }
  MemPtr numbers(const std::vector<cl_int>& values) const {
    cl_int code = 1;
    MemPtr made(clCreateBuffer(context_.get(), CL_MEM_COPY_HOST_PTR, values.size() * sizeof(cl_int),
                               const_cast<cl_int*>(values.data()), &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  template <class T>
  T value(const CommandBufferPtr& buffer, cl_command_buffer_info_khr param) {
    T out{};
    size_t size = 0;
    EXPECT_EQ(info_(buffer.get(), param, sizeof out, &out, &size), CL_SUCCESS);
    EXPECT_EQ(size, sizeof out);
    return out;
  }

  decltype(&api::clCreateCommandBufferKHR) create_ = nullptr;
  decltype(&api::clFinalizeCommandBufferKHR) finalize_ = nullptr;
  decltype(&api::clRetainCommandBufferKHR) retain_ = nullptr;
  decltype(&api::clReleaseCommandBufferKHR) release_ = nullptr;
  decltype(&api::clEnqueueCommandBufferKHR) enqueue_ = nullptr;
  decltype(&api::clGetCommandBufferInfoKHR) info_ = nullptr;
  decltype(&api::clCommandBarrierWithWaitListKHR) barrier_ = nullptr;
  decltype(&api::clCommandCopyBufferKHR) copy_buffer_ = nullptr;
  decltype(&api::clCommandCopyBufferRectKHR) copy_rect_ = nullptr;
  decltype(&api::clCommandFillBufferKHR) fill_buffer_ = nullptr;
  decltype(&api::clCommandSVMMemcpyKHR) svm_copy_ = nullptr;
  decltype(&api::clCommandSVMMemFillKHR) svm_fill_ = nullptr;
  decltype(&api::clCommandCopyImageKHR) copy_image_ = nullptr;
  decltype(&api::clCommandFillImageKHR) fill_image_ = nullptr;
  decltype(&api::clCommandCopyBufferToImageKHR) copy_to_image_ = nullptr;
  decltype(&api::clCommandCopyImageToBufferKHR) copy_from_image_ = nullptr;
  decltype(&api::clCommandNDRangeKernelKHR) ndrange_ = nullptr;
  decltype(&api::clRemapCommandBufferKHR) remap_ = nullptr;
  decltype(&api::clUpdateMutableCommandsKHR) update_ = nullptr;
  decltype(&api::clGetMutableCommandInfoKHR) command_info_ = nullptr;

  ProgramPtr program_;
  QueuePtr queue_;
  QueuePtr unordered_;
};

}  // namespace lanewise::test
