// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Errors of the image commands (API 5.3.4 to 5.3.7): one set of rules for the seven of them.
#include <functional>

#include "include/lanewise/cl_compat.h"
#include "tests/api/images/image_fixture.h"

namespace lanewise::test {
namespace {

constexpr cl_image_format kRgba8{CL_RGBA, CL_UNORM_INT8};

/// The arguments of a command; a test changes one, the others are valid.
struct Arguments {
  cl_command_queue queue;
  cl_mem image;
  const std::size_t* origin;
  const std::size_t* region;
  cl_uint count = 0;
  const cl_event* list = nullptr;
  cl_event* event = nullptr;
  cl_bool blocking = CL_FALSE;
};
struct Command {
  const char* name;
  bool blocks;
  std::function<cl_int(const Arguments&)> call;
};

class ImageErrors : public WithImages {
 protected:
  void SetUp() override {
    WithImages::SetUp();
    flat = image(kRgba8, described(CL_MEM_OBJECT_IMAGE2D));
    other = image(kRgba8, described(CL_MEM_OBJECT_IMAGE2D));
    linear = buffer(4096);
    data.resize(4096);
    using A = const Arguments&;
    commands = {
        {"read", true,
         [this](A a) {
           return clEnqueueReadImage(a.queue, a.image, a.blocking, a.origin, a.region, 0, 0, data.data(), a.count,
                                     a.list, a.event);
         }},
        {"write", true,
         [this](A a) {
           return clEnqueueWriteImage(a.queue, a.image, a.blocking, a.origin, a.region, 0, 0, data.data(), a.count,
                                      a.list, a.event);
         }},
        {"fill", false,
         [this](A a) {
           return clEnqueueFillImage(a.queue, a.image, data.data(), a.origin, a.region, a.count, a.list, a.event);
         }},
        {"copy from", false,
         [this](A a) {
           return clEnqueueCopyImage(a.queue, a.image, other.get(), a.origin, zero.data(), a.region, a.count, a.list,
                                     a.event);
         }},
        {"copy to", false,
         [this](A a) {
           return clEnqueueCopyImage(a.queue, other.get(), a.image, zero.data(), a.origin, a.region, a.count, a.list,
                                     a.event);
         }},
        {"to buffer", false,
         [this](A a) {
           return clEnqueueCopyImageToBuffer(a.queue, a.image, linear.get(), a.origin, a.region, 0, a.count, a.list,
                                             a.event);
         }},
        {"from buffer", false,
         [this](A a) {
           return clEnqueueCopyBufferToImage(a.queue, linear.get(), a.image, 0, a.origin, a.region, a.count, a.list,
                                             a.event);
         }},
        {"map", true,
         [](A a) {
           std::size_t row = 0;
           cl_int code = 1;
           void* at = clEnqueueMapImage(a.queue, a.image, a.blocking, CL_MAP_READ, a.origin, a.region, &row, nullptr,
                                        a.count, a.list, a.event, &code);
           if (at != nullptr) {
             EXPECT_EQ(clEnqueueUnmapMemObject(a.queue, a.image, at, 0, nullptr, nullptr), CL_SUCCESS);
           }
           return code;
         }},
    };
  }
  void TearDown() override {
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);  // nothing may touch `data` any more
    flat.reset();
    other.reset();
    linear.reset();
    WithImages::TearDown();
  }
  Arguments right() const { return {queue, flat.get(), zero.data(), one.data()}; }

