// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Commands on images in a command-buffer, and their errors.
#include <array>

#include "tests/api/command_buffer_fixture.h"

namespace lanewise::test {
namespace {

class RecordedImages : public CommandBufferFixture {
 protected:
  static constexpr size_t kWidth = 8;
  static constexpr size_t kHeight = 4;
  using Pixels = std::vector<cl_uchar>;

  [[nodiscard]] MemPtr image(cl_channel_type type = CL_UNSIGNED_INT8) const {
    const cl_image_format format{CL_R, type};
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = kWidth;
    desc.image_height = kHeight;
    cl_int code = 1;
    MemPtr made(clCreateImage(context_.get(), CL_MEM_READ_WRITE, &format, &desc, nullptr, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  [[nodiscard]] Pixels pixels(const MemPtr& image) const {
    Pixels out(kWidth * kHeight);
    EXPECT_EQ(
        clEnqueueReadImage(queue_.get(), image.get(), CL_TRUE, kOrigin, kAll, 0, 0, out.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    return out;
  }

  static constexpr size_t kOrigin[3] = {0, 0, 0};
  static constexpr size_t kAll[3] = {kWidth, kHeight, 1};
};

TEST_F(RecordedImages, FillsAndCopies) {
  const auto a = image();
  const auto b = image();
  const auto bytes = buffer(kWidth * kHeight);
  const auto recorded = command_buffer({queue_.get()});
  cl_command_buffer_khr r = recorded.get();
  const cl_uint five[4] = {5, 0, 0, 0};
  const cl_uint nine[4] = {9, 0, 0, 0};
  const size_t left[3] = {kWidth / 2, kHeight, 1};
  const size_t middle[3] = {kWidth / 2, 0, 0};
  ASSERT_EQ(fill_image_(r, nullptr, nullptr, a.get(), five, kOrigin, kAll, 0, nullptr, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(fill_image_(r, nullptr, nullptr, b.get(), nine, kOrigin, kAll, 0, nullptr, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(copy_image_(r, nullptr, nullptr, a.get(), b.get(), kOrigin, middle, left, 0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  ASSERT_EQ(copy_from_image_(r, nullptr, nullptr, b.get(), bytes.get(), kOrigin, kAll, 0, 0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  ASSERT_EQ(copy_to_image_(r, nullptr, nullptr, bytes.get(), a.get(), 0, kOrigin, kAll, 0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  ASSERT_EQ(finalize_(r), CL_SUCCESS);
  Pixels expected;
  for (size_t i = 0; i < kWidth * kHeight; ++i) expected.push_back(i % kWidth < kWidth / 2 ? 9 : 5);
  for (int i = 0; i < 3; ++i) {
    run(recorded, queue_);
    EXPECT_EQ(pixels(b), expected);
    EXPECT_EQ(pixels(a), expected);
    EXPECT_EQ(read<cl_uchar>(bytes, kWidth * kHeight), expected);
  }
}

TEST_F(RecordedImages, Errors) {
  const auto a = image();
  const auto other = image(CL_UNSIGNED_INT16);
  const auto bytes = buffer(kWidth * kHeight);
  const auto recorded = command_buffer({queue_.get()});
  cl_command_buffer_khr r = recorded.get();
  const cl_uint five[4] = {5, 0, 0, 0};
  const size_t outside[3] = {kWidth, 0, 0};
  cl_mutable_command_khr handle = nullptr;
  EXPECT_EQ(fill_image_(nullptr, nullptr, nullptr, a.get(), five, kOrigin, kAll, 0, nullptr, nullptr, nullptr),
            CL_INVALID_COMMAND_BUFFER_KHR);
  EXPECT_EQ(fill_image_(r, nullptr, nullptr, bytes.get(), five, kOrigin, kAll, 0, nullptr, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(fill_image_(r, nullptr, nullptr, a.get(), nullptr, kOrigin, kAll, 0, nullptr, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(fill_image_(r, nullptr, nullptr, a.get(), five, outside, kAll, 0, nullptr, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(fill_image_(r, nullptr, nullptr, a.get(), five, kOrigin, kAll, 1, nullptr, nullptr, nullptr),
            CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
  EXPECT_EQ(fill_image_(r, nullptr, nullptr, a.get(), five, kOrigin, kAll, 0, nullptr, nullptr, &handle),
            CL_INVALID_VALUE);
  EXPECT_EQ(
      copy_image_(r, nullptr, nullptr, a.get(), other.get(), kOrigin, kOrigin, kAll, 0, nullptr, nullptr, nullptr),
      CL_IMAGE_FORMAT_MISMATCH);
  EXPECT_EQ(copy_image_(r, nullptr, nullptr, a.get(), a.get(), kOrigin, kOrigin, kAll, 0, nullptr, nullptr, nullptr),
            CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy_image_(r, nullptr, nullptr, a.get(), a.get(), kOrigin, kOrigin, kAll, 0, nullptr, nullptr, &handle),
            CL_INVALID_VALUE);
  EXPECT_EQ(copy_to_image_(r, nullptr, nullptr, bytes.get(), a.get(), 1, kOrigin, kAll, 0, nullptr, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(copy_to_image_(r, nullptr, nullptr, nullptr, a.get(), 0, kOrigin, kAll, 0, nullptr, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(copy_from_image_(r, nullptr, nullptr, a.get(), bytes.get(), kOrigin, kAll, 1, 0, nullptr, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(copy_from_image_(r, nullptr, nullptr, a.get(), nullptr, kOrigin, kAll, 0, 0, nullptr, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  ASSERT_EQ(finalize_(r), CL_SUCCESS);
  EXPECT_EQ(copy_from_image_(r, nullptr, nullptr, a.get(), bytes.get(), kOrigin, kAll, 0, 0, nullptr, nullptr, nullptr),
            CL_INVALID_OPERATION);
}

}  // namespace
}  // namespace lanewise::test
