// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images and samplers.
#include "tests/fuzz/api/world.h"

namespace lanewise::fuzz {

namespace {

constexpr cl_channel_order kOrders[] = {CL_RGBA, CL_R, CL_RG, CL_BGRA, CL_sRGBA, CL_DEPTH, CL_RGB, CL_Rx, 0x1234};
constexpr cl_channel_type kTypes[] = {CL_UNORM_INT8,  CL_FLOAT,           CL_HALF_FLOAT,       CL_UNSIGNED_INT32,
                                      CL_SIGNED_INT8, CL_UNORM_SHORT_565, CL_UNORM_INT_101010, 0x1234};
constexpr cl_mem_object_type kImageTypes[] = {
    CL_MEM_OBJECT_IMAGE2D,       CL_MEM_OBJECT_IMAGE1D,        CL_MEM_OBJECT_IMAGE3D, CL_MEM_OBJECT_IMAGE1D_ARRAY,
    CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_BUFFER,  CL_MEM_OBJECT_PIPE};
constexpr cl_mem_flags kFlags[] = {CL_MEM_READ_WRITE,           CL_MEM_READ_ONLY,      CL_MEM_USE_HOST_PTR,
                                   CL_MEM_COPY_HOST_PTR,        CL_MEM_ALLOC_HOST_PTR, CL_MEM_HOST_NO_ACCESS,
                                   CL_MEM_KERNEL_READ_AND_WRITE};

cl_image_format format_of(Draw& draw) {
  if (draw.below(4) != 0) return {CL_RGBA, CL_UNORM_INT8};
  return {draw.among(kOrders), draw.among(kTypes)};
}

/// 1 to 8 elements, or too many.
std::size_t extent(Draw& draw) {
  const std::size_t odd[] = {0, 100000, SIZE_MAX, std::size_t{1} << 33};
  return draw.one_in(24) ? draw.among(odd) : 1 + draw.below(8);
}

/// A description, mostly with zeros where the type has no such extent.
cl_image_desc description(World& world, Draw& draw, bool has_host) {
  cl_image_desc desc{};
  desc.image_type = draw.among(kImageTypes);
  const bool array = desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY || desc.image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  desc.image_width = extent(draw);
  if (desc.image_type != CL_MEM_OBJECT_IMAGE1D || draw.one_in(16)) desc.image_height = extent(draw);
  if (desc.image_type == CL_MEM_OBJECT_IMAGE3D || draw.one_in(16)) desc.image_depth = extent(draw);
  if (array || draw.one_in(16)) desc.image_array_size = extent(draw);
  if (draw.one_in(8)) desc.num_mip_levels = draw.below(6);
  if (draw.one_in(32)) desc.num_samples = draw.below(3);
  // With a host pointer the pitches decide how much is read behind it.
  if (draw.one_in(4)) desc.image_row_pitch = has_host ? draw.byte() : amount(draw, 128);
  if (draw.one_in(4)) desc.image_slice_pitch = has_host ? draw.byte() * 16 : amount(draw, 512);
  if (desc.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER || draw.one_in(6)) desc.mem_object = world.memory(draw);
  return desc;
}

void create_image(World& world, Draw& draw) {
  if (world.memories.live() > World::kMostObjects) return;
  const cl_mem_flags flags = draw.one_in(2) ? CL_MEM_READ_WRITE : draw.some_of(kFlags);
  const bool wants_pointer = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
  void* host = wants_pointer != draw.one_in(32) ? world.host(draw) : nullptr;
  const cl_image_format format = format_of(draw);
  const cl_image_desc desc = description(world, draw, wants_pointer || host != nullptr);
  const auto context = world.context(draw);
  cl_int code = 0;
  if (draw.one_in(3)) {
    const cl_mem_properties properties[3] = {draw.below(2) * 0x2044U, 1, 0};
    world.memories.add(clCreateImageWithProperties(context, properties, flags, &format,
                                                   draw.one_in(32) ? nullptr : &desc, host, &code));
  } else {
    world.memories.add(clCreateImage(context, flags, draw.one_in(32) ? nullptr : &format, &desc, host, &code));
  }
}

void create_old_image(World& world, Draw& draw) {
  if (world.memories.live() > World::kMostObjects) return;
  const cl_mem_flags flags = draw.one_in(2) ? CL_MEM_READ_WRITE : draw.some_of(kFlags);
  const bool wants_pointer = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
  void* host = wants_pointer ? world.host(draw) : nullptr;
  const cl_image_format format = format_of(draw);
  const std::size_t row = draw.one_in(4) ? draw.byte() : 0;
  cl_int code = 0;
  world.memories.add(
      draw.one_in(2)
          ? clCreateImage2D(world.context(draw), flags, &format, extent(draw), extent(draw), row, host, &code)
          : clCreateImage3D(world.context(draw), flags, &format, extent(draw), extent(draw), extent(draw), row,
                            draw.one_in(4) ? row * draw.below(16) : 0, host, &code));
}

void formats(World& world, Draw& draw) {
  auto* list = static_cast<cl_image_format*>(world.scratch());
  cl_uint count = 0;
  static_cast<void>(clGetSupportedImageFormats(world.context(draw), draw.some_of(kFlags), draw.among(kImageTypes),
                                               draw.byte(), draw.one_in(4) ? nullptr : list,
                                               draw.one_in(4) ? nullptr : &count));
}

void read_or_write(World& world, Draw& draw) {
  const cl_bool blocks = blocking(world, draw);
  Wait wait(world, draw);
  const auto queue = world.queue(draw);
  const auto memory = world.memory(draw);
  const auto origin = image_origin(draw);
  const auto region = triple(draw, true);
  const std::size_t row = draw.one_in(3) ? draw.byte() * 4 : 0;
  const std::size_t slice = draw.one_in(3) ? row * draw.below(16) : 0;
  void* host = world.host(draw);
  if (draw.one_in(2)) {
    static_cast<void>(clEnqueueReadImage(queue, memory, blocks, origin.data(), region.data(), row, slice, host,
                                         wait.count(), wait.list(), wait.event()));
  } else {
    static_cast<void>(clEnqueueWriteImage(queue, memory, blocks, origin.data(), region.data(), row, slice, host,
                                          wait.count(), wait.list(), wait.event()));
  }
}

void copy(World& world, Draw& draw) {
  Wait wait(world, draw);
  const auto queue = world.queue(draw);
  const auto from = world.memory(draw);
  const auto to = draw.one_in(2) ? from : world.memory(draw);
  const auto origin = image_origin(draw);
  const auto target = image_origin(draw);
  const auto region = triple(draw, true);
  const std::size_t offset = amount(draw, 256);
  switch (draw.below(3)) {
    case 0:
      static_cast<void>(clEnqueueCopyImage(queue, from, to, origin.data(), target.data(), region.data(), wait.count(),
                                           wait.list(), wait.event()));
      break;
    case 1:
      static_cast<void>(clEnqueueCopyImageToBuffer(queue, from, to, origin.data(), region.data(), offset, wait.count(),
                                                   wait.list(), wait.event()));
      break;
    default:
      static_cast<void>(clEnqueueCopyBufferToImage(queue, from, to, offset, origin.data(), region.data(), wait.count(),
                                                   wait.list(), wait.event()));
  }
}

void fill(World& world, Draw& draw) {
  Wait wait(world, draw);
  cl_uint colour[4] = {};
  for (auto& part : colour) part = draw.word();
  const auto origin = image_origin(draw);
  const auto region = triple(draw, true);
  static_cast<void>(clEnqueueFillImage(world.queue(draw), world.memory(draw), draw.one_in(16) ? nullptr : colour,
                                       origin.data(), region.data(), wait.count(), wait.list(), wait.event()));
}

void create_sampler(World& world, Draw& draw) {
  if (world.samplers.live() > World::kMostObjects) return;
  const cl_addressing_mode modes[] = {CL_ADDRESS_CLAMP,           CL_ADDRESS_NONE,          CL_ADDRESS_REPEAT,
                                      CL_ADDRESS_MIRRORED_REPEAT, CL_ADDRESS_CLAMP_TO_EDGE, 7};
  const cl_filter_mode filters[] = {CL_FILTER_NEAREST, CL_FILTER_LINEAR, 7};
  const auto context = world.context(draw);
  cl_int code = 0;
  if (draw.one_in(2)) {
    world.samplers.add(clCreateSampler(context, draw.below(3), draw.among(modes), draw.among(filters), &code));
    return;
  }
  const cl_sampler_properties keys[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_SAMPLER_ADDRESSING_MODE,
                                        CL_SAMPLER_FILTER_MODE, CL_SAMPLER_MIP_FILTER_MODE_KHR, 5};
  cl_sampler_properties list[9] = {};
  for (unsigned i = 0, count = draw.below(5); i < count; ++i) {
    list[2 * i] = draw.among(keys);
    list[2 * i + 1] = draw.one_in(2) ? draw.among(modes) : draw.among(filters);
  }
  world.samplers.add(clCreateSamplerWithProperties(context, draw.one_in(8) ? nullptr : list, &code));
}

}  // namespace

std::vector<Call> image_calls() {
  return {create_image, create_image, create_image, create_old_image, formats, read_or_write, read_or_write,
          copy,         copy,         fill,         create_sampler};
}

}  // namespace lanewise::fuzz