  Mem flat, other, linear;
  Bytes data;
  Triple zero{0, 0, 0};
  Triple one{1, 1, 1};
  std::vector<Command> commands;
};

TEST_F(ImageErrors, Objects) {
  const Stranger stranger(device);
  cl_image_desc desc = described(CL_MEM_OBJECT_IMAGE2D);
  Mem foreign(clCreateImage(stranger.context, 0, &kRgba8, &desc, nullptr, nullptr));
  for (const Command& command : commands) {
    SCOPED_TRACE(command.name);
    Arguments a = right();
    EXPECT_EQ(command.call(a), CL_SUCCESS);
    for (cl_command_queue bad : invalid_handles<cl_command_queue>(context)) {
      a.queue = bad;
      EXPECT_EQ(command.call(a), CL_INVALID_COMMAND_QUEUE);
    }
    a = right();
    for (cl_mem bad : invalid_handles<cl_mem>(context)) {
      a.image = bad;
      EXPECT_EQ(command.call(a), CL_INVALID_MEM_OBJECT);
    }
    a.image = linear.get();
    EXPECT_EQ(command.call(a), CL_INVALID_MEM_OBJECT);
    a.image = foreign.get();
    EXPECT_EQ(command.call(a), CL_INVALID_CONTEXT);
  }
}

TEST_F(ImageErrors, Regions) {
  for (const Command& command : commands) {
    SCOPED_TRACE(command.name);
    const auto refused = [&](const std::size_t* origin, const std::size_t* region) {
      Arguments a = right();
      a.origin = origin;
      a.region = region;
      EXPECT_EQ(command.call(a), CL_INVALID_VALUE);
    };
    refused(nullptr, one.data());
    refused(zero.data(), nullptr);
    for (int i = 0; i < 3; ++i) {
      Triple region = one;
      region[i] = 0;
      refused(zero.data(), region.data());
      region[i] = 1000;
      refused(zero.data(), region.data());
      region[i] = SIZE_MAX;
      refused(zero.data(), region.data());
      Triple origin = zero;
      origin[i] = 1000;
      refused(origin.data(), one.data());
      origin[i] = SIZE_MAX;
      refused(origin.data(), one.data());
    }
    const Triple third_slice{0, 0, 1};  // 2D images have none
    refused(third_slice.data(), one.data());
  }
}

TEST_F(ImageErrors, WaitLists) {
  for (const Command& command : commands) {
    SCOPED_TRACE(command.name);
    expect_wait_list_rules(context, device, [&](cl_uint count, const cl_event* list, cl_event* event) {
      Arguments a = right();
      a.count = count;
      a.list = list;
      a.event = event;
      return command.call(a);
    });
    if (!command.blocks) continue;
    expect_failed_wait(context, [&](cl_uint count, const cl_event* list, cl_event* event) {
      Arguments a = right();
      a.count = count;
      a.list = list;
      a.event = event;
      a.blocking = CL_TRUE;
      return command.call(a);
    });
  }
}

TEST_F(ImageErrors, MipLevels) {
  cl_image_desc desc = described(CL_MEM_OBJECT_IMAGE2D);
  desc.num_mip_levels = 3;
  const Mem levels = image(kRgba8, desc);
  for (const Command& command : commands) {
    SCOPED_TRACE(command.name);
    Arguments a = right();
    const Triple third{0, 0, 2}, fourth{0, 0, 3};
    a.image = levels.get();
    a.origin = third.data();
    EXPECT_EQ(command.call(a), CL_SUCCESS);
    a.origin = fourth.data();
    EXPECT_EQ(command.call(a), CL_INVALID_MIP_LEVEL);
  }
  Bytes host(4096);
  image(kRgba8, desc, CL_MEM_USE_HOST_PTR, host.data(), CL_INVALID_VALUE);
  image({CL_DEPTH, CL_FLOAT}, desc, 0, nullptr, CL_INVALID_IMAGE_DESCRIPTOR);
}

/// Both rules are broken; the CTS asks for the error of this one.
TEST_F(ImageErrors, ImmutableImagesAreNotMappedForWriting) {
  std::vector<char> pixels(37 * 11 * 4);
  const Mem fixed =
      image(kRgba8, described(CL_MEM_OBJECT_IMAGE2D), CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR, pixels.data());
  for (const cl_map_flags flags : {CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION}) {
    cl_int code = 0;
    EXPECT_EQ(clEnqueueMapImage(queue, fixed.get(), CL_TRUE, flags, zero.data(), one.data(), nullptr, nullptr, 0,
                                nullptr, nullptr, &code),
              nullptr);
    EXPECT_EQ(code, CL_INVALID_OPERATION);
  }
}

TEST_F(ImageErrors, HostAccess) {
  const auto desc = described(CL_MEM_OBJECT_IMAGE2D);
  const Mem write_only = image(kRgba8, desc, CL_MEM_HOST_WRITE_ONLY);
  const Mem read_only = image(kRgba8, desc, CL_MEM_HOST_READ_ONLY);
  const Mem neither = image(kRgba8, desc, CL_MEM_HOST_NO_ACCESS);
  const auto *o = zero.data(), *r = one.data();
  std::size_t row = 0;
  const auto read = [&](const Mem& m) {
    return clEnqueueReadImage(queue, m.get(), CL_TRUE, o, r, 0, 0, data.data(), 0, nullptr, nullptr);
  };
  const auto write = [&](const Mem& m) {
    return clEnqueueWriteImage(queue, m.get(), CL_TRUE, o, r, 0, 0, data.data(), 0, nullptr, nullptr);
  };
  const auto map = [&](const Mem& m, cl_map_flags flags) {
    cl_int code = 1;
    void* at = clEnqueueMapImage(queue, m.get(), CL_TRUE, flags, o, r, &row, nullptr, 0, nullptr, nullptr, &code);
    if (at != nullptr) clEnqueueUnmapMemObject(queue, m.get(), at, 0, nullptr, nullptr);
    return code;
  };
  EXPECT_EQ(read(write_only), CL_INVALID_OPERATION);
  EXPECT_EQ(read(neither), CL_INVALID_OPERATION);
  EXPECT_EQ(read(read_only), CL_SUCCESS);
  EXPECT_EQ(write(read_only), CL_INVALID_OPERATION);
  EXPECT_EQ(write(neither), CL_INVALID_OPERATION);
  EXPECT_EQ(write(write_only), CL_SUCCESS);
  EXPECT_EQ(map(write_only, CL_MAP_READ), CL_INVALID_OPERATION);
  EXPECT_EQ(map(write_only, CL_MAP_WRITE), CL_SUCCESS);
  EXPECT_EQ(map(read_only, CL_MAP_WRITE_INVALIDATE_REGION), CL_INVALID_OPERATION);
  EXPECT_EQ(map(neither, CL_MAP_READ), CL_INVALID_OPERATION);
}

TEST_F(ImageErrors, OwnArguments) {
  const auto *o = zero.data(), *r = one.data();
  std::size_t row = 0;
  cl_int code = 1;
  // ptr and pitches.
  EXPECT_EQ(clEnqueueReadImage(queue, flat.get(), CL_TRUE, o, r, 0, 0, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueWriteImage(queue, flat.get(), CL_TRUE, o, r, 0, 0, nullptr, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  for (const auto& [row_pitch, slice_pitch] : {std::pair<std::size_t, std::size_t>{3, 0}, {0, 4}, {4, 4}}) {
    EXPECT_EQ(
        clEnqueueReadImage(queue, flat.get(), CL_TRUE, o, r, row_pitch, slice_pitch, data.data(), 0, nullptr, nullptr),
        CL_INVALID_VALUE);
    EXPECT_EQ(
        clEnqueueWriteImage(queue, flat.get(), CL_TRUE, o, r, row_pitch, slice_pitch, data.data(), 0, nullptr, nullptr),
        CL_INVALID_VALUE);
  }
  // Colour, formats, ranges of buffers.
  EXPECT_EQ(clEnqueueFillImage(queue, flat.get(), nullptr, o, r, 0, nullptr, nullptr), CL_INVALID_VALUE);
  const Mem swapped = image({CL_BGRA, CL_UNORM_INT8}, described(CL_MEM_OBJECT_IMAGE2D));
  EXPECT_EQ(clEnqueueCopyImage(queue, flat.get(), swapped.get(), o, o, r, 0, nullptr, nullptr),
            CL_IMAGE_FORMAT_MISMATCH);
  EXPECT_EQ(clEnqueueCopyImageToBuffer(queue, flat.get(), linear.get(), o, r, 4093, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueCopyBufferToImage(queue, linear.get(), flat.get(), SIZE_MAX, o, r, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueCopyImageToBuffer(queue, flat.get(), other.get(), o, r, 0, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  cl_image_desc desc = described(CL_MEM_OBJECT_IMAGE1D_BUFFER);
  desc.buffer = linear.get();
  const Mem line = image(kRgba8, desc, 0);
  EXPECT_EQ(clEnqueueCopyImageToBuffer(queue, line.get(), linear.get(), o, r, 0, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBufferToImage(queue, linear.get(), line.get(), 0, o, r, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  // Maps.
  const auto map = [&](cl_mem made, cl_map_flags flags, std::size_t* row_out, std::size_t* slice_out) {
    EXPECT_EQ(clEnqueueMapImage(queue, made, CL_TRUE, flags, o, r, row_out, slice_out, 0, nullptr, nullptr, &code),
              nullptr);
    return code;
  };
  EXPECT_EQ(map(flat.get(), CL_MAP_READ, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(map(flat.get(), 1 << 9, &row, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(map(flat.get(), CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, &row, nullptr), CL_INVALID_VALUE);
  const Mem array = image(kRgba8, described(CL_MEM_OBJECT_IMAGE1D_ARRAY));
  EXPECT_EQ(map(array.get(), CL_MAP_READ, &row, nullptr), CL_INVALID_VALUE);
}

class Samplers : public WithImages {};

template <class T>
T sampler_value(cl_sampler sampler, cl_sampler_info what) {
  T value{};
  std::size_t size = 0;
  EXPECT_EQ(clGetSamplerInfo(sampler, what, sizeof value, &value, &size), CL_SUCCESS);
  EXPECT_EQ(size, sizeof value);
  return value;
}

TEST_F(Samplers, DefaultsAndProperties) {
  cl_int code = 1;
  cl_sampler made = clCreateSamplerWithProperties(context, nullptr, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(sampler_value<cl_bool>(made, CL_SAMPLER_NORMALIZED_COORDS), cl_bool{CL_TRUE});
  EXPECT_EQ(sampler_value<cl_addressing_mode>(made, CL_SAMPLER_ADDRESSING_MODE), cl_addressing_mode{CL_ADDRESS_CLAMP});
  EXPECT_EQ(sampler_value<cl_filter_mode>(made, CL_SAMPLER_FILTER_MODE), cl_filter_mode{CL_FILTER_NEAREST});
  EXPECT_EQ(sampler_value<cl_context>(made, CL_SAMPLER_CONTEXT), context);
  std::size_t size = 1;
  EXPECT_EQ(clGetSamplerInfo(made, CL_SAMPLER_PROPERTIES, 0, nullptr, &size), CL_SUCCESS);
  EXPECT_EQ(size, 0u);
  EXPECT_EQ(clRetainSampler(made), CL_SUCCESS);
  EXPECT_EQ(sampler_value<cl_uint>(made, CL_SAMPLER_REFERENCE_COUNT), 2u);
  EXPECT_EQ(clReleaseSampler(made), CL_SUCCESS);
  EXPECT_EQ(clReleaseSampler(made), CL_SUCCESS);

  const cl_sampler_properties list[] = {CL_SAMPLER_FILTER_MODE,
                                        CL_FILTER_LINEAR,
                                        CL_SAMPLER_ADDRESSING_MODE,
                                        CL_ADDRESS_MIRRORED_REPEAT,
                                        CL_SAMPLER_NORMALIZED_COORDS,
                                        CL_TRUE,
                                        CL_SAMPLER_MIP_FILTER_MODE_KHR,
                                        CL_FILTER_LINEAR,
                                        0};
  made = clCreateSamplerWithProperties(context, list, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(sampler_value<cl_filter_mode>(made, CL_SAMPLER_FILTER_MODE), cl_filter_mode{CL_FILTER_LINEAR});
  cl_sampler_properties back[9] = {};
  EXPECT_EQ(clGetSamplerInfo(made, CL_SAMPLER_PROPERTIES, sizeof back, back, &size), CL_SUCCESS);
  EXPECT_EQ(size, sizeof list);
  EXPECT_EQ(std::memcmp(back, list, sizeof list), 0);
  EXPECT_EQ(clGetSamplerInfo(made, 0x1234, sizeof back, back, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetSamplerInfo(made, CL_SAMPLER_FILTER_MODE, 1, back, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clReleaseSampler(made), CL_SUCCESS);
}

TEST_F(Samplers, Errors) {
  cl_int code = 1;
  const auto refused = [&](std::vector<cl_sampler_properties> list) {
    list.push_back(0);
    EXPECT_EQ(clCreateSamplerWithProperties(context, list.data(), &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
  };
  refused({0x1234, 1});
  refused({CL_SAMPLER_FILTER_MODE, 0x1234});
  refused({CL_SAMPLER_ADDRESSING_MODE, CL_FILTER_LINEAR});
  refused({CL_SAMPLER_NORMALIZED_COORDS, 7});
  refused({CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_REPEAT});
  refused({CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR});
  EXPECT_EQ(clCreateSamplerWithProperties(nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateSampler(nullptr, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateSampler(context, CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, 0, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  cl_sampler made = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &code);
  EXPECT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(clReleaseSampler(made), CL_SUCCESS);
  for (cl_sampler bad : invalid_handles<cl_sampler>(context)) {
    EXPECT_EQ(clRetainSampler(bad), CL_INVALID_SAMPLER);
    EXPECT_EQ(clReleaseSampler(bad), CL_INVALID_SAMPLER);
    EXPECT_EQ(clGetSamplerInfo(bad, CL_SAMPLER_CONTEXT, 0, nullptr, nullptr), CL_INVALID_SAMPLER);
  }
}

}  // namespace
}  // namespace lanewise::test
