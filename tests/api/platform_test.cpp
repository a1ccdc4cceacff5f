// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The platform (API 4.1) and extension strings.
#include <algorithm>
#include <set>
#include <sstream>

#include "include/lanewise/cl_compat.h"
#include "tests/api/fixture.h"

namespace lanewise::test {
namespace {

std::set<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::set<std::string> out;
  for (std::string word; stream >> word;) EXPECT_TRUE(out.insert(word).second) << "twice: " << word;
  return out;
}

std::set<std::string> names(const std::vector<cl_name_version>& rows) {
  std::set<std::string> out;
  for (const auto& row : rows) EXPECT_TRUE(out.insert(row.name).second) << "twice: " << row.name;
  return out;
}

TEST(Platform, ListRules) {
  cl_uint count = 0;
  EXPECT_EQ(clGetPlatformIDs(0, nullptr, &count), CL_SUCCESS);
  EXPECT_EQ(count, 1u);
  cl_platform_id platform = nullptr;
  EXPECT_EQ(clGetPlatformIDs(0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetPlatformIDs(0, &platform, &count), CL_INVALID_VALUE);
  EXPECT_EQ(clGetPlatformIDs(5, &platform, nullptr), CL_SUCCESS);
  EXPECT_NE(platform, nullptr);
}

TEST(Platform, Strings) {
  const auto platform = first_platform();
  EXPECT_EQ(platform_text(platform, CL_PLATFORM_NAME), "Lanewise");
  EXPECT_EQ(platform_text(platform, CL_PLATFORM_PROFILE), "FULL_PROFILE");
  // OpenCL 3.1 asks for SPIR-V.
  const bool has_il = !device_text(first_device(), CL_DEVICE_IL_VERSION).empty();
  const std::string version = has_il ? "OpenCL 3.1 " : "OpenCL 3.0 ";
  EXPECT_EQ(platform_text(platform, CL_PLATFORM_VERSION).rfind(version, 0), 0u);
  EXPECT_EQ(device_text(first_device(), CL_DEVICE_VERSION).rfind(version, 0), 0u);
  EXPECT_FALSE(platform_text(platform, CL_PLATFORM_VENDOR).empty());
  EXPECT_FALSE(platform_text(platform, CL_PLATFORM_ICD_SUFFIX_KHR).empty());
}

TEST(Platform, ExtensionsAgree) {
  const auto platform = first_platform();
  const auto device = first_device();
  const auto of_platform = words(platform_text(platform, CL_PLATFORM_EXTENSIONS));
  const auto of_device = words(device_text(device, CL_DEVICE_EXTENSIONS));
  EXPECT_TRUE(std::includes(of_platform.begin(), of_platform.end(), of_device.begin(), of_device.end()));
  EXPECT_EQ(names(device_list<cl_name_version>(device, CL_DEVICE_EXTENSIONS_WITH_VERSION)), of_device);
  std::size_t size = 0;
  ASSERT_EQ(clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION, 0, nullptr, &size), CL_SUCCESS);
  std::vector<cl_name_version> rows(size / sizeof(cl_name_version));
  ASSERT_EQ(clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION, size, rows.data(), nullptr), CL_SUCCESS);
  EXPECT_EQ(names(rows), of_platform);
  // API 4.2: mandatory since OpenCL 1.1, and tied to the double precision that the device has.
  for (const char* name :
       {"cl_khr_byte_addressable_store", "cl_khr_global_int32_base_atomics", "cl_khr_global_int32_extended_atomics",
        "cl_khr_local_int32_base_atomics", "cl_khr_local_int32_extended_atomics", "cl_khr_fp64"}) {
    EXPECT_EQ(of_device.count(name), 1u) << name;
  }
  EXPECT_EQ(of_platform.count("cl_khr_icd"), 1u);
}

/// cl_khr_icd_unloadable: the library stays mapped after dlclose (robustness tests), and the query says so.
TEST(Platform, Unloadable) {
  const auto platform = first_platform();
  EXPECT_EQ(words(platform_text(platform, CL_PLATFORM_EXTENSIONS)).count("cl_khr_icd_unloadable"), 1u);
  cl_bool unloadable = 7;
  std::size_t size = 0;
  ASSERT_EQ(clGetPlatformInfo(platform, CL_PLATFORM_UNLOADABLE_KHR, sizeof unloadable, &unloadable, &size), CL_SUCCESS);
  EXPECT_EQ(size, sizeof unloadable);
  EXPECT_EQ(unloadable, CL_FALSE);
}

TEST(Platform, UnloadCompiler) {
  EXPECT_EQ(clUnloadCompiler(), CL_SUCCESS);
  EXPECT_EQ(clUnloadPlatformCompiler(first_platform()), CL_SUCCESS);
  EXPECT_EQ(clUnloadPlatformCompiler(nullptr), CL_INVALID_PLATFORM);
}

}  // namespace
}  // namespace lanewise::test
