// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/host/commit.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <vector>

namespace lanewise::host {
namespace {

/// Pages of the process, some of which a test takes away.
class Commit : public ::testing::Test {
 protected:
  static constexpr std::size_t kCount = 8;

  void SetUp() override {
    if (!can_commit()) GTEST_SKIP() << "Linux before 5.14";
    page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    begin_ = map(PROT_READ | PROT_WRITE);
  }
  void TearDown() override {
    if (begin_ != nullptr) munmap(begin_, kCount * page_);
  }
  [[nodiscard]] unsigned char* map(int access, int flags = MAP_PRIVATE | MAP_ANONYMOUS, int fd = -1) const {
    void* made = mmap(nullptr, kCount * page_, access, flags, fd, 0);
    EXPECT_NE(made, MAP_FAILED);
    return static_cast<unsigned char*>(made);
  }
  [[nodiscard]] std::vector<bool> resident() const {
    std::vector<unsigned char> pages(kCount);
    EXPECT_EQ(mincore(begin_, kCount * page_, pages.data()), 0);
    std::vector<bool> out(kCount);
    for (std::size_t i = 0; i < kCount; ++i) out[i] = (pages[i] & 1U) != 0;
    return out;
  }

  std::size_t page_ = 0;
  unsigned char* begin_ = nullptr;
};

TEST_F(Commit, TouchesThePagesOfTheRangeAndNoOthers) {
  EXPECT_EQ(resident(), std::vector<bool>(kCount, false));
  EXPECT_TRUE(commit(begin_ + 2 * page_ - 1, page_ + 2, true));
  EXPECT_EQ(resident(), (std::vector<bool>{false, true, true, true, false, false, false, false}));
}

TEST_F(Commit, KeepsWhatIsThere) {
  for (std::size_t i = 0; i < kCount * page_; ++i) begin_[i] = static_cast<unsigned char>(i * 7);
  EXPECT_TRUE(commit(begin_, kCount * page_, true));
  EXPECT_TRUE(commit(begin_, kCount * page_, false));
  for (std::size_t i = 0; i < kCount * page_; ++i) ASSERT_EQ(begin_[i], static_cast<unsigned char>(i * 7));
}

TEST_F(Commit, RefusesPagesThatAreNotMapped) {
  ASSERT_EQ(munmap(begin_ + 3 * page_, page_), 0);
  for (const bool writable : {false, true}) {
    EXPECT_FALSE(commit(begin_, kCount * page_, writable));
    EXPECT_FALSE(commit(begin_ + 3 * page_, 1, writable));
    EXPECT_TRUE(commit(begin_, 3 * page_, writable));
    EXPECT_FALSE(commit(begin_, 3 * page_ + 1, writable));
  }
}

TEST_F(Commit, RefusesAccessThatThePagesDoNotAllow) {
  ASSERT_EQ(mprotect(begin_ + page_, page_, PROT_READ), 0);
  EXPECT_TRUE(commit(begin_, 3 * page_, false));
  EXPECT_FALSE(commit(begin_, 3 * page_, true));
  ASSERT_EQ(mprotect(begin_ + page_, page_, PROT_NONE), 0);
  EXPECT_FALSE(commit(begin_, 3 * page_, false));
  EXPECT_FALSE(commit(begin_, 3 * page_, true));
}

TEST_F(Commit, RefusesWhatLiesBehindAFilesEnd) {
  const int fd = memfd_create("commit", MFD_CLOEXEC);
  ASSERT_EQ(ftruncate(fd, static_cast<off_t>(2 * page_)), 0);
  unsigned char* file = map(PROT_READ | PROT_WRITE, MAP_SHARED, fd);
  EXPECT_TRUE(commit(file, 2 * page_, true));
  EXPECT_FALSE(commit(file, 2 * page_ + 1, true));
  EXPECT_FALSE(commit(file, 2 * page_ + 1, false));
  munmap(file, kCount * page_);
  close(fd);
}

TEST_F(Commit, RefusesRangesThatWrapAround) {
  EXPECT_FALSE(commit(begin_, SIZE_MAX, false));
  EXPECT_FALSE(commit(begin_, SIZE_MAX - reinterpret_cast<std::uintptr_t>(begin_), false));
}

}  // namespace
}  // namespace lanewise::host
