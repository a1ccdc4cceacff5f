// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Named barriers (cl_khr_subgroup_named_barrier), by Intel's names: some sub-groups of a group meet, others do not.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kGroups = 3;
constexpr std::size_t kSize = 128;

/// The attribute of a kernel with sub-groups of this size; 0: the compiler's choice.
std::string required(unsigned size) {
  return size == 0 ? "" : "__attribute__((intel_reqd_sub_group_size(" + std::to_string(size) + "))) ";
}

class NamedBarriers : public ::testing::TestWithParam<unsigned> {};

/// Half of the sub-groups produce what the others consume, in code of their own. Producers also meet alone.
TEST_P(NamedBarriers, ProducersAndConsumers) {
  constexpr unsigned kRounds = 9;
  std::vector<unsigned> sums(kGroups * kSize);
  run("kernel " + required(GetParam()) + R"(void k(global uint* sums, uint rounds) {
    local uint tile[64], mirrored[64];
    const int all = get_num_sub_groups();
    local NamedBarrier_t* produced = named_barrier_init(all / 2);
    local NamedBarrier_t* full = named_barrier_init(all);
    local NamedBarrier_t* freed = named_barrier_init(all);
    const uint l = get_local_id(0);
    uint sum = 0;
    if (get_sub_group_id() < all / 2) {
      for (uint r = 0; r < rounds; ++r) {
        tile[l] = 1000 * r + l;
        work_group_named_barrier(produced, CLK_LOCAL_MEM_FENCE);
        mirrored[l] = tile[63 - l];
        work_group_named_barrier(full, CLK_LOCAL_MEM_FENCE);
        work_group_named_barrier(freed, CLK_LOCAL_MEM_FENCE);
        sum += r;
      }
    } else {
      for (uint r = 0; r < rounds; ++r) {
        work_group_named_barrier(full, CLK_LOCAL_MEM_FENCE);
        sum += mirrored[l - 64] * (r + 1);
        work_group_named_barrier(freed, CLK_LOCAL_MEM_FENCE);
      }
    }
    sums[get_global_id(0)] = sum;
  })",
      "k", Range(sums.size(), kSize), {buffer(sums), value(kRounds)});
  for (unsigned i = 0; i < sums.size(); ++i) {
    const unsigned l = i % kSize;
    unsigned expected = 0;
    for (unsigned r = 0; r < kRounds; ++r) expected += l < 64 ? r : (1000 * r + 127 - l) * (r + 1);
    ASSERT_EQ(sums[i], expected) << i;
  }
}

/// Pairs of sub-groups, the first with the last, meet without the others, which do something else meanwhile.
TEST_P(NamedBarriers, OfSomeSubGroups) {
  std::vector<unsigned> found(kGroups * kSize);
  run("kernel " + required(GetParam()) + R"(void k(global uint* found) {
    local uint tile[128];
    local NamedBarrier_t* outer = named_barrier_init(2);
    const uint l = get_local_id(0), last = get_num_sub_groups() - 1;
    tile[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_sub_group_id() == 0 || get_sub_group_id() == last) {
      tile[l] = 7 + l;
      work_group_named_barrier(outer, CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
      found[get_global_id(0)] = tile[127 - l];
    } else {
      found[get_global_id(0)] = sub_group_reduce_add(1u) == get_sub_group_size();
    }
  })",
      "k", Range(found.size(), kSize), {buffer(found)});
  const unsigned size = GetParam() == 0 ? 1 : GetParam();
  for (unsigned i = 0; i < found.size(); ++i) {
    const unsigned l = i % kSize;
    const bool outer = l / size == 0 || l / size == kSize / size - 1;
    ASSERT_EQ(found[i], outer ? 7 + 127 - l : 1) << i;
  }
}

/// Each call of the function that makes one is a barrier of its own, also where a helper makes it.
TEST_P(NamedBarriers, HelpersMakeThem) {
  std::vector<unsigned> order(kGroups * kSize);
  run(R"(local NamedBarrier_t* of(int count) { return named_barrier_init(count); }
    kernel )" +
          required(GetParam()) + R"(void k(global uint* order) {
    local uint counter;
    const int all = get_num_sub_groups();
    local NamedBarrier_t* first = of(all);
    local NamedBarrier_t* second = of(all);
    if (get_local_id(0) == 0) counter = 40;
    work_group_named_barrier(first, CLK_LOCAL_MEM_FENCE);
    const uint before = counter;
    work_group_named_barrier(second, CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 5) counter = 2;
    work_group_named_barrier(first, CLK_LOCAL_MEM_FENCE);
    order[get_global_id(0)] = before + counter;
  })",
      "k", Range(order.size(), kSize), {buffer(order)});
  EXPECT_EQ(std::count(order.begin(), order.end(), 42U), static_cast<std::ptrdiff_t>(order.size()));
}

INSTANTIATE_TEST_SUITE_P(Sizes, NamedBarriers, ::testing::Values(0U, 16U),
                         [](const auto& info) { return "Size" + std::to_string(info.param); });

}  // namespace
}  // namespace lanewise::test
