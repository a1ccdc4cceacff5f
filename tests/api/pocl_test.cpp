// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_pocl_svm_rect, cl_pocl_command_buffer_svm and cl_pocl_command_buffer_host_buffer.
#include "include/lanewise/pocl.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "tests/api/command_buffer_fixture.h"

namespace lanewise::test {
namespace {

using Bytes = std::vector<unsigned char>;
using Sizes = std::array<size_t, 3>;

#define LANEWISE_ALL_POCL(ROW)      \
  ROW(clEnqueueSVMMemcpyRectPOCL)   \
  ROW(clEnqueueSVMMemFillRectPOCL)  \
  ROW(clCommandSVMMemcpyPOCL)       \
  ROW(clCommandSVMMemcpyRectPOCL)   \
  ROW(clCommandSVMMemfillPOCL)      \
  ROW(clCommandSVMMemfillRectPOCL)  \
  ROW(clCommandReadBufferPOCL)      \
  ROW(clCommandReadBufferRectPOCL)  \
  ROW(clCommandReadImagePOCL)       \
  ROW(clCommandWriteBufferPOCL)     \
  ROW(clCommandWriteBufferRectPOCL) \
  ROW(clCommandWriteImagePOCL)

class Pocl : public CommandBufferFixture {
 protected:
  static constexpr size_t kWidth = 16, kHeight = 8, kDepth = 4, kBytes = kWidth * kHeight * kDepth;
  static constexpr Sizes kRegion{4, 3, 2};

