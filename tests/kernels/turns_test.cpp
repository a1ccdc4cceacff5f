// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Work-items that wait for others of their group, in both orders: each of them progresses on its own.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kGroups = 3;
constexpr std::size_t kSizes[] = {1, 2, 67, 128};

/// A group's work-items one after the other: each waits for the one before it in that order, adds to what it has found, and
/// passes it on. `memory` is where they wait.
void chain(const std::string& memory, const std::string& previous, bool ascends) {
  for (const std::size_t size : kSizes) {
    SCOPED_TRACE(size);
    std::vector<unsigned> x(kGroups * size), flags(kGroups * size);
    run(R"(kernel void k(global uint* x, volatile global uint* state) {
      local uint tile[128];
      const int l = get_local_id(0), n = get_local_size(0);
      )" + memory +
            R"(
      flags[l] = 0;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      const int before = )" +
            previous + R"(;
      uint found = 0;
      if (before >= 0 && before < n)
        while ((found = flags[before]) == 0) {}
      flags[l] = found + l + 1;
      x[get_global_id(0)] = found;
    })",
        "k", Range(x.size(), size), {buffer(x), buffer(flags)});
    std::vector<unsigned> expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t l = 0; l < size; ++l)
        if (ascends ? l < i % size : l > i % size) expected[i] += static_cast<unsigned>(l + 1);
    EXPECT_EQ(x, expected);
  }
}

constexpr const char* kLocal = "volatile local uint* flags = tile;";
constexpr const char* kGlobal = "volatile global uint* flags = state + get_group_id(0) * n;";

TEST(Turns, AscendInLocalMemory) {
  chain(kLocal, "l - 1", true);
}
TEST(Turns, DescendInLocalMemory) {
  chain(kLocal, "l + 1", false);
}
TEST(Turns, AscendInGlobalMemory) {
  chain(kGlobal, "l - 1", true);
}
TEST(Turns, DescendInGlobalMemory) {
  chain(kGlobal, "l + 1", false);
}

/// No barrier, no local memory: what would else run several groups as one row.
TEST(Turns, WithoutBarriers) {
  constexpr std::size_t kItems = 192;
  std::vector<unsigned> flags(kItems + 1);
  flags[kItems] = 1;
  run(R"(kernel void k(volatile global uint* flags) {
    const size_t i = get_global_id(0);
    uint found;
    while ((found = atomic_or(flags + i + 1, 0)) == 0) {}
    atomic_xchg(flags + i, found + 1);
  })",
      "k", Range(kItems, kItems), {buffer(flags)});
  for (std::size_t i = 0; i <= kItems; ++i) ASSERT_EQ(flags[i], kItems + 1 - i);
}

/// The counter of the outer loop is the same for all; that of the inner one differs while they wait.
TEST(Turns, BetweenBarriersInLoops) {
  constexpr std::size_t kSize = 70;
  constexpr unsigned kRounds = 5;
  std::vector<unsigned> x(kGroups * kSize);
  run(R"(kernel void k(global uint* x, uint rounds) {
    local atomic_uint flags[70];
    const int l = get_local_id(0), n = get_local_size(0);
    uint sum = 0;
    for (uint r = 1; r <= rounds; ++r) {
      atomic_init(&flags[l], 0);
      barrier(CLK_LOCAL_MEM_FENCE);
      const int before = r % 2 ? l + 1 : l - 1;
      uint found = 0, looked = 0;
      if (before >= 0 && before < n) {
        do {
          found = atomic_load_explicit(&flags[before], memory_order_acquire, memory_scope_work_group);
          ++looked;
        } while (found == 0);
        if (looked == 0) sum += 1000;
      }
      atomic_store_explicit(&flags[l], found + r, memory_order_release, memory_scope_work_group);
      sum += found + r * 1000;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    x[get_global_id(0)] = sum;
  })",
      "k", Range(x.size(), kSize), {buffer(x), value(kRounds)});
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t l = i % kSize;
    unsigned expected = 0;
    for (unsigned r = 1; r <= kRounds; ++r)
      expected += r * 1000 + static_cast<unsigned>(r % 2 != 0 ? kSize - 1 - l : l) * r;
    ASSERT_EQ(x[i], expected) << i;
  }
}

