// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Contexts (API 4.4).
#include <CL/cl_gl.h>

#include <array>
#include <fstream>
#include <string>

#include "tests/api/fixture.h"

namespace lanewise::test {
namespace {

void CL_CALLBACK ignore_message(const char*, const void*, size_t, void*) {}

cl_int creation_code(const cl_context_properties* properties, std::vector<cl_device_id> devices) {
  cl_int code = 1;
  const cl_context context = clCreateContext(properties, static_cast<cl_uint>(devices.size()),
                                             devices.empty() ? nullptr : devices.data(), nullptr, nullptr, &code);
  EXPECT_EQ(context != nullptr, code == CL_SUCCESS);
  if (context != nullptr) {
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
  }
  return code;
}

cl_context_properties as_property(cl_platform_id platform) {
  return reinterpret_cast<cl_context_properties>(platform);
}

TEST(Context, PropertyRules) {
  const auto platform = first_platform();
  const auto device = first_device();
  const cl_context_properties good[] = {CL_CONTEXT_PLATFORM, as_property(platform), CL_CONTEXT_INTEROP_USER_SYNC,
                                        CL_TRUE, 0};
  const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, as_property(platform), CL_CONTEXT_PLATFORM,
                                         as_property(platform), 0};
  const cl_context_properties unknown[] = {0x7777, 1, 0};
  const cl_context_properties no_platform[] = {CL_CONTEXT_PLATFORM, 0, 0};
  const cl_context_properties no_bool[] = {CL_CONTEXT_INTEROP_USER_SYNC, 2, 0};
  EXPECT_EQ(creation_code(good, {device}), CL_SUCCESS);
  EXPECT_EQ(creation_code(nullptr, {device}), CL_SUCCESS);
  EXPECT_EQ(creation_code(twice, {device}), CL_INVALID_PROPERTY);
  EXPECT_EQ(creation_code(unknown, {device}), CL_INVALID_PROPERTY);
  EXPECT_EQ(creation_code(no_platform, {device}), CL_INVALID_PLATFORM);
  EXPECT_EQ(creation_code(no_bool, {device}), CL_INVALID_PROPERTY);
  EXPECT_EQ(creation_code(nullptr, {}), CL_INVALID_VALUE);
  EXPECT_EQ(creation_code(nullptr, {nullptr}), CL_INVALID_DEVICE);
  cl_int code = 0;
  int data = 0;
  EXPECT_EQ(clCreateContext(nullptr, 1, &device, nullptr, &data, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  const cl_context context = clCreateContext(nullptr, 1, &device, ignore_message, &data, nullptr);
  EXPECT_NE(context, nullptr);
  EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

TEST(Context, DuplicateDevicesCountOnce) {
  const std::array<cl_device_id, 3> devices{first_device(), first_device(), first_device()};
  const cl_context context = clCreateContext(nullptr, 3, devices.data(), nullptr, nullptr, nullptr);
  ASSERT_NE(context, nullptr);
  cl_uint count = 0;
  EXPECT_EQ(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof count, &count, nullptr), CL_SUCCESS);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

TEST(Context, EchoesItsProperties) {
  const auto device = first_device();
  const cl_context_properties none[] = {0};
  const cl_context_properties full[] = {CL_CONTEXT_INTEROP_USER_SYNC, CL_FALSE, CL_CONTEXT_PLATFORM,
                                        as_property(first_platform()), 0};
  const auto echo = [&](const cl_context_properties* properties) {
    const cl_context context = clCreateContext(properties, 1, &device, nullptr, nullptr, nullptr);
    std::size_t size = 99;
    EXPECT_EQ(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, 0, nullptr, &size), CL_SUCCESS);
    std::vector<cl_context_properties> out(size / sizeof(cl_context_properties));
    EXPECT_EQ(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, size, out.data(), nullptr), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
    return out;
  };
  EXPECT_TRUE(echo(nullptr).empty());
  EXPECT_EQ(echo(none), std::vector<cl_context_properties>({0}));
  EXPECT_EQ(echo(full), std::vector<cl_context_properties>(std::begin(full), std::end(full)));
}

TEST(Context, FromType) {
  cl_int code = 1;
  const cl_context context = clCreateContextFromType(nullptr, CL_DEVICE_TYPE_CPU, nullptr, nullptr, &code);
  EXPECT_EQ(code, CL_SUCCESS);
  cl_device_id device = nullptr;
  EXPECT_EQ(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, nullptr), CL_SUCCESS);
  EXPECT_EQ(device, first_device());
  EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
  EXPECT_EQ(clCreateContextFromType(nullptr, CL_DEVICE_TYPE_GPU, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_DEVICE_NOT_FOUND);
  EXPECT_EQ(clCreateContextFromType(nullptr, 0, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_DEVICE_TYPE);
}

std::vector<int>& calls() {
  static std::vector<int> list;
  return list;
}

void CL_CALLBACK record(cl_context context, void* user_data) {
  EXPECT_NE(context, nullptr);
  calls().push_back(*static_cast<int*>(user_data));
}

TEST(Context, DestructorCallbacksRunInReverse) {
  calls().clear();
  const auto device = first_device();
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  std::array<int, 3> numbers{1, 2, 3};
  for (int& number : numbers) EXPECT_EQ(clSetContextDestructorCallback(context, record, &number), CL_SUCCESS);
  EXPECT_EQ(clSetContextDestructorCallback(context, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clRetainContext(context), CL_SUCCESS);
  EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
  EXPECT_TRUE(calls().empty());
  // An object of the context keeps the context alive.
  const cl_mem buffer = clCreateBuffer(context, 0, 64, nullptr, nullptr);
  EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
  EXPECT_TRUE(calls().empty());
  EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
  EXPECT_EQ(calls(), std::vector<int>({3, 2, 1}));
}

/// Whether a library of OpenGL or of a window system is open in this process, which does not link one.
bool has_graphics_library() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    for (const char* name : {"/libGL", "/libEGL", "/libX11", "/libOpenGL", "_dri.so"})
      if (line.find(name) != std::string::npos) return true;
  return false;
}

/// Nor do those that ask for OpenGL where the application has none.
TEST(Context, OpensNoLibraryOfOpenGL) {
  const auto device = first_device();
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  const cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  int nothing = 0;
  const auto number = reinterpret_cast<cl_context_properties>(&nothing);
  for (const cl_context_properties display : {CL_GLX_DISPLAY_KHR, CL_EGL_DISPLAY_KHR}) {
    const cl_context_properties list[] = {CL_GL_CONTEXT_KHR, number, display, number, 0};
    EXPECT_EQ(creation_code(list, {device}), CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
  }
  EXPECT_FALSE(has_graphics_library());
  EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
  EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

TEST(Context, ForeignHandlesAreRefused) {
  const auto not_a_context = reinterpret_cast<cl_context>(first_device());
  EXPECT_EQ(clRetainContext(not_a_context), CL_INVALID_CONTEXT);
  EXPECT_EQ(clReleaseContext(nullptr), CL_INVALID_CONTEXT);
}

}  // namespace
}  // namespace lanewise::test
