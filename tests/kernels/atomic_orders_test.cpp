// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The atomic functions of OpenCL C 3.0 with every order and scope (__opencl_c_atomic_order_*, __opencl_c_atomic_scope_*)
/// on global, local and generic pointers, fences and flags. No operation may be lost, and an acquire sees what the
/// release published.
#include <algorithm>
#include <numeric>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kItems = 150;  ///< the last group is smaller
constexpr std::size_t kGroup = 64;

constexpr const char* kOrders[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
constexpr const char* kScopes[] = {"work_group", "sub_group", "device", "all_svm_devices", "all_devices"};

/// `, memory_order_x, memory_scope_y` for each pair that a function which reads and writes may have.
std::vector<std::string> orders_and_scopes() {
  std::vector<std::string> all;
  for (const char* order : kOrders)
    for (const char* scope : kScopes) all.push_back(std::string(", memory_order_") + order + ", memory_scope_" + scope);
  return all;
}

/// Where counters are, and how a pointer to one is declared.
struct Space {
  bool local = false;
  const char* pointer;
};

/// Groups count in memory of their own and add up at the end, so that all address spaces have one form of result.
/// Each of the operations on `p` has a counter of its own.
std::string counting_kernel(const Space& space, const std::string& type, const std::vector<std::string>& operations) {
  const std::string count = std::to_string(operations.size());
  std::string text = "kernel void k(global atomic_" + type + "* total, global " + type + "* olds) {\n" +
                     "  const size_t i = get_global_id(0), l = get_local_id(0);\n  const " + type + " one = 1;\n";
  if (space.local) {
    text += "  local atomic_" + type + " mine[" + count + "];\n" + "  for (size_t c = l; c < " + count +
            "; c += get_local_size(0)) atomic_init(mine + c, 0);\n  barrier(CLK_LOCAL_MEM_FENCE);\n";
  } else {
    text += "  global atomic_" + type + "* mine = total + (1 + get_group_id(0)) * " + count + ";\n";
  }
  text += "  " + std::string(space.pointer) + " atomic_" + type + "* p;\n";
  for (std::size_t o = 0; o < operations.size(); ++o)
    text += "  p = mine + " + std::to_string(o) + "; olds[i * " + count + " + " + std::to_string(o) +
            "] = " + operations[o] + ";\n";
  text += "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n  for (size_t c = l; c < " + count +
          "; c += get_local_size(0))\n    atomic_fetch_add(total + c, atomic_load(mine + c));\n}\n";
  return text;
}

template <class T>
void expect_counted(const Space& space, const std::string& type, const std::vector<std::string>& operations) {
  const std::size_t groups = (kItems + kGroup - 1) / kGroup;
  std::vector<T> totals(operations.size() * (1 + groups)), olds(operations.size() * kItems);
  run(counting_kernel(space, type, operations), "k", Range(kItems, kGroup), {buffer(totals), buffer(olds)});
  for (std::size_t o = 0; o < operations.size(); ++o) {
    ASSERT_EQ(totals[o], static_cast<T>(kItems)) << operations[o];
    // Each group's work-items found 0, 1, 2 ... in some order.
    for (std::size_t first = 0; first < kItems; first += kGroup) {
      std::vector<T> found;
      for (std::size_t i = first; i < std::min(first + kGroup, kItems); ++i)
        found.push_back(olds[i * operations.size() + o]);
      std::sort(found.begin(), found.end());
      std::vector<T> expected(found.size());
      std::iota(expected.begin(), expected.end(), T{0});
      ASSERT_EQ(found, expected) << operations[o];
    }
  }
}

constexpr Space kSpaces[] = {{false, "global"}, {true, "local"}, {false, ""}, {true, ""}};

TEST(AtomicOrders, AddOfEveryOrderAndScope) {
  std::vector<std::string> operations;
  for (const std::string& how : orders_and_scopes())
    operations.push_back("atomic_fetch_add_explicit(p, one" + how + ")");
  for (const char* order : kOrders)
    operations.push_back(std::string("atomic_fetch_add_explicit(p, one, memory_order_") + order + ")");
  operations.emplace_back("atomic_fetch_add(p, one)");
  for (const Space& space : kSpaces) {
    expect_counted<std::int32_t>(space, "int", operations);
    expect_counted<std::uint64_t>(space, "ulong", operations);
  }
}

/// Each work-item tries until it is the one that adds.
TEST(AtomicOrders, CompareAndExchange) {
  const auto attempt = [](const std::string& strength, const std::string& orders) {
    return "({ int seen = atomic_load_explicit(p, memory_order_relaxed, memory_scope_work_group); while "
           "(!atomic_compare_exchange_" +
           strength + "(p, &seen, seen + 1" + orders + ")); seen; })";
  };
  std::vector<std::string> operations = {attempt("strong", ""), attempt("weak", "")};
  constexpr std::pair<const char*, const char*> kPairs[] = {{"relaxed", "relaxed"}, {"acquire", "acquire"},
                                                            {"release", "relaxed"}, {"acq_rel", "acquire"},
                                                            {"seq_cst", "seq_cst"}, {"seq_cst", "relaxed"}};
  for (const auto& [success, failure] : kPairs)
    for (const char* scope : kScopes)
      operations.push_back(attempt("strong_explicit", std::string(", memory_order_") + success + ", memory_order_" +
                                                          failure + ", memory_scope_" + scope));
  for (const Space& space : kSpaces) expect_counted<std::int32_t>(space, "int", operations);
}

/// A flag is a lock: the counter that it guards is not atomic.
TEST(AtomicOrders, Flags) {
  const char* source = R"(
    kernel void k(global atomic_flag* flags, global int* counts, global int* set) {
      local atomic_flag mine;
      local int count;
      const size_t l = get_local_id(0), i = get_global_id(0);
      if (l == 0) { atomic_flag_clear(&mine); count = 0; }
      barrier(CLK_LOCAL_MEM_FENCE);
      while (atomic_flag_test_and_set_explicit(&mine, memory_order_acquire, memory_scope_work_group));
      count += 1;
      atomic_flag_clear_explicit(&mine, memory_order_release, memory_scope_work_group);
      while (atomic_flag_test_and_set_explicit(flags, memory_order_acquire, memory_scope_device));
      counts[0] += 1;
      atomic_flag_clear_explicit(flags, memory_order_release, memory_scope_device);
      atomic_flag* any = i % 2 ? (atomic_flag*)(flags + 1) : (atomic_flag*)&mine;
      while (atomic_flag_test_and_set(any));
      atomic_flag_clear(any);
      set[i] = !atomic_flag_test_and_set(flags + 2 + i) + 2 * atomic_flag_test_and_set(flags + 2 + i);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l == 0) counts[1 + get_group_id(0)] = count;
    })";
  std::vector<int> flags(2 + kItems), counts(4), set(kItems);
  run(source, "k", Range(kItems, kGroup), {buffer(flags), buffer(counts), buffer(set)});
  EXPECT_EQ(counts, (std::vector<int>{kItems, 64, 64, 22}));
  EXPECT_EQ(set, std::vector<int>(kItems, 3));
}

