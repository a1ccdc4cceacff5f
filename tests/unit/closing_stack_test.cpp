// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/base/closing_stack.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace lanewise {
namespace {

struct Item {
  int number = 0;
  Item* below = nullptr;
};
struct Below {
  static Item*& of(Item& item) { return item.below; }
};
using Stack = ClosingStack<Item, Below>;

std::vector<int> numbers(const Item* item) {
  std::vector<int> all;
  for (; item != nullptr; item = item->below) all.push_back(item->number);
  return all;
}

TEST(ClosingStack, GivesTheNewestFirst) {
  Item a{1}, b{2}, c{3};
  Stack stack;
  for (Item* item : {&a, &b, &c}) EXPECT_TRUE(stack.push(*item));
  EXPECT_FALSE(stack.closed());
  EXPECT_EQ(numbers(stack.close()), (std::vector{3, 2, 1}));
  EXPECT_TRUE(stack.closed());
}

TEST(ClosingStack, GivesTheOldestFirst) {
  Item a{1}, b{2}, c{3};
  Stack stack;
  for (Item* item : {&a, &b, &c}) EXPECT_TRUE(stack.push(*item));
  EXPECT_EQ(numbers(stack.close_in_order()), (std::vector{1, 2, 3}));
}

TEST(ClosingStack, TakesNothingOnceItIsClosed) {
  Item a{1};
  Stack stack;
  EXPECT_EQ(stack.close(), nullptr) << "nothing is in it";
  EXPECT_FALSE(stack.push(a));
  EXPECT_EQ(stack.close(), nullptr) << "and closing it again changes nothing";
  EXPECT_EQ(stack.close_in_order(), nullptr);
  EXPECT_TRUE(stack.closed());
  Stack other;
  EXPECT_TRUE(other.push(a)) << "a stack is closed alone";
}

TEST(ClosingStack, LosesNothingWhileThreadsAdd) {
  constexpr int kThreads = 4;
  constexpr int kItems = 2000;
  Stack stack;
  std::vector<std::unique_ptr<Item[]>> items;
  std::atomic<int> added{0}, refused{0};
  for (int t = 0; t < kThreads; ++t) items.push_back(std::make_unique<Item[]>(kItems));
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kItems; ++i) ++(stack.push(items[static_cast<std::size_t>(t)][i]) ? added : refused);
    });
  while (added + refused < kThreads * kItems / 2) std::this_thread::yield();
  const Item* const top = stack.close();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(numbers(top).size(), static_cast<std::size_t>(added));
  EXPECT_EQ(added + refused, kThreads * kItems);
}

}  // namespace
}  // namespace lanewise
