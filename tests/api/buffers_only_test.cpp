// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions that take buffers refuse the other memory objects (CL_INVALID_MEM_OBJECT), each of their arguments by itself.
#include <array>
#include <functional>
#include <vector>

#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

class BuffersOnly : public ProgramFixture {
 protected:
  void SetUp() override {
    ProgramFixture::SetUp();
    queue_ = queue();
    cl_int code = 1;
    cl_image_desc description{};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = description.image_height = 16;
    const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
    image_.reset(clCreateImage(context_.get(), CL_MEM_READ_WRITE, &format, &description, nullptr, &code));
    ASSERT_EQ(code, CL_SUCCESS);
    pipe_.reset(clCreatePipe(context_.get(), 0, 4, 16, nullptr, &code));
    ASSERT_EQ(code, CL_SUCCESS);
    buffer_ = buffer(1024);
  }

  /// The call is right with a buffer and refused with anything else.
  void check(const char* function, const std::function<cl_int(cl_mem)>& call) {
    EXPECT_EQ(call(buffer_.get()), CL_SUCCESS) << function;
    EXPECT_EQ(call(image_.get()), CL_INVALID_MEM_OBJECT) << function << " with an image";
    EXPECT_EQ(call(pipe_.get()), CL_INVALID_MEM_OBJECT) << function << " with a pipe";
    EXPECT_EQ(clFinish(queue_.get()), CL_SUCCESS);
  }

  QueuePtr queue_;
  MemPtr image_;
  MemPtr pipe_;
  MemPtr buffer_;
  std::array<unsigned char, 1024> bytes_{};
  static constexpr std::array<std::size_t, 3> kOrigin{};
  static constexpr std::array<std::size_t, 3> kRegion{4, 4, 1};
};

TEST_F(BuffersOnly, Transfers) {
  cl_command_queue q = queue_.get();
  check("clEnqueueReadBuffer",
        [&](cl_mem m) { return clEnqueueReadBuffer(q, m, CL_TRUE, 0, 16, bytes_.data(), 0, nullptr, nullptr); });
  check("clEnqueueWriteBuffer",
        [&](cl_mem m) { return clEnqueueWriteBuffer(q, m, CL_TRUE, 0, 16, bytes_.data(), 0, nullptr, nullptr); });
  check("clEnqueueReadBufferRect", [&](cl_mem m) {
    return clEnqueueReadBufferRect(q, m, CL_TRUE, kOrigin.data(), kOrigin.data(), kRegion.data(), 0, 0, 0, 0,
                                   bytes_.data(), 0, nullptr, nullptr);
  });
  check("clEnqueueWriteBufferRect", [&](cl_mem m) {
    return clEnqueueWriteBufferRect(q, m, CL_TRUE, kOrigin.data(), kOrigin.data(), kRegion.data(), 0, 0, 0, 0,
                                    bytes_.data(), 0, nullptr, nullptr);
  });
  check("clEnqueueFillBuffer",
        [&](cl_mem m) { return clEnqueueFillBuffer(q, m, bytes_.data(), 4, 0, 16, 0, nullptr, nullptr); });
}

TEST_F(BuffersOnly, Copies) {
  cl_command_queue q = queue_.get();
  const MemPtr other = buffer(1024);
  check("clEnqueueCopyBuffer from",
        [&](cl_mem m) { return clEnqueueCopyBuffer(q, m, other.get(), 0, 0, 16, 0, nullptr, nullptr); });
  check("clEnqueueCopyBuffer to",
        [&](cl_mem m) { return clEnqueueCopyBuffer(q, other.get(), m, 0, 0, 16, 0, nullptr, nullptr); });
  check("clEnqueueCopyBufferRect from", [&](cl_mem m) {
    return clEnqueueCopyBufferRect(q, m, other.get(), kOrigin.data(), kOrigin.data(), kRegion.data(), 0, 0, 0, 0, 0,
                                   nullptr, nullptr);
  });
  check("clEnqueueCopyBufferRect to", [&](cl_mem m) {
    return clEnqueueCopyBufferRect(q, other.get(), m, kOrigin.data(), kOrigin.data(), kRegion.data(), 0, 0, 0, 0, 0,
                                   nullptr, nullptr);
  });
  check("clEnqueueCopyBufferToImage", [&](cl_mem m) {
    return clEnqueueCopyBufferToImage(q, m, image_.get(), 0, kOrigin.data(), kRegion.data(), 0, nullptr, nullptr);
  });
  check("clEnqueueCopyImageToBuffer", [&](cl_mem m) {
    return clEnqueueCopyImageToBuffer(q, image_.get(), m, kOrigin.data(), kRegion.data(), 0, 0, nullptr, nullptr);
  });
}

TEST_F(BuffersOnly, MapsAndParts) {
  check("clEnqueueMapBuffer", [&](cl_mem m) {
    cl_int code = 1;
    void* mapped = clEnqueueMapBuffer(queue_.get(), m, CL_TRUE, CL_MAP_READ, 0, 16, 0, nullptr, nullptr, &code);
    if (mapped != nullptr) clEnqueueUnmapMemObject(queue_.get(), m, mapped, 0, nullptr, nullptr);
    return code;
  });
  check("clCreateSubBuffer", [&](cl_mem m) {
    cl_int code = 1;
    const cl_buffer_region region{0, 16};
    const MemPtr part(clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    return code;
  });
}

TEST_F(BuffersOnly, Kernels) {
  const auto k = kernel(built("kernel void k(global int* a, constant int* b) { *a = *b; }"), "k");
  check("clSetKernelArg, global", [&](cl_mem m) { return clSetKernelArg(k.get(), 0, sizeof m, &m); });
  check("clSetKernelArg, constant", [&](cl_mem m) { return clSetKernelArg(k.get(), 1, sizeof m, &m); });
  check("clEnqueueNativeKernel", [&](cl_mem m) {
    void* block[1] = {nullptr};
    const void* place = &block[0];
    return clEnqueueNativeKernel(queue_.get(), [](void*) {}, block, sizeof block, 1, &m, &place, 0, nullptr, nullptr);
  });
}

}  // namespace
}  // namespace lanewise::test