/// Group g does not wait: if the group before has published, what that group wrote must be visible.
TEST(AtomicOrders, WhatIsReleasedIsSeen) {
  for (const bool fences : {false, true}) {
    std::string source =
        "kernel void k(global int* data, global atomic_int* ready, global int* wrong) {\n"
        "  const size_t i = get_global_id(0), n = get_global_size(0);\n"
        "  for (int round = 1; round <= 40; ++round) {\n"
        "    data[i * 64 + round] = round;\n";
    source += fences ? "    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);\n"
                       "    atomic_store_explicit(ready + i, round, memory_order_relaxed, memory_scope_device);\n"
                     : "    atomic_store_explicit(ready + i, round, memory_order_release, memory_scope_device);\n";
    source += "    const size_t other = (i + n / 2) % n;\n";
    source += fences
                  ? "    int seen = atomic_load_explicit(ready + other, memory_order_relaxed, memory_scope_device);\n"
                    "    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);\n"
                  : "    int seen = atomic_load_explicit(ready + other, memory_order_acquire, memory_scope_device);\n";
    source += "    if (data[other * 64 + seen] != seen) atomic_inc(wrong);\n  }\n}\n";
    constexpr std::size_t kMany = 2048;
    std::vector<int> data(kMany * 64), ready(kMany), wrong(1);
    run(source, "k", Range(kMany, 64), {buffer(data), buffer(ready), buffer(wrong)});
    EXPECT_EQ(wrong[0], 0);
    EXPECT_EQ(ready, std::vector<int>(kMany, 40));
  }
}

