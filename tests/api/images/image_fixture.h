// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Images of every type with a model of their content on the host.
#pragma once

#include <array>
#include <span>

#include "tests/api/memory_fixture.h"

namespace lanewise::test {

using Triple = std::array<std::size_t, 3>;

inline constexpr cl_mem_object_type kImageTypes[] = {CL_MEM_OBJECT_IMAGE1D,       CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                                     CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                                                     CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};

/// A description of `type` that is 37 wide, 11 high, 5 deep, with 7 images.
inline cl_image_desc described(cl_mem_object_type type) {
  cl_image_desc desc{};
  desc.image_type = type;
  desc.image_width = 37;
  if (type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY || type == CL_MEM_OBJECT_IMAGE3D)
    desc.image_height = 11;
  if (type == CL_MEM_OBJECT_IMAGE3D) desc.image_depth = 5;
  if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY) desc.image_array_size = 7;
  return desc;
}

/// The extents of `described(type)` in the coordinates of commands.
inline Triple extent_of(cl_mem_object_type type) {
  switch (type) {
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
      return {37, 7, 1};
    case CL_MEM_OBJECT_IMAGE2D:
      return {37, 11, 1};
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
      return {37, 11, 7};
    case CL_MEM_OBJECT_IMAGE3D:
      return {37, 11, 5};
    default:
      return {37, 1, 1};
  }
}

/// A part in the middle of that extent.
struct Part {
  Triple origin;
  Triple region;
};
inline Part middle_of(const Triple& extent) {
  Part part{};
  for (int i = 0; i < 3; ++i) {
    part.origin[i] = extent[i] > 2 ? extent[i] / 3 : 0;
    part.region[i] = extent[i] > 2 ? extent[i] / 2 : extent[i];
  }
  return part;
}

/// The expected content of an image: elements, tightly packed.
struct Model {
  Triple extent;
  std::size_t element;
  Bytes bytes;

  Model(Triple size, std::size_t element_bytes, std::uint64_t seed)
      : extent(size), element(element_bytes), bytes(some_bytes(size[0] * size[1] * size[2] * element_bytes, seed)) {}
  unsigned char* at(std::size_t x, std::size_t y, std::size_t z) {
    return bytes.data() + ((z * extent[1] + y) * extent[0] + x) * element;
  }
  /// The elements of a part, tightly packed.
  Bytes cut(const Part& part) {
    Bytes out;
    for (std::size_t z = 0; z < part.region[2]; ++z)
      for (std::size_t y = 0; y < part.region[1]; ++y) {
        const unsigned char* row = at(part.origin[0], part.origin[1] + y, part.origin[2] + z);
        out.insert(out.end(), row, row + part.region[0] * element);
      }
    return out;
  }
  void paste(const Part& part, const Bytes& data) {
    const unsigned char* from = data.data();
    for (std::size_t z = 0; z < part.region[2]; ++z)
      for (std::size_t y = 0; y < part.region[1]; ++y, from += part.region[0] * element)
        std::memcpy(at(part.origin[0], part.origin[1] + y, part.origin[2] + z), from, part.region[0] * element);
  }
};

class WithImages : public WithQueue {
 protected:
  Mem image(const cl_image_format& format, const cl_image_desc& desc, cl_mem_flags flags = CL_MEM_READ_WRITE,
            void* host = nullptr, cl_int expected = CL_SUCCESS) const {
    cl_int code = 1;
    Mem made(clCreateImage(context, flags, &format, &desc, host, &code));
    EXPECT_EQ(code, expected);
    EXPECT_EQ(made != nullptr, expected == CL_SUCCESS);
    return made;
  }
  /// An image of `type`; a 1D image buffer gets a buffer, which `owner` owns.
  Mem image_of(cl_mem_object_type type, const cl_image_format& format, Mem& owner) const {
    cl_image_desc desc = described(type);
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
      owner = buffer(desc.image_width * 16);
      desc.buffer = owner.get();
      return image(format, desc, 0);
    }
    return image(format, desc);
  }
  template <class T>
  T image_value(cl_mem made, cl_image_info what) const {
    T value{};
    std::size_t size = 0;
    EXPECT_EQ(clGetImageInfo(made, what, sizeof value, &value, &size), CL_SUCCESS) << std::hex << what;
    EXPECT_EQ(size, sizeof value);
    return value;
  }
  void write(cl_mem made, const Part& part, const Bytes& data) const {
    EXPECT_EQ(clEnqueueWriteImage(queue, made, CL_TRUE, part.origin.data(), part.region.data(), 0, 0, data.data(), 0,
                                  nullptr, nullptr),
              CL_SUCCESS);
  }
  Bytes read(cl_mem made, const Part& part, std::size_t element) const {
    Bytes data(part.region[0] * part.region[1] * part.region[2] * element);
    EXPECT_EQ(clEnqueueReadImage(queue, made, CL_TRUE, part.origin.data(), part.region.data(), 0, 0, data.data(), 0,
                                 nullptr, nullptr),
              CL_SUCCESS);
    return data;
  }
};

}  // namespace lanewise::test
