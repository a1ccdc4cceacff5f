// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_ext_device_fission.
#include "tests/api/fixture.h"
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

using Property = cl_device_partition_property_ext;

class DeviceFission : public testing::Test {
 protected:
  void SetUp() override {
    root_ = first_device();
    units_ = device_value<cl_uint>(root_, CL_DEVICE_MAX_COMPUTE_UNITS);
#define LANEWISE_FIND(member, name)                                                                               \
  member = reinterpret_cast<decltype(member)>(clGetExtensionFunctionAddressForPlatform(first_platform(), #name)); \
  ASSERT_NE(member, nullptr) << #name
    LANEWISE_FIND(create_, clCreateSubDevicesEXT);
    LANEWISE_FIND(retain_, clRetainDeviceEXT);
    LANEWISE_FIND(release_, clReleaseDeviceEXT);
#undef LANEWISE_FIND
  }
  [[nodiscard]] cl_int code_of(std::initializer_list<Property> list, cl_uint* count = nullptr) const {
    cl_uint ignored = 0;
    return create_(root_, list.begin(), 0, nullptr, count != nullptr ? count : &ignored);
  }

  cl_device_id root_ = nullptr;
  cl_uint units_ = 0;
  clCreateSubDevicesEXT_fn create_ = nullptr;
  clRetainDeviceEXT_fn retain_ = nullptr;
  clReleaseDeviceEXT_fn release_ = nullptr;
};

TEST_F(DeviceFission, PartsOfOneUnit) {
  if (units_ < 2) GTEST_SKIP() << "one compute unit";
  const Property list[] = {CL_DEVICE_PARTITION_EQUALLY_EXT, 1, CL_PROPERTIES_LIST_END_EXT};
  std::vector<cl_device_id> parts(units_);
  cl_uint count = 0;
  ASSERT_EQ(create_(root_, list, units_, parts.data(), &count), CL_SUCCESS);
  ASSERT_EQ(count, units_);
  for (cl_device_id part : parts) {
    EXPECT_EQ(device_value<cl_uint>(part, CL_DEVICE_MAX_COMPUTE_UNITS), 1u);
    EXPECT_EQ(device_value<cl_device_id>(part, CL_DEVICE_PARENT_DEVICE_EXT), root_);
    EXPECT_EQ(device_list<Property>(part, CL_DEVICE_PARTITION_STYLE_EXT), std::vector<Property>(list, list + 3));
    EXPECT_EQ(device_value<cl_uint>(part, CL_DEVICE_REFERENCE_COUNT_EXT), 1u);
    EXPECT_EQ(retain_(part), CL_SUCCESS);
    EXPECT_EQ(device_value<cl_uint>(part, CL_DEVICE_REFERENCE_COUNT_EXT), 2u);
    EXPECT_EQ(release_(part), CL_SUCCESS);
    EXPECT_EQ(release_(part), CL_SUCCESS);
  }
}

TEST_F(DeviceFission, OtherSchemes) {
  if (units_ < 2) GTEST_SKIP() << "one compute unit";
  cl_uint count = 0;
  EXPECT_EQ(code_of({CL_DEVICE_PARTITION_BY_COUNTS_EXT, 1, 1, CL_PARTITION_BY_COUNTS_LIST_END_EXT, 0}, &count),
            CL_SUCCESS);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(code_of({CL_DEVICE_PARTITION_BY_NAMES_EXT, 1, CL_PARTITION_BY_NAMES_LIST_END_EXT, 0}, &count), CL_SUCCESS);
  EXPECT_EQ(count, 1u);
  for (const Property domain : device_list<Property>(root_, CL_DEVICE_AFFINITY_DOMAINS_EXT)) {
    EXPECT_EQ(code_of({CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN_EXT, domain, 0}, &count), CL_SUCCESS) << domain;
    EXPECT_GE(count, 2u);
  }
}

TEST_F(DeviceFission, TheRoot) {
  EXPECT_EQ(device_value<cl_device_id>(root_, CL_DEVICE_PARENT_DEVICE_EXT), nullptr);
  EXPECT_EQ(device_list<Property>(root_, CL_DEVICE_PARTITION_STYLE_EXT), std::vector<Property>{0});
  const auto types = device_list<Property>(root_, CL_DEVICE_PARTITION_TYPES_EXT);
  const auto schemes = device_list<cl_device_partition_property>(root_, CL_DEVICE_PARTITION_PROPERTIES);
  EXPECT_EQ(types.size(), units_ < 2 ? 0 : schemes.size());
  for (const Property type : types) EXPECT_TRUE(type >= 0x4050 && type <= 0x4053) << type;
  EXPECT_EQ(retain_(root_), CL_SUCCESS);
  EXPECT_EQ(release_(root_), CL_SUCCESS);
}

TEST_F(DeviceFission, Errors) {
  const Property list[] = {CL_DEVICE_PARTITION_EQUALLY_EXT, 1, 0};
  cl_device_id part = nullptr;
  cl_uint count = 0;
  EXPECT_EQ(create_(nullptr, list, 0, nullptr, &count), CL_INVALID_DEVICE);
  EXPECT_EQ(create_(root_, nullptr, 0, nullptr, &count), CL_INVALID_VALUE);
  EXPECT_EQ(create_(root_, list, 0, &part, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(create_(root_, list, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(code_of({77, 1, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(code_of({CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN_EXT, 77, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(code_of({CL_DEVICE_PARTITION_BY_COUNTS_EXT, units_ + 1, 0, 0}), CL_INVALID_PARTITION_COUNT_EXT);
  EXPECT_EQ(code_of({CL_DEVICE_PARTITION_BY_NAMES_EXT, 9999, CL_PARTITION_BY_NAMES_LIST_END_EXT, 0}),
            CL_INVALID_PARTITION_NAME_EXT);
  EXPECT_EQ(code_of({CL_DEVICE_PARTITION_EQUALLY_EXT, units_, 0}), CL_DEVICE_PARTITION_FAILED_EXT);
}

}  // namespace
}  // namespace lanewise::test
