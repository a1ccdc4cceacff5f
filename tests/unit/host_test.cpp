// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The description of the host, on this machine and on machines that are described by a few files.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/fsuid.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "src/host/arm_cores.h"
#include "src/host/cpu.h"
#include "src/host/files.h"
#include "src/host/identity.h"
#include "src/host/rights.h"
#include "src/host/topology.h"

namespace lanewise::host {
namespace {

class FakeRoot : public testing::Test {
 protected:
  FakeRoot() {
    std::string pattern = (std::filesystem::temp_directory_path() / "lanewise-host-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  ~FakeRoot() override { std::filesystem::remove_all(root_); }
  void file(const std::string& path, const std::string& text) {
    const auto full = std::filesystem::path(root_ + path);
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full) << text;
  }
  std::string root_;
};

/// What the system says of one core of an AArch64 machine.
std::string core(const char* implementer, const char* part, int revision) {
  return std::string("processor\t: 0\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd evtstrm\nCPU implementer\t: ") +
         implementer + "\nCPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: " + part +
         "\nCPU revision\t: " + std::to_string(revision) + "\n\n";
}

TEST(ArmCores, HaveTheNamesOfTheirParts) {
  const ArmCores server = arm_cores(core("0x41", "0xd0c", 1) + core("0x41", "0xd0c", 1));
  EXPECT_EQ(server.name, "Arm Neoverse-N1");
  EXPECT_EQ(server.implementer, 0x41U);
  EXPECT_EQ(server.part, 0xd0cU);
  EXPECT_EQ(server.revision, 1U);
}

TEST(ArmCores, OfSeveralKindsAreAllNamed) {
  const ArmCores phone = arm_cores(core("0x41", "0xd05", 0) + core("0x41", "0xd05", 0) + core("0x41", "0xd0b", 4));
  EXPECT_EQ(phone.name, "Arm Cortex-A55 and Arm Cortex-A76");
  EXPECT_EQ(phone.part, 0xd05U);
  EXPECT_EQ(phone.revision, 0U);
}

TEST(ArmCores, ThatNobodyKnowsHaveNoName) {
  EXPECT_EQ(arm_cores(core("0x99", "0xfff", 2)).name, "");
  EXPECT_EQ(arm_cores(core("0x99", "0xd0c", 2)).name, "") << "the part of another maker";
  EXPECT_EQ(arm_cores("processor\t: 0\nCPU part\t: x\nCPU part").name, "");
  EXPECT_EQ(arm_cores("").part, 0U);
}

TEST(Host, PagesArePowersOfTwo) {
  EXPECT_GE(page_bytes(), 4096U);
  EXPECT_EQ(page_bytes() & (page_bytes() - 1), 0U);
}

TEST_F(FakeRoot, NoControlGroupsNoLimit) {
  EXPECT_EQ(usable_threads(8, 0, root_), 8u);
  EXPECT_EQ(usable_memory(1u << 30, root_), 1u << 30);
}

TEST_F(FakeRoot, Version2QuotaOfAnAncestor) {
  file("/proc/self/cgroup", "0::/user/app\n");
  file("/sys/fs/cgroup/user/app/cpu.max", "max 100000\n");
  file("/sys/fs/cgroup/user/cpu.max", "250000 100000\n");
  file("/sys/fs/cgroup/user/app/memory.max", "max\n");
  file("/sys/fs/cgroup/user/memory.max", "536870912\n");
  EXPECT_EQ(usable_threads(8, 0, root_), 3u);
  EXPECT_EQ(usable_threads(2, 0, root_), 2u);
  EXPECT_EQ(usable_memory(1u << 30, root_), 512u << 20);
}

TEST_F(FakeRoot, Version2InsideAContainer) {
  file("/proc/self/cgroup", "0::/\n");
  file("/sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_EQ(usable_threads(8, 0, root_), 1u);
}

TEST_F(FakeRoot, PathOfAnotherNameSpace) {
  file("/proc/self/cgroup", "0::/../../elsewhere\n");
  file("/sys/fs/cgroup/cpu.max", "400000 100000\n");
  EXPECT_EQ(usable_threads(8, 0, root_), 4u);
}

TEST_F(FakeRoot, Version1Quota) {
  file("/proc/self/cgroup", "5:memory:/job\n4:cpu,cpuacct:/job\n");
  file("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "600000\n");
  file("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
  file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  file("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(usable_threads(16, 0, root_), 6u);
  EXPECT_EQ(usable_memory(1u << 30, root_), 1u << 30);
}

TEST_F(FakeRoot, UserLimitWins) {
  EXPECT_EQ(usable_threads(8, 2, root_), 2u);
  EXPECT_EQ(usable_threads(8, 100, root_), 8u);
  EXPECT_EQ(usable_threads(0, 0, root_), 1u);
}

TEST_F(FakeRoot, Caches) {
  const std::string base = "/sys/devices/system/cpu/cpu3/cache/index";
  const auto index = [&](int i, const char* level, const char* type, const char* size) {
    const std::string directory = base + std::to_string(i);
    file(directory + "/level", level);
    file(directory + "/type", type);
    file(directory + "/size", size);
    file(directory + "/coherency_line_size", "128\n");
  };
  index(0, "1\n", "Data\n", "48K\n");
  index(1, "1\n", "Instruction\n", "32K\n");
  index(2, "2\n", "Unified\n", "2048K\n");
  index(3, "3\n", "Unified\n", "32M\n");
  const Caches caches = read_caches(3, root_);
  EXPECT_EQ(caches.l1_data, 48u << 10);
  EXPECT_EQ(caches.l2, 2u << 20);
  EXPECT_EQ(caches.last_level, 32u << 20);
  EXPECT_EQ(caches.line, 128u);
  EXPECT_EQ(read_caches(0, root_).last_level, 0u);
}

TEST_F(FakeRoot, Clock) {
  EXPECT_EQ(max_clock_mhz(0, root_), 0u);
  file("/proc/cpuinfo", "processor\t: 0\ncpu MHz\t\t: 2596.128\nprocessor\t: 1\ncpu MHz\t\t: 1000.0\n");
  EXPECT_EQ(max_clock_mhz(0, root_), 2596u);
  file("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "4700000\n");
  EXPECT_EQ(max_clock_mhz(0, root_), 4700u);
}

TEST_F(FakeRoot, MachineIdentity) {
  file("/etc/machine-id", "0123456789abcdef0123456789abcdef\n");
  EXPECT_EQ(machine_identity(root_), "0123456789abcdef0123456789abcdef");
}

TEST(Identity, UuidIsStableAndWellFormed) {
  const Uuid a = uuid_of("one");
  EXPECT_EQ(a, uuid_of("one"));
  EXPECT_NE(a, uuid_of("two"));
  EXPECT_EQ(a[6] >> 4, 8);
  EXPECT_EQ(a[8] >> 6, 2);
}

TEST(Host, ThisMachine) {
  const Cpu cpu = read_cpu();
  EXPECT_FALSE(cpu.name.empty());
  EXPECT_EQ(cpu.name, collapse_spaces(cpu.name));
  EXPECT_FALSE(cpu.vendor.empty());
#if defined(__x86_64__)
  ASSERT_EQ(cpu.isa.has_value(), static_cast<bool>(__builtin_cpu_supports("x86-64-v2")));
  const Isa isa = cpu.isa.value_or(Isa());
  EXPECT_EQ(isa.covers(IsaLevel::x86_64_v3), static_cast<bool>(__builtin_cpu_supports("x86-64-v3")));
  EXPECT_EQ(isa.covers(IsaLevel::x86_64_v4), static_cast<bool>(__builtin_cpu_supports("x86-64-v4")));
  EXPECT_EQ(isa.has(IsaFeature::avx512_vnni), isa.covers(IsaLevel::x86_64_v4) && __builtin_cpu_supports("avx512vnni"));
  EXPECT_EQ(isa.has(IsaFeature::avx512_vbmi), isa.covers(IsaLevel::x86_64_v4) && __builtin_cpu_supports("avx512vbmi"));
  EXPECT_TRUE(!isa.has(IsaFeature::fast_gathers) || (__builtin_cpu_is("intel") && __builtin_cpu_supports("avx2")));
#endif
  const auto cpus = allowed_cpus();
  EXPECT_TRUE(std::is_sorted(cpus.begin(), cpus.end()));
  EXPECT_GE(usable_threads(static_cast<unsigned>(cpus.size()), 0), 1u);
  EXPECT_GT(usable_memory(physical_memory()), 0u);
  EXPECT_FALSE(machine_identity().empty());
}

TEST(Files, Numbers) {
  EXPECT_EQ(parse_number("42\n"), 42u);
  EXPECT_EQ(parse_number("  0x1f"), 31u);
  EXPECT_EQ(parse_number("-1"), std::nullopt);
  EXPECT_EQ(parse_number("max"), std::nullopt);
  EXPECT_EQ(parse_number(""), std::nullopt);
  EXPECT_EQ(read_text("/does/not/exist"), std::nullopt);
  EXPECT_EQ(collapse_spaces("  AMD   EPYC\t9654 \n"), "AMD EPYC 9654");
}

TEST(Rights, AreThoseOfTheThread) {
  const Rights rights = rights_of_this_thread();
  EXPECT_EQ(rights, rights_of_this_thread());
  EXPECT_EQ(rights.users[1], geteuid());
  EXPECT_NE(rights.root[1], 0u);
  EXPECT_FALSE(next_child_is_init());
  if (geteuid() != 0) GTEST_SKIP() << "only root can change its rights";
  for (const bool user : {true, false}) {
    std::thread([&] {
      user ? setfsuid(65534) : setfsgid(65534);
      EXPECT_NE(rights_of_this_thread(), rights);
    }).join();
  }
  std::thread([&] {
    if (unshare(CLONE_FS | CLONE_NEWNS) == 0) EXPECT_NE(rights_of_this_thread(), rights);
  }).join();
  std::thread([&] {
    if (unshare(CLONE_NEWPID) == 0) EXPECT_TRUE(next_child_is_init());
  }).join();
  EXPECT_EQ(rights_of_this_thread(), rights);
}

TEST(Rights, AreTakenFromAText) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can change its rights";
  const Rights rights = rights_of_this_thread();
  std::thread([&] {
    Rights fewer = rights;
    fewer.users[3] = 65534;
    fewer.capabilities[2] &= ~2U;
    take_rights(text_of_rights(fewer).c_str());
    const Rights now = rights_of_this_thread();
    EXPECT_EQ(now.users[3], 65534u);
    EXPECT_EQ(now.capabilities[2], fewer.capabilities[2]);
    EXPECT_EQ(now.capabilities[0] & 2U, 0u);
    take_rights(text_of_rights(rights).c_str());
    EXPECT_EQ(rights_of_this_thread().capabilities[2], fewer.capabilities[2]) << "never more";
  }).join();
}

}  // namespace
}  // namespace lanewise::host