  void SetUp() override {
    CommandBufferFixture::SetUp();
    if (HasFatalFailure()) return;
#define FIND(name)                                                                                     \
  name = reinterpret_cast<decltype(name)>(clGetExtensionFunctionAddressForPlatform(platform_, #name)); \
  ASSERT_NE(name, nullptr) << #name;
    LANEWISE_ALL_POCL(FIND)
#undef FIND
    for (unsigned char** block : {&from_, &to_}) {
      *block = static_cast<unsigned char*>(clSVMAlloc(context_.get(), CL_MEM_READ_WRITE, kBytes, 0));
      ASSERT_NE(*block, nullptr);
    }
    std::iota(from_, from_ + kBytes, static_cast<unsigned char>(0));
    std::fill(to_, to_ + kBytes, static_cast<unsigned char>(0xee));
  }
  void TearDown() override {
    clSVMFree(context_.get(), from_);
    clSVMFree(context_.get(), to_);
  }

  static size_t at(const Sizes& origin, size_t x, size_t y, size_t z) {
    return ((origin[2] + z) * kHeight + origin[1] + y) * kWidth + origin[0] + x;
  }
  template <class Function>
  static void each_of_region(Function&& function) {
    for (size_t z = 0; z < kRegion[2]; ++z)
      for (size_t y = 0; y < kRegion[1]; ++y)
        for (size_t x = 0; x < kRegion[0]; ++x) function(x, y, z);
  }
  /// What `to_` is after a copy of the region from one origin to the other.
  [[nodiscard]] Bytes after_copy(const Sizes& to, const Sizes& from) const {
    Bytes out(kBytes, 0xee);
    each_of_region([&](size_t x, size_t y, size_t z) { out[at(to, x, y, z)] = from_[at(from, x, y, z)]; });
    return out;
  }
  [[nodiscard]] Bytes to() const { return {to_, to_ + kBytes}; }
  void clear() { std::fill(to_, to_ + kBytes, static_cast<unsigned char>(0xee)); }

  cl_int copy(void* destination, const void* source, const size_t* to, const size_t* from, const size_t* region,
              cl_bool blocking = CL_TRUE, cl_event* event = nullptr) {
    return clEnqueueSVMMemcpyRectPOCL(queue_.get(), blocking, destination, source, to, from, region, kWidth,
                                      kWidth * kHeight, kWidth, kWidth * kHeight, 0, nullptr, event);
  }
  cl_int fill(void* pointer, const size_t* origin, const size_t* region, const void* pattern, size_t size,
              cl_event* event = nullptr) {
    return clEnqueueSVMMemFillRectPOCL(queue_.get(), pointer, origin, region, kWidth, kWidth * kHeight, pattern, size,
                                       0, 0, nullptr, event);
  }
  static cl_command_type type_of(cl_event event) {
    cl_command_type type = 0;
    EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    return type;
  }

#define MEMBER(name) decltype(&api::name) name = nullptr;
  LANEWISE_ALL_POCL(MEMBER)
#undef MEMBER
  unsigned char* from_ = nullptr;
  unsigned char* to_ = nullptr;
};

TEST_F(Pocl, RectanglesAreCopied) {
  const Sizes to{3, 2, 1}, from{1, 4, 2}, none{0, 0, 0};
  cl_event event = nullptr;
  ASSERT_EQ(copy(to_, from_, to.data(), from.data(), kRegion.data(), CL_TRUE, &event), CL_SUCCESS);
  EXPECT_EQ(this->to(), after_copy(to, from));
  EXPECT_EQ(type_of(event), static_cast<cl_command_type>(CL_COMMAND_SVM_MEMCPY_RECT_POCL));
  clear();
  ASSERT_EQ(copy(to_, from_, nullptr, nullptr, kRegion.data()), CL_SUCCESS);
  EXPECT_EQ(this->to(), after_copy(none, none));
  // Pitches of 0 are those of the region; host memory is as good as shared memory.
  Bytes packed(kRegion[0] * kRegion[1] * kRegion[2]);
  ASSERT_EQ(clEnqueueSVMMemcpyRectPOCL(queue_.get(), CL_TRUE, packed.data(), from_, nullptr, from.data(),
                                       kRegion.data(), 0, 0, kWidth, kWidth * kHeight, 0, nullptr, nullptr),
            CL_SUCCESS);
  each_of_region([&](size_t x, size_t y, size_t z) {
    EXPECT_EQ(packed[(z * kRegion[1] + y) * kRegion[0] + x], from_[at(from, x, y, z)]);
  });
}

TEST_F(Pocl, RectanglesAreFilledWithPatternsOfEverySize) {
  Bytes pattern(128);
  std::iota(pattern.begin(), pattern.end(), static_cast<unsigned char>(100));
  const Sizes origin{4, 1, 1};
  for (const size_t size : {1, 2, 4}) {
    clear();
    cl_event event = nullptr;
    ASSERT_EQ(fill(to_, origin.data(), kRegion.data(), pattern.data(), size, &event), CL_SUCCESS);
    ASSERT_EQ(clFinish(queue_.get()), CL_SUCCESS);
    Bytes expected(kBytes, 0xee);
    each_of_region([&](size_t x, size_t y, size_t z) { expected[at(origin, x, y, z)] = pattern[x % size]; });
    EXPECT_EQ(to(), expected) << size;
    EXPECT_EQ(type_of(event), static_cast<cl_command_type>(CL_COMMAND_SVM_MEMFILL_RECT_POCL));
  }
  // 128 bytes, in rows of 256 with a gap behind each.
  const Sizes wide{256, 2, 1};
  auto* memory = static_cast<unsigned char*>(clSVMAlloc(context_.get(), CL_MEM_READ_WRITE, 1024, 128));
  ASSERT_NE(memory, nullptr);
  std::fill(memory, memory + 1024, static_cast<unsigned char>(0));
  ASSERT_EQ(clEnqueueSVMMemFillRectPOCL(queue_.get(), memory, nullptr, wide.data(), 512, 0, pattern.data(), 128, 0, 0,
                                        nullptr, nullptr),
            CL_SUCCESS);
  ASSERT_EQ(clFinish(queue_.get()), CL_SUCCESS);
  for (size_t i = 0; i < 1024; ++i) ASSERT_EQ(memory[i], i % 512 < 256 ? pattern[i % 128] : 0) << i;
  clSVMFree(context_.get(), memory);
}

TEST_F(Pocl, ErrorsOfRectangles) {
  const Sizes to{0, 0, 0}, from{1, 1, 1}, far{0, 0, 3}, empty{4, 0, 1}, odd{3, 1, 1};
  const cl_uint pattern = 7;
  EXPECT_EQ(clEnqueueSVMMemcpyRectPOCL(nullptr, CL_TRUE, to_, from_, to.data(), from.data(), kRegion.data(), 0, 0, 0, 0,
                                       0, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(copy(nullptr, from_, to.data(), from.data(), kRegion.data()), CL_INVALID_VALUE);
  EXPECT_EQ(copy(to_, nullptr, to.data(), from.data(), kRegion.data()), CL_INVALID_VALUE);
  EXPECT_EQ(copy(to_, from_, to.data(), from.data(), nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(copy(to_, from_, to.data(), from.data(), empty.data()), CL_INVALID_VALUE);
  EXPECT_EQ(copy(to_, from_, far.data(), from.data(), kRegion.data()), CL_INVALID_VALUE) << "leaves its allocation";
  EXPECT_EQ(copy(from_, from_, to.data(), from.data(), kRegion.data()), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(clEnqueueSVMMemcpyRectPOCL(queue_.get(), CL_TRUE, to_, from_, to.data(), from.data(), kRegion.data(), 3, 0,
                                       0, 0, 0, nullptr, nullptr),
            CL_INVALID_VALUE)
      << "pitch";
  EXPECT_EQ(clEnqueueSVMMemcpyRectPOCL(queue_.get(), CL_TRUE, to_, from_, to.data(), from.data(), kRegion.data(), 0, 0,
                                       0, 0, 1, nullptr, nullptr),
            CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(fill(nullptr, to.data(), kRegion.data(), &pattern, 4), CL_INVALID_VALUE);
  EXPECT_EQ(fill(to_, to.data(), nullptr, &pattern, 4), CL_INVALID_VALUE);
  EXPECT_EQ(fill(to_, to.data(), kRegion.data(), nullptr, 4), CL_INVALID_VALUE);
  EXPECT_EQ(fill(to_, to.data(), kRegion.data(), &pattern, 0), CL_INVALID_VALUE);
  EXPECT_EQ(fill(to_, to.data(), kRegion.data(), &pattern, 3), CL_INVALID_VALUE);
  EXPECT_EQ(fill(to_ + 1, to.data(), kRegion.data(), &pattern, 4), CL_INVALID_VALUE);
  EXPECT_EQ(fill(to_, to.data(), odd.data(), &pattern, 4), CL_INVALID_VALUE);
  EXPECT_EQ(fill(to_, far.data(), kRegion.data(), &pattern, 4), CL_INVALID_VALUE);
}

TEST_F(Pocl, CommandBuffersOfPointers) {
  const auto buffer = command_buffer({unordered_.get()});
  const Sizes to{3, 2, 1}, from{1, 4, 2};
  const unsigned char nine = 9, five = 5;
  const auto r = buffer.get();
  cl_sync_point_khr filled = 0, copied = 0;
  ASSERT_EQ(clCommandSVMMemfillPOCL(r, nullptr, to_, kBytes, &nine, 1, 0, nullptr, &filled, nullptr), CL_SUCCESS);
  ASSERT_EQ(clCommandSVMMemcpyRectPOCL(r, nullptr, to_, from_, to.data(), from.data(), kRegion.data(), kWidth,
                                       kWidth * kHeight, kWidth, kWidth * kHeight, 1, &filled, &copied, nullptr),
            CL_SUCCESS);
  ASSERT_EQ(clCommandSVMMemcpyPOCL(r, nullptr, to_, from_ + 100, 8, 1, &filled, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(clCommandSVMMemfillRectPOCL(r, nullptr, to_, to.data(), Sizes{1, 1, 1}.data(), kWidth, kWidth * kHeight,
                                        &five, 1, 1, &copied, nullptr, nullptr),
            CL_SUCCESS);
  ASSERT_EQ(finalize_(r), CL_SUCCESS);
  Bytes expected = after_copy(to, from);
  std::replace(expected.begin(), expected.end(), static_cast<unsigned char>(0xee), nine);
  std::copy(from_ + 100, from_ + 108, expected.begin());
  expected[at(to, 0, 0, 0)] = five;
  for (int i = 0; i < 2; ++i) {
    clear();
    run(buffer, unordered_);
    EXPECT_EQ(this->to(), expected) << i;
  }
  EXPECT_EQ(clCommandSVMMemcpyPOCL(r, nullptr, to_, from_, 8, 0, nullptr, nullptr, nullptr), CL_INVALID_OPERATION);
}

/// Each run reads and writes the application's memory anew.
TEST_F(Pocl, CommandBuffersOfHostMemory) {
  const auto memory = numbers(std::vector<cl_int>(kBytes / 4, 0));
  std::vector<cl_int> in(kBytes / 4), out(kBytes / 4, -1), corner(4, -1);
  const auto buffer = command_buffer({queue_.get()});
  const auto r = buffer.get();
  const Sizes none{0, 0, 0}, box{8, 2, 1}, second{8, 1, 0};
  ASSERT_EQ(clCommandWriteBufferPOCL(r, nullptr, memory.get(), 0, kBytes, in.data(), 0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  record(buffer, kernel_on("add", memory, 1), kBytes / 4);
  ASSERT_EQ(clCommandWriteBufferRectPOCL(r, nullptr, memory.get(), second.data(), none.data(), box.data(), kWidth, 0, 0,
                                         0, corner.data(), 0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  ASSERT_EQ(clCommandReadBufferRectPOCL(r, nullptr, memory.get(), none.data(), none.data(), box.data(), kWidth, 0, 0, 0,
                                        corner.data(), 0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  ASSERT_EQ(clCommandReadBufferPOCL(r, nullptr, memory.get(), 0, kBytes, out.data(), 0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  ASSERT_EQ(finalize_(r), CL_SUCCESS);
  for (const cl_int start : {10, 2000}) {
    std::iota(in.begin(), in.end(), start);
    std::vector<cl_int> expected = in;
    for (cl_int& value : expected) value += 1;
    // Rows of kWidth bytes are four numbers; the region is the last two of the second and the third row.
    for (const size_t i : {0, 1}) expected[6 + i] = corner[i], expected[10 + i] = corner[2 + i];
    run(buffer, queue_);
    EXPECT_EQ(out, expected) << start;
    EXPECT_EQ(corner, (std::vector<cl_int>{expected[0], expected[1], expected[4], expected[5]})) << start;
  }
}

TEST_F(Pocl, CommandBuffersOfImages) {
  const cl_image_format format{CL_R, CL_UNSIGNED_INT8};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = kWidth;
  desc.image_height = kHeight;
  cl_int code = 1;
  const MemPtr image(clCreateImage(context_.get(), CL_MEM_READ_WRITE, &format, &desc, nullptr, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  const Sizes none{0, 0, 0}, all{kWidth, kHeight, 1}, inside{2, 3, 0}, part{4, 2, 1};
  Bytes out(part[0] * part[1]);
  const auto buffer = command_buffer({queue_.get()});
  const auto r = buffer.get();
  ASSERT_EQ(clCommandWriteImagePOCL(r, nullptr, image.get(), none.data(), all.data(), 0, 0, from_, 0, nullptr, nullptr,
                                    nullptr),
            CL_SUCCESS);
  ASSERT_EQ(clCommandReadImagePOCL(r, nullptr, image.get(), inside.data(), part.data(), 0, 0, out.data(), 0, nullptr,
                                   nullptr, nullptr),
            CL_SUCCESS);
  ASSERT_EQ(finalize_(r), CL_SUCCESS);
  run(buffer, queue_);
  for (size_t y = 0; y < part[1]; ++y)
    for (size_t x = 0; x < part[0]; ++x) EXPECT_EQ(out[y * part[0] + x], (inside[1] + y) * kWidth + inside[0] + x);
}

TEST_F(Pocl, ErrorsOfRecording) {
  const auto memory = numbers({1, 2, 3, 4});
  const MemPtr closed = this->buffer(16, CL_MEM_HOST_NO_ACCESS);
  const auto buffer = command_buffer({queue_.get()});
  const auto r = buffer.get();
  std::vector<cl_int> host(4);
  cl_mutable_command_khr handle = nullptr;
  const cl_sync_point_khr unknown = 77;
  const auto read = [&](cl_command_buffer_khr on, cl_mem from, size_t offset, void* to, cl_uint waits,
                        const cl_sync_point_khr* points, cl_mutable_command_khr* command) {
    return clCommandReadBufferPOCL(on, nullptr, from, offset, 16, to, waits, points, nullptr, command);
  };
  EXPECT_EQ(read(nullptr, memory.get(), 0, host.data(), 0, nullptr, nullptr), CL_INVALID_COMMAND_BUFFER_KHR);
  EXPECT_EQ(read(r, nullptr, 0, host.data(), 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(read(r, memory.get(), 4, host.data(), 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(read(r, memory.get(), 0, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(read(r, closed.get(), 0, host.data(), 0, nullptr, nullptr), CL_INVALID_OPERATION);
  EXPECT_EQ(read(r, memory.get(), 0, host.data(), 1, nullptr, nullptr), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
  EXPECT_EQ(read(r, memory.get(), 0, host.data(), 1, &unknown, nullptr), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
  EXPECT_EQ(read(r, memory.get(), 0, host.data(), 0, nullptr, &handle), CL_INVALID_VALUE);
  EXPECT_EQ(clCommandWriteBufferPOCL(r, nullptr, closed.get(), 0, 16, host.data(), 0, nullptr, nullptr, nullptr),
            CL_INVALID_OPERATION);
  EXPECT_EQ(clCommandSVMMemcpyPOCL(r, nullptr, to_, nullptr, 8, 0, nullptr, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clCommandSVMMemfillPOCL(r, nullptr, to_, 8, host.data(), 3, 0, nullptr, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clCommandReadImagePOCL(r, nullptr, memory.get(), nullptr, nullptr, 0, 0, host.data(), 0, nullptr, nullptr,
                                   nullptr),
            CL_INVALID_MEM_OBJECT);
}

}  // namespace
}  // namespace lanewise::test