/// Even work-items give, odd ones take, and both wait in places of their own.
TEST(Turns, ThroughMailboxes) {
  constexpr std::size_t kSize = 32;
  constexpr unsigned kLetters = 40;
  std::vector<unsigned> x(kGroups * kSize);
  run(R"(kernel void k(global uint* x, uint letters) {
    volatile local uint box[32];
    const uint l = get_local_id(0);
    box[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    if (l % 2 == 0) {
      for (uint k = 1; k <= letters; ++k) {
        while (box[l] != 0) {}
        box[l] = k * (l + 1);
        sum += k;
      }
    } else {
      for (uint k = 1; k <= letters; ++k) {
        uint letter;
        while ((letter = box[l - 1]) == 0) {}
        box[l - 1] = 0;
        sum += letter;
      }
    }
    x[get_global_id(0)] = work_group_reduce_add(sum) + sum;
  })",
      "k", Range(x.size(), kSize), {buffer(x), value(kLetters)});
  const unsigned all = kLetters * (kLetters + 1) / 2;
  unsigned total = 0;
  const auto sum_of = [&](std::size_t l) { return l % 2 == 0 ? all : all * static_cast<unsigned>(l); };
  for (std::size_t l = 0; l < kSize; ++l) total += sum_of(l);
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], total + sum_of(i % kSize)) << i;
}

/// Who has the lock waits for somebody who needs no lock.
TEST(Turns, ThroughLocks) {
  constexpr std::size_t kSize = 64;
  std::vector<unsigned> x(2 * kGroups);
  run(R"(kernel void k(global uint* x) {
    volatile local int lock, count, ready;
    const uint l = get_local_id(0);
    if (l == 0) lock = count = ready = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l + 1 == get_local_size(0)) {
      ready = 1;
    } else {
      for (int k = 0; k < 3; ++k) {
        while (atomic_xchg(&lock, 1) != 0) {}
        while (ready == 0) {}
        count = count + 1;
        atomic_xchg(&lock, 0);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 2) x[2 * get_group_id(0) + l] = count;
  })",
      "k", Range(kGroups * kSize, kSize), {buffer(x)});
  EXPECT_EQ(x, std::vector<unsigned>(2 * kGroups, 3 * (kSize - 1)));
}

/// Some return before the others wait, some while they wait; private arrays and structures live on.
TEST(Turns, BesideReturns) {
  constexpr std::size_t kSize = 96;
  std::vector<unsigned> x(kGroups * kSize);
  run(R"(typedef struct { uint of[5]; float scale; } Kept;
  __attribute__((noinline)) uint await(volatile local uint* flag) {
    uint found;
    while ((found = *flag) == 0) {}
    return found;
  }
  kernel void k(global uint* x) {
    volatile local uint flags[96];
    const uint l = get_local_id(0), n = get_local_size(0);
    flags[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    Kept kept;
    for (uint k = 0; k < 5; ++k) kept.of[k] = l * 5 + k;
    kept.scale = l;
    if (l % 3 == 0) {
      flags[l] = 7;
      return;
    }
    const uint found = await(&flags[l + 1 == n ? 0 : l + 1]);
    flags[l] = found + kept.of[l % 5];
    x[get_global_id(0)] = found + kept.of[(l + found) % 5] + (uint)kept.scale;
  })",
      "k", Range(x.size(), kSize), {buffer(x)});
  for (std::size_t group = 0; group < kGroups; ++group) {
    std::vector<unsigned> flags(kSize, 7);
    for (unsigned l = kSize; l-- > 0;) {
      const unsigned found = l % 3 == 0 ? 0 : flags[(l + 1) % kSize];
      if (l % 3 != 0) flags[l] = found + l * 5 + l % 5;
      ASSERT_EQ(x[group * kSize + l], l % 3 == 0 ? 0 : found + l * 5 + (l + found) % 5 + l) << l;
    }
  }
}