TEST(AtomicOrders, FencesOfEveryOrderAndScope) {
  std::string source = "kernel void k(global int* x) {\n  const size_t i = get_global_id(0);\n";
  int count = 0;
  for (const char* flags :
       {"CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE"})
    for (const char* order : kOrders)
      for (const char* scope : {"work_item", "work_group", "sub_group", "device", "all_svm_devices", "all_devices"}) {
        source += std::string("  x[i] += 1; atomic_work_item_fence(") + flags + ", memory_order_" + order +
                  ", memory_scope_" + scope + ");\n";
        ++count;
      }
  std::vector<int> x(kItems);
  run(source + "}\n", "k", Range(kItems, kGroup), {buffer(x)});
  EXPECT_EQ(x, std::vector<int>(kItems, count));
}

/// Orders and scopes that the program computes.
TEST(AtomicOrders, OrdersThatAreNoConstants) {
  const char* source = R"(
    kernel void k(global atomic_int* a, global int* olds, int order, int scope) {
      const size_t i = get_global_id(0);
      atomic_store_explicit(a + 1 + i, 5, order == 0 ? memory_order_relaxed : memory_order_release, (memory_scope)scope);
      olds[i] = atomic_load_explicit(a + 1 + i, (memory_order)(order % 3), (memory_scope)scope) +
                atomic_fetch_add_explicit(a, 1, (memory_order)order, (memory_scope)scope) * 0;
    })";
  for (const int order : {0, 2, 5}) {
    std::vector<int> a(1 + kItems), olds(kItems);
    run(source, "k", Range(kItems, kGroup), {buffer(a), buffer(olds), value(order), value(2)});
    EXPECT_EQ(a[0], static_cast<int>(kItems));
    EXPECT_EQ(olds, std::vector<int>(kItems, 5));
  }
}

/// Inactive work-items access no memory: the pointers of odd ones are null.
TEST(AtomicOrders, InactiveWorkItemsTouchNothing) {
  const char* source = R"(
    kernel void k(global atomic_int* a, global int* olds, global atomic_int* none) {
      const size_t i = get_global_id(0);
      global atomic_int* p = i % 2 ? none : a;
      olds[i] = -1;
      if (i % 2 == 0) {
        olds[i] = atomic_fetch_add_explicit(p, 3, memory_order_relaxed);
        atomic_fetch_max(p + 1, (int)i);
        int seen = 0;
        atomic_compare_exchange_strong(p + 2 + i, &seen, 7);
        atomic_store(p + 2 + i + 1, (int)atomic_load(p + 2 + i));
      }
      if (i > 100000) atomic_fetch_add(none, 1);
    })";
  std::vector<int> a(2 + kItems), olds(kItems);
  run(source, "k", Range(kItems, kGroup), {buffer(a), buffer(olds), value(std::uint64_t{0})});
  EXPECT_EQ(a[0], static_cast<int>(kItems / 2 * 3));
  EXPECT_EQ(a[1], static_cast<int>(kItems - 2));
  EXPECT_EQ(std::count(a.begin() + 2, a.end(), 7), static_cast<std::ptrdiff_t>(kItems));
}

}  // namespace
}  // namespace lanewise::test
