// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Handles as arguments: of kernels (API 5.9.2), and the platform of a look-up (extensions, chapter 2).
#include <cstring>

#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

class HandleArguments : public ProgramFixture {};

TEST_F(HandleArguments, SizeIsCheckedBeforeTheSampler) {
  const auto k = kernel(built("kernel void k(sampler_t s, global int* a) { *a = 1; }"), "k");
  cl_sampler none = nullptr;
  for (const std::size_t size : {std::size_t{0}, std::size_t{4}, std::size_t{16}, ~std::size_t{0}})
    EXPECT_EQ(clSetKernelArg(k.get(), 0, size, &none), CL_INVALID_ARG_SIZE) << size;
  EXPECT_EQ(clSetKernelArg(k.get(), 0, sizeof none, &none), CL_INVALID_SAMPLER);
  EXPECT_EQ(clSetKernelArg(k.get(), 0, sizeof none, nullptr), CL_INVALID_SAMPLER);
}

TEST_F(HandleArguments, ExtensionsAreLookedUpOnAPlatformOnly) {
  constexpr const char* kName = "clGetKernelSuggestedLocalWorkSizeKHR";
  ASSERT_NE(clGetExtensionFunctionAddressForPlatform(platform_, kName), nullptr);
  const auto memory = buffer(4);
  void* zeros[64] = {};
  void* copied[64] = {};
  std::memcpy(copied, platform_, sizeof(void*));  // our table, and nothing else of a platform
  for (void* other : {static_cast<void*>(nullptr), static_cast<void*>(device_), static_cast<void*>(context_.get()),
                      static_cast<void*>(memory.get()), static_cast<void*>(zeros), static_cast<void*>(copied)}) {
    const auto platform = static_cast<cl_platform_id>(other);
    EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(platform, kName), nullptr);
    EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(platform, "clIcdGetPlatformIDsKHR"), nullptr);
  }
}

}  // namespace
}  // namespace lanewise::test
