// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The checks of the disk before a cache entry is used: every state of a place that a build can record.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>

#include "runtime/code/build_cache.h"
#include "src/file/file.h"
#include "tests/unit/code_fixture.h"

namespace lanewise {
namespace {

using State = abi::Dependency::State;
using test::TemporaryDirectory;

constexpr Hash128 kKey{1, 2};

/// What there is at a place.
enum class Thing { absent, file, other_file, directory, fifo, link_to_file, link_to_nothing };
constexpr Thing kThings[] = {Thing::absent, Thing::file,         Thing::other_file,     Thing::directory,
                             Thing::fifo,   Thing::link_to_file, Thing::link_to_nothing};

class Dependencies : public testing::Test {
 protected:
  void SetUp() override { std::ofstream(sources_ / "text") << "int a;"; }
  void put(Thing thing) const {
    std::filesystem::remove_all(place());
    switch (thing) {
      case Thing::absent:
        return;
      case Thing::file:
        std::ofstream(place()) << "int a;";
        return;
      case Thing::other_file:
        std::ofstream(place()) << "int b;";
        return;
      case Thing::directory:
        std::filesystem::create_directory(place());
        return;
      case Thing::fifo:
        ASSERT_EQ(mkfifo(place().c_str(), 0600), 0);
        return;
      case Thing::link_to_file:
        std::filesystem::create_symlink(sources_ / "text", place());
        return;
      case Thing::link_to_nothing:
        std::filesystem::create_symlink(sources_ / "nothing", place());
    }
  }
  [[nodiscard]] std::string place() const { return sources_ / "place"; }
  /// Whether an entry that recorded `state` of the place is used while there is `thing`.
  [[nodiscard]] bool believed(State state, Thing thing) const {
    abi::Reply reply;
    reply.code_object.assign(10, 1);
    const Hash128 hash = hash_bytes(file::read_all(sources_ / "text").value());
    reply.dependencies = {{.path = place(), .hash_low = hash.low, .hash_high = hash.high, .state = state}};
    CacheStore store(cache_.path(), std::uint64_t{1} << 40);
    store.store(kKey, reply);
    put(thing);
    return store.load(kKey).has_value();
  }

  TemporaryDirectory cache_;
  TemporaryDirectory sources_;
};

TEST_F(Dependencies, HoldWhileASearchWouldFindTheSame) {
  const auto expect = [this](State state, std::initializer_list<Thing> good) {
    for (const Thing thing : kThings)
      EXPECT_EQ(believed(state, thing), std::find(good.begin(), good.end(), thing) != good.end())
          << "state " << static_cast<int>(state) << ", thing " << static_cast<int>(thing);
  };
  expect(State::text, {Thing::file, Thing::link_to_file});
  expect(State::present, {Thing::file, Thing::other_file, Thing::link_to_file});
  expect(State::nothing, {Thing::absent, Thing::fifo, Thing::link_to_nothing});
  expect(State::no_file, {Thing::absent, Thing::directory, Thing::fifo, Thing::link_to_nothing});
}

TEST_F(Dependencies, OfAnUnknownStateNeverHold) {
  for (const Thing thing : kThings) EXPECT_FALSE(believed(static_cast<State>(9), thing));
}

/// A place where nothing was found costs a stat, so that even very many of them are cheap to check.
TEST_F(Dependencies, AreCheap) {
  abi::Reply reply;
  reply.code_object.assign(10, 1);
  for (int i = 0; i < 1000; ++i)
    reply.dependencies.push_back({.path = sources_ / std::to_string(i), .state = State::nothing});
  CacheStore store(cache_.path(), std::uint64_t{1} << 40);
  store.store(kKey, reply);
  double best = 1e9;
  for (int round = 0; round < 20; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_TRUE(store.load(kKey));
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count());
  }
  RecordProperty("best_ms", std::to_string(best));
  if (getenv("LANEWISE_TEST_TIMES") != nullptr) printf("1000 places: %.3f ms\n", best);
  EXPECT_LT(best, 20.0);
}

}  // namespace
}  // namespace lanewise
