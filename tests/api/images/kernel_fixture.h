// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels that use images.
#pragma once

#include <string>
#include <vector>

#include "tests/api/images/image_fixture.h"
#include "tests/api/images/reference.h"
#include "tests/api/program_fixture.h"
#include "tests/by_spirv.h"

namespace lanewise::test {

using SamplerPtr = Owned<cl_sampler, clReleaseSampler>;

class WithImageKernels : public WithImages {
 protected:
  ProgramPtr build(const std::string& source, const char* options = "-cl-std=CL3.0") const {
    ProgramPtr program(make_program(context, source, options));
    std::string log(4096, '\0');
    if (clBuildProgram(program.get(), 0, nullptr, options, nullptr, nullptr) != CL_SUCCESS) {
      clGetProgramBuildInfo(program.get(), device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
      ADD_FAILURE() << log.c_str() << source;
    }
    return program;
  }
  KernelPtr kernel(const ProgramPtr& program, const char* name) const {
    cl_int code = 1;
    KernelPtr made(clCreateKernel(program.get(), name, &code));
    EXPECT_EQ(code, CL_SUCCESS) << name;
    return made;
  }
  SamplerPtr sampler(const ReferenceSampler& traits) const {
    cl_int code = 1;
    SamplerPtr made(clCreateSampler(context, traits.normalised ? CL_TRUE : CL_FALSE, traits.addressing,
                                    traits.linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  template <class... Args>
  void set(const KernelPtr& made, const Args&... args) const {
    cl_uint index = 0;
    const auto one = [&](std::size_t size, const void* value) {
      EXPECT_EQ(clSetKernelArg(made.get(), index, size, value), CL_SUCCESS) << index;
      ++index;
    };
    (..., one(sizeof args, &args));
  }
  void run(const KernelPtr& made, std::size_t x, std::size_t y = 1, std::size_t z = 1) const {
    const Triple global{x, y, z};
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, made.get(), 3, nullptr, global.data(), nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
  }
  template <class T>
  Mem buffer_with(const std::vector<T>& values) const {
    return buffer(values.size() * sizeof(T), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, const_cast<T*>(values.data()));
  }
  template <class T>
  std::vector<T> values_of(const Mem& memory) const {
    std::vector<T> values(mem_value<std::size_t>(memory.get(), CL_MEM_SIZE) / sizeof(T));
    EXPECT_EQ(clEnqueueReadBuffer(queue, memory.get(), CL_TRUE, 0, values.size() * sizeof(T), values.data(), 0, nullptr,
                                  nullptr),
              CL_SUCCESS);
    return values;
  }
};

/// A type of OpenCL C with an image of it.
struct ImageType {
  const char* name;        ///< in OpenCL C
  const char* coordinate;  ///< components of a float4 that are its coordinate
  cl_mem_object_type type;
  int dims;
  bool layers;
  bool depth;
};
inline constexpr ImageType kKernelImageTypes[] = {
    {"image1d_t", "x", CL_MEM_OBJECT_IMAGE1D, 1, false, false},
    {"image1d_buffer_t", "x", CL_MEM_OBJECT_IMAGE1D_BUFFER, 1, false, false},
    {"image1d_array_t", "xy", CL_MEM_OBJECT_IMAGE1D_ARRAY, 1, true, false},
    {"image2d_t", "xy", CL_MEM_OBJECT_IMAGE2D, 2, false, false},
    {"image2d_array_t", "xyzw", CL_MEM_OBJECT_IMAGE2D_ARRAY, 2, true, false},
    {"image3d_t", "xyzw", CL_MEM_OBJECT_IMAGE3D, 3, false, false},
    {"image2d_depth_t", "xy", CL_MEM_OBJECT_IMAGE2D, 2, false, true},
    {"image2d_array_depth_t", "xyzw", CL_MEM_OBJECT_IMAGE2D_ARRAY, 2, true, true},
};

}  // namespace lanewise::test