/// Each sub-group waits for the one behind it. `wait` sets `found` to what is not 0 in flags[s + 1], for one or all of
/// the work-items.
void chain_of_sub_groups(const std::string& attribute, std::size_t size, const std::string& wait) {
  std::vector<unsigned> x(kGroups * size);
  const std::string places = std::to_string(size + 1);
  run("#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n" + attribute + "kernel void k(global uint* x) {" +
          "local atomic_uint flags[" + places + "]; volatile local uint letters[" + places + "];" + R"(
      const uint l = get_local_id(0), s = get_sub_group_id(), n = get_num_sub_groups();
      if (l != n) atomic_init(&flags[l], 0);
      if (l == 0) atomic_init(&flags[n], 1);
      letters[l] = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      uint found = 0;
      )" + wait +
          R"(
      sub_group_barrier(CLK_LOCAL_MEM_FENCE);
      found = sub_group_broadcast(found, 0);
      const uint own = sub_group_reduce_add(l);
      if (get_sub_group_local_id() == 0) atomic_store(&flags[s], found + own);
      barrier(CLK_LOCAL_MEM_FENCE);
      x[get_global_id(0)] = atomic_load(&flags[0]);
    })",
      "k", Range(x.size(), size), {buffer(x)});
  EXPECT_EQ(x, std::vector<unsigned>(x.size(), static_cast<unsigned>(1 + size * (size - 1) / 2)));
}

constexpr const char* kFirstWaits =
    "if (get_sub_group_local_id() == 0) while ((found = atomic_load(&flags[s + 1])) == 0) {}";

TEST(Turns, OfSubGroups) {
  chain_of_sub_groups("", 100, kFirstWaits);
}

/// A required size of sub-groups that nothing in the kernel can see.
TEST(Turns, WithARequiredSizeOfSubGroups) {
  constexpr std::size_t kSize = 100;
  std::vector<unsigned> x(kGroups * kSize);
  run(R"(__attribute__((intel_reqd_sub_group_size(8))) kernel void k(global uint* x) {
    volatile local uint flags[101];
    const uint l = get_local_id(0), n = get_local_size(0);
    flags[l] = 0;
    if (l == 0) flags[n] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint found;
    while ((found = flags[l + 1]) == 0) {}
    flags[l] = found + l;
    x[get_global_id(0)] = found;
  })",
      "k", Range(x.size(), kSize), {buffer(x)});
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t l = i % kSize;
    ASSERT_EQ(x[i], 1 + (kSize * (kSize - 1) - l * (l + 1)) / 2) << i;
  }
}

/// A loop that is entered at two places, by way of a function and a switch too.
TEST(Turns, InIrreducibleLoops) {
  constexpr std::size_t kSize = 70;
  std::vector<unsigned> x(kGroups * kSize);
  run(R"(__attribute__((noinline)) uint await(volatile local uint* flag, uint l) {
    uint found, odd = 0;
    switch (l % 5) {
      case 0: goto first;
      case 1: case 3: goto second;
      default: break;
    }
  first:
    if ((found = *flag) != 0) goto end;
  second:
    ++odd;
    if ((found = *flag) != 0) goto end;
    goto first;
  end:
    return odd != 0 || l % 5 != 1 ? found : 0;
  }
  kernel void k(global uint* x) {
    volatile local uint flags[71];
    const uint l = get_local_id(0), n = get_local_size(0);
    flags[l] = 0;
    if (l == 0) flags[n] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint found = await(&flags[l + 1], l);
    flags[l] = found + l;
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = flags[l];
  })",
      "k", Range(x.size(), kSize), {buffer(x)});
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t l = i % kSize;
    ASSERT_EQ(x[i], 1 + (kSize * (kSize - 1) - l * l + l) / 2) << i;
  }
}

