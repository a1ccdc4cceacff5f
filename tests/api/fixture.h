// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Shared by most API tests: the platform, its device, and objects that clean up after themselves.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lanewise::test {

inline cl_platform_id first_platform() {
  cl_platform_id platform = nullptr;
  EXPECT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
  return platform;
}

inline cl_device_id first_device() {
  cl_device_id device = nullptr;
  EXPECT_EQ(clGetDeviceIDs(first_platform(), CL_DEVICE_TYPE_ALL, 1, &device, nullptr), CL_SUCCESS);
  return device;
}

template <class T>
T device_value(cl_device_id device, cl_device_info param) {
  T value{};
  std::size_t size = 0;
  EXPECT_EQ(clGetDeviceInfo(device, param, sizeof value, &value, &size), CL_SUCCESS) << std::hex << param;
  EXPECT_EQ(size, sizeof value) << std::hex << param;
  return value;
}

template <class T>
std::vector<T> device_list(cl_device_id device, cl_device_info param) {
  std::size_t size = 0;
  EXPECT_EQ(clGetDeviceInfo(device, param, 0, nullptr, &size), CL_SUCCESS) << std::hex << param;
  EXPECT_EQ(size % sizeof(T), 0u);
  std::vector<T> values(size / sizeof(T));
  EXPECT_EQ(clGetDeviceInfo(device, param, size, values.data(), nullptr), CL_SUCCESS) << std::hex << param;
  return values;
}

inline std::string device_text(cl_device_id device, cl_device_info param) {
  const auto text = device_list<char>(device, param);
  EXPECT_FALSE(text.empty());
  EXPECT_EQ(text.empty() ? 1 : text.back(), '\0');
  return text.empty() ? std::string() : std::string(text.data());
}

inline std::string platform_text(cl_platform_id platform, cl_platform_info param) {
  std::size_t size = 0;
  EXPECT_EQ(clGetPlatformInfo(platform, param, 0, nullptr, &size), CL_SUCCESS) << std::hex << param;
  std::string text(size, '?');
  EXPECT_EQ(clGetPlatformInfo(platform, param, size, text.data(), nullptr), CL_SUCCESS) << std::hex << param;
  EXPECT_EQ(text.back(), '\0');
  text.pop_back();
  return text;
}

/// A context on the first device, for the time of a test.
class WithContext : public testing::Test {
 protected:
  void SetUp() override {
    platform = first_platform();
    device = first_device();
    cl_int code = 1;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    ASSERT_NE(context, nullptr);
  }
  void TearDown() override {
    if (context != nullptr) {
      EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
    }
  }

  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
};

}  // namespace lanewise::test
