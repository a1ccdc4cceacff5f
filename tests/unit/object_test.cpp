// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two counts of API objects, and destruction without recursion.
#include "runtime/object/object.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace lanewise {
namespace {

/// A type of which there are no other objects, because memory is kept by type.
class Node final : public Object<_cl_mem, Tag::semaphore> {
 public:
  explicit Node(std::atomic<int>& alive) : alive_(alive) { ++alive_; }

  Ref<Node> next;
  int released = 0;
  int* released_out = nullptr;

 private:
  ~Node() override { --alive_; }
  void on_api_released() noexcept override {
    ++released;
    if (released_out != nullptr) *released_out = released;
  }
  std::atomic<int>& alive_;
};

TEST(Object, IsBornWithOneReferenceOfTheApplication) {
  std::atomic<int> alive{0};
  auto* node = new Node(alive);
  EXPECT_EQ(node->reference_count(), 1u);
  EXPECT_EQ(node->tag, Tag::semaphore);
  EXPECT_EQ(node->dispatch, dispatch_table());
  node->release_api();
  EXPECT_EQ(alive, 0);
}

TEST(Object, InternalReferencesAreNotTheApplications) {
  std::atomic<int> alive{0};
  auto* node = new Node(alive);
  Ref<Node> inside(*node);
  EXPECT_EQ(node->reference_count(), 1u);
  node->retain_api();
  EXPECT_EQ(node->reference_count(), 2u);
  node->release_api();
  node->release_api();
  EXPECT_EQ(node->reference_count(), 0u);
  EXPECT_EQ(alive, 1) << "the driver still holds it";
  inside = nullptr;
  EXPECT_EQ(alive, 0);
}

TEST(Object, TellsOnceThatTheApplicationHasReleasedIt) {
  std::atomic<int> alive{0};
  int released = 0;
  auto* node = new Node(alive);
  node->released_out = &released;
  node->retain_api();
  node->release_api();
  EXPECT_EQ(released, 0);
  node->release_api();
  EXPECT_EQ(released, 1);
}

TEST(Object, TheApplicationMayComeBackWhileTheDriverHoldsIt) {
  std::atomic<int> alive{0};
  auto* node = new Node(alive);
  Ref<Node> inside(*node);
  EXPECT_TRUE(node->release_api());
  node->retain_api();  // as an event's callback may
  inside = nullptr;
  ASSERT_EQ(alive, 1);
  EXPECT_TRUE(node->release_api());
  EXPECT_EQ(alive, 0);
}

TEST(Object, WhatTheApplicationDoesNotHaveItCannotRelease) {
  std::atomic<int> alive{0};
  auto* node = new Node(alive);
  Ref<Node> inside(*node);
  EXPECT_TRUE(node->release_api());
  EXPECT_FALSE(node->release_api());
  EXPECT_EQ(alive, 1);
}

TEST(Object, WhatACallFindsLivesUntilItEnds) {
  std::atomic<int> alive{0};
  auto* node = new Node(alive);
  Ref<Node> command(*node);
  EXPECT_TRUE(node->release_api());
  {
    const Loans call;
    ASSERT_EQ(live_object<Node>(node->handle()), node);
    {
      const Loans nested;
      ASSERT_EQ(live_object<Node>(node->handle()), node);
      command = nullptr;
    }
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0);
}

/// Looks itself up in its own destructor, as an application may in a callback or on another thread.
class Dying final : public Object<_cl_mem, Tag::command_buffer> {
 public:
  explicit Dying(Dying*& found) : found_(found) {}

 private:
  ~Dying() override { found_ = live_object<Dying>(handle()); }
  Dying*& found_;
};

TEST(Object, OneThatIsBeingDestroyedIsNotFound) {
  int anything = 0;
  auto* found = reinterpret_cast<Dying*>(&anything);
  (new Dying(found))->release_api();
  EXPECT_EQ(found, nullptr);
}

TEST(Object, LookingForOneThatDiesMeanwhileDoesNotReviveIt) {
  for (int i = 0; i < 2000; ++i) {
    std::atomic<int> alive{0};
    auto* node = new Node(alive);
    cl_mem handle = node->handle();
    Ref<Node> command(*node);
    node->release_api();
    std::atomic<bool> go{false};
    std::thread other([&] {
      while (!go) {
      }
      command = nullptr;
    });
    go = true;
    for (int look = 0; look < 20; ++look) {
      const Loans call;
      if (Node* found = live_object<Node>(handle); found != nullptr) EXPECT_EQ(found->released, 1);
    }
    other.join();
    ASSERT_EQ(alive, 0);
  }
}

TEST(Object, TagOfADeadObjectStaysReadable) {
  std::atomic<int> alive{0};
  std::vector<Node*> nodes;
  for (int i = 0; i < 1000; ++i) nodes.push_back(new Node(alive));
  for (Node* node : nodes) node->release_api();
  for (Node* node : nodes) EXPECT_EQ(static_cast<const _cl_mem*>(node)->tag, Tag::dead);
}

TEST(Object, RefMovesCopiesAndDetaches) {
  std::atomic<int> alive{0};
  {
    auto first = Ref<Node>::adopt(new Node(alive));
    Ref<Node> copy = first;
    EXPECT_TRUE(copy == first);
    Ref<Node> moved = std::move(first);
    EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): moved-from is empty by contract
    const Ref<Node>& same = copy;
    copy = same;
    EXPECT_EQ(alive, 1);
    Node* raw = moved.detach();
    copy = nullptr;
    EXPECT_EQ(alive, 1);
    Ref<Node>::adopt(raw);
    EXPECT_EQ(alive, 0);
  }
  EXPECT_EQ(alive, 0);
}

TEST(Object, ALongChainDiesWithoutRecursion) {
  // Each node holds the next one, as events hold what they wait for: a recursive destructor would need gigabytes of
  // stack for a million of them.
  std::atomic<int> alive{0};
  Ref<Node> head;
  for (int i = 0; i < 1'000'000; ++i) {
    auto node = Ref<Node>::adopt(new Node(alive));
    node->next = std::move(head);
    head = std::move(node);
  }
  EXPECT_EQ(alive, 1'000'000);
  head = nullptr;
  EXPECT_EQ(alive, 0);
}

TEST(Object, CountsAreSafeAcrossThreads) {
  std::atomic<int> alive{0};
  auto* node = new Node(alive);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    node->retain_api();
    threads.emplace_back([node] {
      for (int i = 0; i < 20000; ++i) {
        const Ref<Node> inside(*node);
        node->retain_api();
        node->release_api();
      }
      node->release_api();
    });
  }
  node->release_api();
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace lanewise
