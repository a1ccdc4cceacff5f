// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Extensions of SPIR-V that the device has only where it validates with a newer SPIRV-Tools than that of Debian 12.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "include/lanewise/cl_compat.h"
#include "tests/spirv/fixture.h"

namespace lanewise::test {

/// Skips itself on a device without the extension.
class NewerIl : public IlFixture {
 protected:
  [[nodiscard]] bool has(std::string_view extension) const {
    size_t size = 0;
    EXPECT_EQ(clGetDeviceInfo(device_, CL_DEVICE_SPIRV_EXTENSIONS_KHR, 0, nullptr, &size), CL_SUCCESS);
    std::vector<const char*> names(size / sizeof(const char*));
    EXPECT_EQ(clGetDeviceInfo(device_, CL_DEVICE_SPIRV_EXTENSIONS_KHR, size, names.data(), nullptr), CL_SUCCESS);
    return std::any_of(names.begin(), names.end(), [&](const char* name) { return extension == name; });
  }
};

}  // namespace lanewise::test
