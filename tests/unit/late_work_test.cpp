// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Works that are completed when their command is ready.
#include "tests/unit/exec_fixture.h"

namespace lanewise::test {
namespace {

class LateCount final : public LateWork {
 public:
  LateCount(std::atomic<int>& completed, std::atomic<int>& counter, cl_int status)
      : completed_(completed), counter_(counter), status_(status) {}

  cl_int complete() const noexcept override {
    ++completed_;
    pieces_ = 7;
    return status_;
  }
  [[nodiscard]] std::uint64_t pieces() const override { return pieces_; }
  [[nodiscard]] bool stoppable() const override { return true; }
  cl_int run(Worker&, std::uint64_t first, std::uint64_t last) const noexcept override {
    counter_ += static_cast<int>(last - first);
    return CL_SUCCESS;
  }

 private:
  std::atomic<int>& completed_;
  std::atomic<int>& counter_;
  cl_int status_;
  mutable std::uint64_t pieces_ = kPiecesLater;
};

class LateWorks : public ExecTest {
 protected:
  [[nodiscard]] WorkPtr late(cl_int status = CL_SUCCESS) {
    return std::make_unique<LateCount>(completed_, counter_, status);
  }

  std::atomic<int> completed_{0};
  std::atomic<int> counter_{0};
};

TEST_F(LateWorks, AreCompletedWhenTheirDependenciesHaveEnded) {
  const auto on = queue(kOutOfOrder);
  const auto before = user();
  const auto command = submit(*on, late(), {before.get()});
  EXPECT_EQ(completed_, 0);
  EXPECT_EQ(before->set_status(CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(command->wait(), CL_COMPLETE);
  EXPECT_EQ(completed_, 1);
  EXPECT_EQ(counter_, 7);
}

TEST_F(LateWorks, AreCompletedAtOnceWithoutDependencies) {
  const auto on = queue(kInOrder);
  EXPECT_EQ(submit(*on, late())->wait(), CL_COMPLETE);
  EXPECT_EQ(completed_, 1);
  EXPECT_EQ(counter_, 7);
}

TEST_F(LateWorks, GiveTheirErrorToTheCommand) {
  const auto on = queue(kInOrder);
  const auto command = submit(*on, late(CL_OUT_OF_RESOURCES));
  const auto next = submit(*on, count(counter_));
  EXPECT_EQ(command->wait(), CL_OUT_OF_RESOURCES);
  EXPECT_EQ(next->wait(), CL_COMPLETE) << "the order of a queue passes on no errors";
  EXPECT_EQ(counter_, 1);
}

TEST_F(LateWorks, StayAsTheyAreIfTheirWaitListFails) {
  const auto on = queue(kInOrder);
  const auto before = user();
  const auto command = submit(*on, late(), {before.get()});
  EXPECT_EQ(before->set_status(-1), CL_SUCCESS);
  EXPECT_EQ(command->wait(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(completed_, 0);
}

}  // namespace
}  // namespace lanewise::test
