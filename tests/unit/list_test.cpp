// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/base/list.h"

#include <gtest/gtest.h>

#include <vector>

namespace lanewise {
namespace {

/// In two lists at once, and in a queue.
struct Item {
  int number = 0;
  ListLink<Item> by_age{};
  ListLink<Item> by_size{};
  Item* behind = nullptr;
};
struct ByAge {
  static ListLink<Item>& of(Item& item) { return item.by_age; }
};
struct BySize {
  static ListLink<Item>& of(Item& item) { return item.by_size; }
};
struct Behind {
  static Item*& of(Item& item) { return item.behind; }
};

template <class Links>
std::vector<int> numbers(const List<Item, Links>& list) {
  std::vector<int> all;
  for (Item* item = list.first(); item != nullptr; item = list.after(*item)) all.push_back(item->number);
  return all;
}
using Numbers = std::vector<int>;

TEST(List, AddsAtBothEnds) {
  Item a{1}, b{2}, c{3};
  List<Item, ByAge> list;
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.first(), nullptr);
  list.push_back(a);
  list.push_back(b);
  list.push_front(c);
  EXPECT_EQ(numbers(list), (Numbers{3, 1, 2}));
  EXPECT_FALSE(list.empty());
}

TEST(List, RemovesAnyOfThem) {
  for (int removed = 0; removed < 3; ++removed) {
    Item items[3] = {{1}, {2}, {3}};
    List<Item, ByAge> list;
    for (Item& item : items) list.push_back(item);
    list.remove(items[removed]);
    Numbers left{1, 2, 3};
    left.erase(left.begin() + removed);
    EXPECT_EQ(numbers(list), left);
    list.push_back(items[removed]);
    left.push_back(removed + 1);
    EXPECT_EQ(numbers(list), left) << "it comes back at the end";
    for (Item& item : items) list.remove(item);
    EXPECT_TRUE(list.empty());
    list.push_front(items[1]);
    list.push_back(items[0]);
    EXPECT_EQ(numbers(list), (Numbers{2, 1}));
  }
}

TEST(List, HasLinksOfItsOwn) {
  Item a{1}, b{2}, c{3};
  List<Item, ByAge> ages;
  List<Item, BySize> sizes;
  for (Item* item : {&a, &b, &c}) {
    ages.push_back(*item);
    sizes.push_front(*item);
  }
  ages.remove(b);
  EXPECT_EQ(numbers(ages), (Numbers{1, 3}));
  EXPECT_EQ(numbers(sizes), (Numbers{3, 2, 1}));
}

TEST(ForwardList, IsAQueue) {
  Item items[3] = {{1}, {2}, {3}};
  ForwardList<Item, Behind> queue;
  EXPECT_EQ(queue.pop(), nullptr);
  for (int round = 0; round < 2; ++round) {
    for (Item& item : items) queue.push_back(item);
    EXPECT_FALSE(queue.empty());
    for (Item& item : items) EXPECT_EQ(queue.pop(), &item);
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(queue.pop(), nullptr);
  }
}

TEST(ForwardList, IsAStack) {
  Item a{1}, b{2}, c{3};
  ForwardList<Item, Behind> stack;
  stack.push_front(a);
  stack.push_front(b);
  stack.push_back(c);
  EXPECT_EQ(stack.pop(), &b);
  EXPECT_EQ(stack.pop(), &a);
  EXPECT_EQ(stack.pop(), &c);
  EXPECT_TRUE(stack.empty());
}

}  // namespace
}  // namespace lanewise