/// Sub-groups that are vectors, each of which waits for the one behind it in a way of its own.
class VectorTurns : public ::testing::TestWithParam<unsigned> {
 protected:
  static constexpr std::size_t kSize = 200;

  static void chain_of_sub_groups(const std::string& wait) {
    const std::string size = std::to_string(GetParam());
    test::chain_of_sub_groups("__attribute__((intel_reqd_sub_group_size(" + size + "))) ", kSize, wait);
  }
};

TEST_P(VectorTurns, TheFirstWorkItemWaits) {
  chain_of_sub_groups(kFirstWaits);
}
TEST_P(VectorTurns, AllWaitTogether) {
  chain_of_sub_groups("while ((found = sub_group_broadcast(atomic_load(&flags[s + 1]), 0)) == 0) {}");
}
TEST_P(VectorTurns, EachWaits) {
  chain_of_sub_groups("while ((found = atomic_load(&flags[s + 1])) == 0) {}");
}
TEST_P(VectorTurns, SomeWaitInALoop) {
  chain_of_sub_groups(R"(
      if (get_sub_group_local_id() < 2)
        for (uint k = 0; k <= get_sub_group_local_id(); ++k) {
          while ((found = atomic_load(&flags[s + 1])) == 0) {}
          found += k;
        })");
}
/// One after the other, as letters in boxes: the last sub-group gives, every other one passes on what it takes.
TEST_P(VectorTurns, BetweenBarriersInLoops) {
  chain_of_sub_groups(R"(
      uint sum = 0;
      for (uint k = 1; k <= 5; ++k) {
        if (s + 1 == n) {
          if (get_sub_group_local_id() == 0) letters[s] = k;
        } else if (get_sub_group_local_id() == 0) {
          while (letters[s + 1] != k) {}
          letters[s] = k;
        }
        sum += sub_group_broadcast(letters[s], 0);
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      while ((found = sub_group_broadcast(atomic_load(&flags[s + 1]), 0)) == 0) {}
      found += sum - 15;)");
}
/// Work-items of one sub-group have the lock one after the other, and wait for another sub-group while they have it.
TEST_P(VectorTurns, Locks) {
  constexpr std::size_t kItems = 80;
  std::vector<unsigned> x(kGroups);
  run("__attribute__((intel_reqd_sub_group_size(" + std::to_string(GetParam()) + "))) kernel void k(global uint* x) {" +
          R"(
    local atomic_uint lock, ready;
    volatile local uint count;
    const uint l = get_local_id(0), s = get_sub_group_id(), n = get_num_sub_groups();
    if (l == 0) { atomic_init(&lock, 0); atomic_init(&ready, 0); count = 0; }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (s + 1 == n) {
      if (get_sub_group_local_id() == 0) atomic_store(&ready, 1);
    } else {
      for (bool done = false; !done;)
        if (atomic_exchange(&lock, 1) == 0) {
          while (atomic_load(&ready) == 0) {}
          count = count + 1;
          done = true;
          atomic_store(&lock, 0);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint none = sub_group_reduce_add(0u);
    if (l == 0) x[get_group_id(0)] = count + none;
  })",
      "k", Range(kGroups * kItems, kItems), {buffer(x)});
  const std::size_t last = kItems % GetParam() == 0 ? GetParam() : kItems % GetParam();
  EXPECT_EQ(x, std::vector<unsigned>(kGroups, static_cast<unsigned>(kItems - last)));
}

INSTANTIATE_TEST_SUITE_P(Sizes, VectorTurns, ::testing::Values(8U, 16U),
                         [](const auto& info) { return "Size" + std::to_string(info.param); });

}  // namespace
}  // namespace lanewise::test
