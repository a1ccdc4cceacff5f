// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Partition schemes on machines that are described by a few files (API 4.3).
#include "runtime/core/partition.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace lanewise {
namespace {

using host::CpuList;
using Property = cl_device_partition_property;
using Parts = std::vector<CpuList>;

/// Two nodes of four processors; each has one third-level cache a node, second-level caches of two processors.
class Machine : public testing::Test {
 protected:
  Machine() {
    std::string pattern = (std::filesystem::temp_directory_path() / "lanewise-partition-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
    file("/sys/devices/system/node/online", "0-1\n");
    file("/sys/devices/system/node/node0/cpulist", "0-3\n");
    file("/sys/devices/system/node/node1/cpulist", "4-7\n");
    for (unsigned cpu = 0; cpu < 8; ++cpu) {
      const std::string pair = std::to_string(cpu & ~1u) + "-" + std::to_string(cpu | 1u);
      cache(cpu, 0, "1", "Instruction", "0-7");
      cache(cpu, 1, "1", "Data", pair);
      cache(cpu, 2, "2", "Unified", pair);
      cache(cpu, 3, "3", "Unified", cpu < 4 ? "0-3" : "4-7");
    }
  }
  ~Machine() override { std::filesystem::remove_all(root_); }
  void file(const std::string& path, const std::string& text) const {
    const auto full = std::filesystem::path(root_ + path);
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full) << text;
  }
  void cache(unsigned cpu, int index, const char* level, const char* type, const std::string& sharers) const {
    const std::string directory =
        "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/index" + std::to_string(index);
    file(directory + "/level", level);
    file(directory + "/type", type);
    file(directory + "/shared_cpu_list", sharers + "\n");
  }
  Result<Partition> plan(std::vector<Property> properties) const {
    return plan_partition(units_, properties.data(), root_);
  }
  Parts parts(std::vector<Property> properties) const {
    auto planned = plan(std::move(properties));
    return planned ? planned.value().parts : Parts{};
  }
  cl_int refusal(std::vector<Property> properties) const {
    const auto planned = plan(std::move(properties));
    return planned ? CL_SUCCESS : planned.error().code;
  }

