// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reading, writing, copying, filling and mapping images (API 5.3.4 to 5.3.8).
#include <cmath>
#include <cstring>

#include "include/lanewise/cl_compat.h"
#include "tests/api/images/image_fixture.h"

namespace lanewise::test {
namespace {

constexpr cl_image_format kFormats[] = {
    {CL_R, CL_UNORM_INT8}, {CL_RG, CL_SIGNED_INT16}, {CL_RGBA, CL_FLOAT}, {CL_BGRA, CL_UNORM_INT8}};
constexpr cl_image_format kRgba8{CL_RGBA, CL_UNORM_INT8};

class ImageTransfer : public WithImages {
 protected:
  /// For every type and some formats: an image, filled with a model's content.
  template <class Body>
  void each(Body&& body) {
    for (const auto type : kImageTypes)
      for (const auto& format : kFormats) {
        SCOPED_TRACE(testing::Message() << std::hex << type << " " << format.image_channel_order);
        Mem owner;
        const Mem made = image_of(type, format, owner);
        Model model(extent_of(type), image_value<std::size_t>(made.get(), CL_IMAGE_ELEMENT_SIZE), type);
        write(made.get(), {{0, 0, 0}, model.extent}, model.bytes);
        body(made.get(), model);
      }
  }
  Bytes whole(cl_mem made, const Model& model) const { return read(made, {{0, 0, 0}, model.extent}, model.element); }
};

TEST_F(ImageTransfer, ReadAndWriteParts) {
  each([&](cl_mem made, Model& model) {
    const Part part = middle_of(model.extent);
    EXPECT_EQ(read(made, part, model.element), model.cut(part));
    const Bytes data = some_bytes(model.cut(part).size(), 99);
    write(made, part, data);
    model.paste(part, data);
    EXPECT_EQ(whole(made, model), model.bytes);
  });
}

TEST_F(ImageTransfer, HostPitches) {
  each([&](cl_mem made, Model& model) {
    const Part part = middle_of(model.extent);
    const bool sliced = model.extent[2] > 1 || (model.extent[1] == 7);
    const bool line_array = model.extent[2] == 1 && model.extent[1] == 7;
    const std::size_t bytes = part.region[0] * model.element;
    const std::size_t row = bytes + 3 * model.element;
    const std::size_t slice = !sliced ? 0 : line_array ? 2 * row : row * (part.region[1] + 1);
    Bytes host(row * part.region[1] * 2 + slice * part.region[2] + row, 0xee);
    ASSERT_EQ(clEnqueueReadImage(queue, made, CL_TRUE, part.origin.data(), part.region.data(), row, slice, host.data(),
                                 0, nullptr, nullptr),
              CL_SUCCESS);
    const std::size_t y_step = line_array ? slice : row;
    const Bytes expected = model.cut(part);
    for (std::size_t z = 0; z < part.region[2]; ++z)
      for (std::size_t y = 0; y < part.region[1]; ++y) {
        const unsigned char* at = host.data() + z * slice + y * y_step;
        ASSERT_EQ(std::memcmp(at, expected.data() + (z * part.region[1] + y) * bytes, bytes), 0);
        EXPECT_EQ(at[bytes], 0xee);
      }
    std::fill(model.bytes.begin(), model.bytes.end(), 0);
    write(made, {{0, 0, 0}, model.extent}, model.bytes);
    ASSERT_EQ(clEnqueueWriteImage(queue, made, CL_TRUE, part.origin.data(), part.region.data(), row, slice, host.data(),
                                  0, nullptr, nullptr),
              CL_SUCCESS);
    model.paste(part, expected);
    EXPECT_EQ(whole(made, model), model.bytes);
  });
}

TEST_F(ImageTransfer, CopyBetweenTypes) {
  for (const auto from_type : kImageTypes)
    for (const auto to_type : kImageTypes) {
      Mem from_owner, to_owner;
      const Mem from = image_of(from_type, kRgba8, from_owner);
      const Mem to = image_of(to_type, kRgba8, to_owner);
      Model source(extent_of(from_type), 4, 1), target(extent_of(to_type), 4, 2);
      write(from.get(), {{0, 0, 0}, source.extent}, source.bytes);
      write(to.get(), {{0, 0, 0}, target.extent}, target.bytes);
      Part read_part{{3, 0, 0}, {}}, written{{5, 0, 0}, {}};
      for (int i = 0; i < 3; ++i) {
        read_part.region[i] = written.region[i] =
            i == 0 ? 20 : std::max<std::size_t>(1, std::min(source.extent[i], target.extent[i]) - 1);
        read_part.origin[i] = i == 0 ? 3 : source.extent[i] - read_part.region[i];
      }
      ASSERT_EQ(clEnqueueCopyImage(queue, from.get(), to.get(), read_part.origin.data(), written.origin.data(),
                                   read_part.region.data(), 0, nullptr, nullptr),
                CL_SUCCESS);
      target.paste(written, source.cut(read_part));
      EXPECT_EQ(read(to.get(), {{0, 0, 0}, target.extent}, 4), target.bytes);
    }
}

TEST_F(ImageTransfer, CopyWithinAnImage) {
  const Mem made = image(kRgba8, described(CL_MEM_OBJECT_IMAGE2D));
  Model model({37, 11, 1}, 4, 5);
  write(made.get(), {{0, 0, 0}, model.extent}, model.bytes);
  const Triple region{10, 4, 1};
  const auto copy = [&](Triple from, Triple to) {
    return clEnqueueCopyImage(queue, made.get(), made.get(), from.data(), to.data(), region.data(), 0, nullptr,
                              nullptr);
  };
  EXPECT_EQ(copy({0, 0, 0}, {9, 3, 0}), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy({0, 0, 0}, {10, 0, 0}), CL_SUCCESS);
  model.paste({{10, 0, 0}, region}, model.cut({{0, 0, 0}, region}));
  EXPECT_EQ(read(made.get(), {{0, 0, 0}, model.extent}, 4), model.bytes);
}

/// The specification leaves it open, but this driver gives memmove's result (for buffers: tests/api/overlap_test.cpp).
TEST_F(ImageTransfer, ReadsIntoTheImagesOwnHostMemory) {
  constexpr std::size_t kWidth = 256, kHeight = 64, kPitch = kWidth * 4;
  Bytes host = some_bytes(kPitch * (kHeight + 1) + 4);
  const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = kWidth;
  desc.image_height = kHeight;
  cl_int code = 1;
  const Mem image(clCreateImage(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, &format, &desc, host.data(), &code));
  ASSERT_EQ(code, CL_SUCCESS);
  const std::size_t origin[3] = {}, region[3] = {kWidth - 8, kHeight, 1};
  Bytes expected = host;
  for (std::size_t y = 0; y < kHeight; ++y)
    std::memcpy(&expected[y * kPitch + kPitch + 4], &host[y * kPitch], region[0] * 4);
  EXPECT_EQ(clEnqueueReadImage(queue, image.get(), CL_TRUE, origin, region, kPitch, 0, host.data() + kPitch + 4, 0,
                               nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(host, expected);
}

TEST_F(ImageTransfer, BetweenImagesAndBuffers) {
  each([&](cl_mem made, Model& model) {
    const Part part = middle_of(model.extent);
    const Bytes cut = model.cut(part);
    const Mem linear = buffer(cut.size() + 100);
    ASSERT_EQ(clEnqueueCopyImageToBuffer(queue, made, linear.get(), part.origin.data(), part.region.data(), 12, 0,
                                         nullptr, nullptr),
              CL_SUCCESS);
    const Bytes out = contents(linear);
    EXPECT_EQ(std::memcmp(out.data() + 12, cut.data(), cut.size()), 0);
    const Bytes data = some_bytes(cut.size(), 3);
    ASSERT_EQ(clEnqueueWriteBuffer(queue, linear.get(), CL_TRUE, 20, data.size(), data.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    ASSERT_EQ(clEnqueueCopyBufferToImage(queue, linear.get(), made, 20, part.origin.data(), part.region.data(), 0,
                                         nullptr, nullptr),
              CL_SUCCESS);
    model.paste(part, data);
    EXPECT_EQ(whole(made, model), model.bytes);
  });
}

TEST_F(ImageTransfer, Map) {
  each([&](cl_mem made, Model& model) {
    const Part part = middle_of(model.extent);
    const bool sliced = model.extent[2] > 1 || model.extent[1] == 7;
    std::size_t row = 1, slice = 1;
    cl_int code = 1;
    auto* mapped = static_cast<unsigned char*>(clEnqueueMapImage(queue, made, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                                                 part.origin.data(), part.region.data(), &row, &slice,
                                                                 0, nullptr, nullptr, &code));
    ASSERT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(mem_value<cl_uint>(made, CL_MEM_MAP_COUNT), 1u);
    EXPECT_EQ(row, model.extent[0] * model.element);
    EXPECT_EQ(slice == 0, !sliced);
    const bool line_array = model.extent[2] == 1 && model.extent[1] == 7;
    const Bytes cut = model.cut(part);
    const std::size_t bytes = part.region[0] * model.element;
    for (std::size_t z = 0; z < part.region[2]; ++z)
      for (std::size_t y = 0; y < part.region[1]; ++y) {
        unsigned char* at = mapped + z * slice + y * (line_array ? slice : row);
        ASSERT_EQ(std::memcmp(at, cut.data() + (z * part.region[1] + y) * bytes, bytes), 0);
        std::memset(at, 0x5a, bytes);
      }
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, made, mapped, 0, nullptr, nullptr), CL_SUCCESS);
    model.paste(part, Bytes(cut.size(), 0x5a));
    EXPECT_EQ(whole(made, model), model.bytes);
    EXPECT_EQ(mem_value<cl_uint>(made, CL_MEM_MAP_COUNT), 0u);
  });
}

TEST_F(ImageTransfer, WriteMapsDoNotOverlap) {
  const Mem made = image(kRgba8, described(CL_MEM_OBJECT_IMAGE2D));
  std::size_t row = 0;
  cl_int code = 1;
  const auto map = [&](Triple origin, Triple region, cl_map_flags flags) {
    return clEnqueueMapImage(queue, made.get(), CL_TRUE, flags, origin.data(), region.data(), &row, nullptr, 0, nullptr,
                             nullptr, &code);
  };
  void* left = map({0, 0, 0}, {10, 11, 1}, CL_MAP_WRITE);
  EXPECT_EQ(code, CL_SUCCESS);
  // A region beside it, in the same rows: the byte ranges interleave, but no element is in both.
  void* right = map({10, 0, 0}, {10, 11, 1}, CL_MAP_WRITE_INVALIDATE_REGION);
  EXPECT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(map({9, 0, 0}, {2, 2, 1}, CL_MAP_WRITE), nullptr);
  EXPECT_EQ(code, CL_INVALID_OPERATION);
  for (void* pointer : {left, right})
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, made.get(), pointer, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, made.get(), left, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_F(ImageTransfer, MipLevels) {
  for (const auto type : {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                          CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D}) {
    cl_image_desc desc = described(static_cast<cl_mem_object_type>(type));
    desc.num_mip_levels = 6;  // 37, 18, 9, 4, 2, 1
    const Mem made = image(kRgba8, desc);
    EXPECT_EQ(image_value<cl_uint>(made.get(), CL_IMAGE_NUM_MIP_LEVELS), 6u);
    const std::size_t slot = type == CL_MEM_OBJECT_IMAGE1D                                          ? 1
                             : type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D ? 2
                                                                                                    : 3;
    std::vector<Bytes> content;
    const auto at_level = [&](std::size_t level, Triple& region) {
      std::array<std::size_t, 4> origin{};
      origin[slot] = level;
      region = extent_of(static_cast<cl_mem_object_type>(type));
      for (std::size_t i = 0; i < 3; ++i) {
        const bool index =
            (type == CL_MEM_OBJECT_IMAGE1D_ARRAY && i == 1) || (type == CL_MEM_OBJECT_IMAGE2D_ARRAY && i == 2);
        if (!index) region[i] = std::max<std::size_t>(region[i] >> level, 1);
      }
      return origin;
    };
    for (std::size_t level = 0; level < 6; ++level) {
      Triple region{};
      const auto origin = at_level(level, region);
      content.push_back(some_bytes(region[0] * region[1] * region[2] * 4, level + 1));
      ASSERT_EQ(clEnqueueWriteImage(queue, made.get(), CL_TRUE, origin.data(), region.data(), 0, 0,
                                    content.back().data(), 0, nullptr, nullptr),
                CL_SUCCESS);
    }
    for (std::size_t level = 0; level < 6; ++level) {
      Triple region{};
      const auto origin = at_level(level, region);
      Bytes data(content[level].size());
      ASSERT_EQ(clEnqueueReadImage(queue, made.get(), CL_TRUE, origin.data(), region.data(), 0, 0, data.data(), 0,
                                   nullptr, nullptr),
                CL_SUCCESS);
      EXPECT_EQ(data, content[level]) << level;
    }
    std::array<std::size_t, 4> beyond{};
    beyond[slot] = 6;
    const Triple one{1, 1, 1};
    Bytes data(16);
    EXPECT_EQ(clEnqueueReadImage(queue, made.get(), CL_TRUE, beyond.data(), one.data(), 0, 0, data.data(), 0, nullptr,
                                 nullptr),
              CL_INVALID_MIP_LEVEL);
  }
}

/// The element that a colour becomes, checked against values worked out by hand.
TEST_F(ImageTransfer, FillColours) {
  struct Case {
    cl_image_format format;
    std::array<float, 4> colour;
    Bytes element;
  };
  const Case cases[] = {
      {{CL_RGBA, CL_UNORM_INT8}, {0.0F, 0.5F, 1.0F, 2.0F}, {0, 128, 255, 255}},
      {{CL_BGRA, CL_UNORM_INT8}, {0.0F, 0.2F, 1.0F, -1.0F}, {255, 51, 0, 0}},
      {{CL_ARGB, CL_SNORM_INT8}, {1.0F, -1.0F, 0.0F, 0.5F}, {64, 127, 129, 0}},
      {{CL_ABGR, CL_UNORM_INT8}, {0.2F, 0.4F, 0.6F, 0.8F}, {204, 153, 102, 51}},
      {{CL_R, CL_UNORM_INT16}, {1.0F, 0, 0, 0}, {255, 255}},
      {{CL_A, CL_UNORM_INT8}, {0, 0, 0, 1.0F}, {255}},
      {{CL_RA, CL_UNORM_INT8}, {0.2F, 1.0F, 1.0F, 0.4F}, {51, 102}},
      {{CL_LUMINANCE, CL_UNORM_INT8}, {0.6F, 0, 0, 0}, {153}},
      {{CL_RG, CL_HALF_FLOAT}, {1.0F, -2.0F, 0, 0}, {0x00, 0x3c, 0x00, 0xc0}},
      {{CL_R, CL_FLOAT}, {1.0F, 0, 0, 0}, {0, 0, 0x80, 0x3f}},
      {{CL_DEPTH, CL_UNORM_INT16}, {1.0F, 0, 0, 0}, {255, 255}},
      {{CL_RGB, CL_UNORM_SHORT_565}, {1.0F, 0.0F, 0.0F, 0}, {0x00, 0xf8}},
      {{CL_RGB, CL_UNORM_SHORT_555}, {0.0F, 1.0F, 0.0F, 0}, {0xe0, 0x03}},
      {{CL_RGB, CL_UNORM_INT_101010}, {1.0F, 0.0F, 1.0F, 0}, {0xff, 0x03, 0xf0, 0x3f}},
      {{CL_RGBA, CL_UNORM_INT_101010_2}, {0.0F, 0.0F, 0.0F, 1.0F}, {0x03, 0, 0, 0}},
      {{CL_sRGBA, CL_UNORM_INT8}, {0.0F, 0.2158605F, 1.0F, 0.5F}, {0, 128, 255, 128}},
      {{CL_sRGBx, CL_UNORM_INT8}, {0.0F, 0.2158605F, 1.0F, 0.5F}, {0, 128, 255, 255}},  // opaque
      {{CL_ABGR, CL_UNORM_INT_2_101010_EXT}, {1.0F, 0.0F, 0.0F, 1.0F}, {0xff, 0x03, 0x00, 0xc0}},
      {{CL_R, CL_UNORM_INT10X6_EXT}, {1.0F, 0, 0, 0}, {0xc0, 0xff}},
      {{CL_RG, CL_UNORM_INT12X4_EXT}, {0.5F, 1.0F, 0, 0}, {0x00, 0x80, 0xf0, 0xff}},
      {{CL_RGBA, CL_UNORM_INT14X2_EXT}, {1.0F, 0.0F, 2.0F, -1.0F}, {0xfc, 0xff, 0, 0, 0xfc, 0xff, 0, 0}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::Message() << std::hex << c.format.image_channel_order << " "
                                    << c.format.image_channel_data_type);
    const Mem made = image(c.format, described(CL_MEM_OBJECT_IMAGE2D));
    Model model({37, 11, 1}, c.element.size(), 4);
    write(made.get(), {{0, 0, 0}, model.extent}, model.bytes);
    const Part part = middle_of(model.extent);
    ASSERT_EQ(clEnqueueFillImage(queue, made.get(), c.colour.data(), part.origin.data(), part.region.data(), 0, nullptr,
                                 nullptr),
              CL_SUCCESS);
    Bytes filled;
    for (std::size_t i = 0; i < part.region[0] * part.region[1]; ++i)
      filled.insert(filled.end(), c.element.begin(), c.element.end());
    model.paste(part, filled);
    EXPECT_EQ(read(made.get(), {{0, 0, 0}, model.extent}, model.element), model.bytes);
  }
}

/// More than the caches hold, so that the rows are written past them: a part of each row, and all of them as one run.
TEST_F(ImageTransfer, FillLarge) {
  cl_image_desc desc = described(CL_MEM_OBJECT_IMAGE2D);
  desc.image_width = desc.image_height = 4096;
  const Mem made = image({CL_RGBA, CL_UNORM_INT8}, desc);
  const std::array<float, 4> first{1.0F, 0.0F, 1.0F, 0.0F}, second{0.0F, 1.0F, 0.2F, 0.4F};
  const Triple all{4096, 4096, 1}, part{4091, 4095, 1}, corner{3, 1, 0};
  ASSERT_EQ(clEnqueueFillImage(queue, made.get(), first.data(), Triple{}.data(), all.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  ASSERT_EQ(clEnqueueFillImage(queue, made.get(), second.data(), corner.data(), part.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  const Bytes data = read(made.get(), {{0, 0, 0}, all}, 4);
  for (std::size_t i = 0; i < data.size() / 4; ++i) {
    const std::size_t x = i % 4096;
    const bool inside = x >= 3 && x < 3 + 4091 && i / 4096 >= 1;
    const std::array<unsigned char, 4> expected =
        inside ? std::array<unsigned char, 4>{0, 255, 51, 102} : std::array<unsigned char, 4>{255, 0, 255, 0};
    ASSERT_EQ(std::memcmp(&data[4 * i], expected.data(), 4), 0) << i;
  }
}

TEST_F(ImageTransfer, FillIntegersInTheHighBits) {
  const std::array<cl_uint, 4> colour{5, 70000, 4095, 0};
  const Mem made = image({CL_RGBA, CL_UNSIGNED_INT12X4_EXT}, described(CL_MEM_OBJECT_IMAGE2D));
  const Triple one{1, 1, 1};
  ASSERT_EQ(clEnqueueFillImage(queue, made.get(), colour.data(), Triple{}.data(), one.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(read(made.get(), {{0, 0, 0}, one}, 8), (Bytes{0x50, 0, 0xf0, 0xff, 0xf0, 0xff, 0, 0}));
}

TEST_F(ImageTransfer, FillIntegersSaturate) {
  const std::array<cl_int, 4> colour{-1000, 100, 1000, 70000};
  const Mem bytes = image({CL_RGBA, CL_SIGNED_INT8}, described(CL_MEM_OBJECT_IMAGE2D));
  const Triple zero{0, 0, 0}, one{1, 1, 1};
  ASSERT_EQ(clEnqueueFillImage(queue, bytes.get(), colour.data(), zero.data(), one.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(read(bytes.get(), {zero, one}, 4), (Bytes{0x80, 100, 127, 127}));
  const Mem words = image({CL_RG, CL_UNSIGNED_INT16}, described(CL_MEM_OBJECT_IMAGE2D));
  const std::array<cl_uint, 4> large{70000, 258, 0, 0};
  ASSERT_EQ(clEnqueueFillImage(queue, words.get(), large.data(), zero.data(), one.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(read(words.get(), {zero, one}, 4), (Bytes{0xff, 0xff, 2, 1}));
}

TEST_F(ImageTransfer, EventTypes) {
  const Mem made = image(kRgba8, described(CL_MEM_OBJECT_IMAGE2D));
  const Mem other = image(kRgba8, described(CL_MEM_OBJECT_IMAGE2D));
  const Mem linear = buffer(4096);
  const Triple zero{0, 0, 0}, one{1, 1, 1};
  Bytes data(64);
  std::size_t row = 0;
  cl_event event = nullptr;
  const auto ended = [&](cl_command_type type) {
    EXPECT_EQ(command_type(event), type);
    EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
    clReleaseEvent(event);
  };
  const auto *o = zero.data(), *r = one.data();
  clEnqueueReadImage(queue, made.get(), CL_FALSE, o, r, 0, 0, data.data(), 0, nullptr, &event);
  ended(CL_COMMAND_READ_IMAGE);
  clEnqueueWriteImage(queue, made.get(), CL_FALSE, o, r, 0, 0, data.data(), 0, nullptr, &event);
  ended(CL_COMMAND_WRITE_IMAGE);
  clEnqueueFillImage(queue, made.get(), data.data(), o, r, 0, nullptr, &event);
  ended(CL_COMMAND_FILL_IMAGE);
  clEnqueueCopyImage(queue, made.get(), other.get(), o, o, r, 0, nullptr, &event);
  ended(CL_COMMAND_COPY_IMAGE);
  clEnqueueCopyImageToBuffer(queue, made.get(), linear.get(), o, r, 0, 0, nullptr, &event);
  ended(CL_COMMAND_COPY_IMAGE_TO_BUFFER);
  clEnqueueCopyBufferToImage(queue, linear.get(), made.get(), 0, o, r, 0, nullptr, &event);
  ended(CL_COMMAND_COPY_BUFFER_TO_IMAGE);
  void* mapped =
      clEnqueueMapImage(queue, made.get(), CL_FALSE, CL_MAP_READ, o, r, &row, nullptr, 0, nullptr, &event, nullptr);
  ended(CL_COMMAND_MAP_IMAGE);
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, made.get(), mapped, 0, nullptr, nullptr), CL_SUCCESS);
}

}  // namespace
}  // namespace lanewise::test