  std::string root_;
  CpuList units_{0, 1, 2, 3, 4, 5, 6, 7};
};

TEST(CpuLists, KernelNotation) {
  EXPECT_EQ(host::parse_cpu_list("0-3,8,10-11\n"), (CpuList{0, 1, 2, 3, 8, 10, 11}));
  EXPECT_EQ(host::parse_cpu_list("7"), CpuList{7});
  EXPECT_TRUE(host::parse_cpu_list("").empty());
  EXPECT_TRUE(host::parse_cpu_list("none").empty());
}

TEST_F(Machine, EquallyLeavesTheRest) {
  EXPECT_EQ(parts({CL_DEVICE_PARTITION_EQUALLY, 3, 0}), (Parts{{0, 1, 2}, {3, 4, 5}}));
  EXPECT_EQ(parts({CL_DEVICE_PARTITION_EQUALLY, 7, 0}), (Parts{{0, 1, 2, 3, 4, 5, 6}}));
  EXPECT_EQ(plan({CL_DEVICE_PARTITION_EQUALLY, 4, 0}).value().type,
            (std::vector<Property>{CL_DEVICE_PARTITION_EQUALLY, 4, 0}));
  EXPECT_EQ(refusal({CL_DEVICE_PARTITION_EQUALLY, 8, 0}), CL_DEVICE_PARTITION_FAILED);
  EXPECT_EQ(refusal({CL_DEVICE_PARTITION_EQUALLY, 9, 0}), CL_INVALID_DEVICE_PARTITION_COUNT);
  EXPECT_EQ(refusal({CL_DEVICE_PARTITION_EQUALLY, 0, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(refusal({CL_DEVICE_PARTITION_EQUALLY, -1, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(refusal({CL_DEVICE_PARTITION_EQUALLY, 2, CL_DEVICE_PARTITION_EQUALLY, 2, 0}), CL_INVALID_VALUE);
}

TEST_F(Machine, ByCounts) {
  EXPECT_EQ(parts({CL_DEVICE_PARTITION_BY_COUNTS, 3, 1, 0, 0}), (Parts{{0, 1, 2}, {3}}));
  EXPECT_EQ(plan({CL_DEVICE_PARTITION_BY_COUNTS, 3, 1, 0, 0}).value().type,
            (std::vector<Property>{CL_DEVICE_PARTITION_BY_COUNTS, 3, 1, 0, 0}));
  EXPECT_EQ(refusal({CL_DEVICE_PARTITION_BY_COUNTS, 5, 4, 0, 0}), CL_INVALID_DEVICE_PARTITION_COUNT);
  EXPECT_EQ(refusal({CL_DEVICE_PARTITION_BY_COUNTS, 1, -1, 0, 0}), CL_INVALID_DEVICE_PARTITION_COUNT);
  EXPECT_EQ(refusal({CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0}),
            CL_INVALID_DEVICE_PARTITION_COUNT);
  EXPECT_EQ(refusal({CL_DEVICE_PARTITION_BY_COUNTS, 0, 0}), CL_INVALID_VALUE);
}

TEST_F(Machine, ByNames) {
  EXPECT_EQ(parts({CL_DEVICE_PARTITION_BY_NAMES_INTEL, 5, 2, -1, 0}), (Parts{{2, 5}}));
  EXPECT_EQ(refusal({CL_DEVICE_PARTITION_BY_NAMES_INTEL, 8, -1, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(refusal({CL_DEVICE_PARTITION_BY_NAMES_INTEL, 1, 1, -1, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(refusal({CL_DEVICE_PARTITION_BY_NAMES_INTEL, -1, 0}), CL_INVALID_VALUE);
}

TEST_F(Machine, ByAffinity) {
  constexpr Property kAffinity = CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN;
  EXPECT_EQ(parts({kAffinity, CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0}), (Parts{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  EXPECT_EQ(parts({kAffinity, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, 0}), (Parts{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
  EXPECT_EQ(refusal({kAffinity, CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(refusal({kAffinity, 0, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(affinity_domains(units_, root_),
            cl_device_affinity_domain{CL_DEVICE_AFFINITY_DOMAIN_NUMA | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE});
}

TEST_F(Machine, NextPartitionableTellsWhatItWas) {
  const std::vector<Property> next{CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE,
                                   0};
  EXPECT_EQ(plan(next).value().type[1], CL_DEVICE_AFFINITY_DOMAIN_NUMA);
  units_ = {0, 1, 2, 3};  // one node, one L3: the next level that divides it is L2
  EXPECT_EQ(plan(next).value().type[1], CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE);
  EXPECT_EQ(affinity_domains(units_, root_), cl_device_affinity_domain{CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE});
  EXPECT_EQ(refusal({CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0}),
            CL_DEVICE_PARTITION_FAILED);
  units_ = {0, 1};
  EXPECT_EQ(refusal(next), CL_DEVICE_PARTITION_FAILED);
}

TEST_F(Machine, OneUnitCannotBeCut) {
  units_ = {3};
  EXPECT_EQ(refusal({CL_DEVICE_PARTITION_EQUALLY, 1, 0}), CL_DEVICE_PARTITION_FAILED);
  EXPECT_EQ(refusal({CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0}), CL_DEVICE_PARTITION_FAILED);
  EXPECT_EQ(partition_schemes(units_, root_), std::vector<Property>{0});
  EXPECT_EQ(affinity_domains(units_, root_), 0u);
}

TEST_F(Machine, UnknownSchemes) {
  EXPECT_EQ(refusal({0}), CL_INVALID_VALUE);
  EXPECT_EQ(refusal({0x1234, 1, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(plan_partition(units_, nullptr, root_).error().code, CL_INVALID_VALUE);
}

}  // namespace
}  // namespace lanewise
