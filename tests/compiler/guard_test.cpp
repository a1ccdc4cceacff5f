// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Crashes and fatal errors of the compiler, on every kind of thread that it works on.
#include "compiler/isolation/guard.h"

#include <gtest/gtest.h>
#include <llvm/Support/ErrorHandling.h>
#include <signal.h>
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>

#include "compiler/isolation/crash_recovery.h"

namespace lanewise {
namespace {

[[gnu::noinline]] void fault() {
  static void* const forbidden = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *static_cast<volatile int*>(forbidden) = 1;
}

[[gnu::noinline]] int overflow_stack(volatile int* depth) {
  volatile char frame[4096] = {};
  if (*depth < 0) return 0;  // never
  frame[static_cast<std::size_t>(*depth) % 4096] = 1;
  *depth = *depth + 1;
  return overflow_stack(depth) + frame[0];
}

struct Guarded {
  bool survived = false;
  std::string message;
};

template <class Body>
Guarded guarded(Body&& body) {
  Guarded out;
  out.survived = run_guarded([&] { body(); }, out.message);
  return out;
}

TEST(Guard, ACrashIsAReturnValue) {
  const CrashRecovery recovery;
  for (int round = 0; round < 3; ++round) {
    const Guarded memory = guarded(fault);
    EXPECT_FALSE(memory.survived);
    EXPECT_NE(memory.message.find("crashed"), std::string::npos) << memory.message;
    EXPECT_FALSE(guarded([] { __builtin_trap(); }).survived);
    EXPECT_FALSE(guarded([] { abort(); }).survived);
    EXPECT_FALSE(guarded([] { llvm::report_fatal_error("fatal"); }).survived);
    EXPECT_TRUE(guarded([] {}).survived);
  }
}

TEST(Guard, TheInnermostFrameCatches) {
  const CrashRecovery recovery;
  Guarded inner;
  const Guarded outer = guarded([&] {
    inner = guarded(fault);
    fault();
  });
  EXPECT_FALSE(inner.survived);
  EXPECT_FALSE(outer.survived);
}

TEST(Guard, OnALargeStackThatOverflows) {
  const CrashRecovery recovery;
  Guarded out;
  run_on_large_stack([&] {
    out = guarded([] {
      volatile int depth = 0;
      overflow_stack(&depth);
    });
  });
  EXPECT_FALSE(out.survived);
}

TEST(Guard, OnEveryThreadOfManyKernels) {
  const CrashRecovery recovery;
  std::array<Guarded, 40> out;
  run_parallel(40, [&](unsigned i) {
    out[i] = guarded([i] {
      if (i % 2 == 0) fault();
    });
  });
  for (unsigned i = 0; i < 40; ++i) EXPECT_EQ(out[i].survived, i % 2 == 1) << i;
}

TEST(Guard, WithItsSignalsBlocked) {
  const CrashRecovery recovery;
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const Guarded out = guarded(fault);
  sigset_t after;
  pthread_sigmask(SIG_SETMASK, &before, &after);
  EXPECT_FALSE(out.survived);
  EXPECT_TRUE(sigismember(&after, SIGSEGV)) << "the thread's mask is not as it was";
}

TEST(Guard, HandlersAndStacksAreGivenBack) {
  stack_t before{};
  sigaltstack(nullptr, &before);
  struct sigaction handler{};
  sigaction(SIGSEGV, nullptr, &handler);
  {
    const CrashRecovery recovery;
    EXPECT_FALSE(guarded(fault).survived);
  }
  stack_t after{};
  sigaltstack(nullptr, &after);
  EXPECT_EQ(after.ss_flags & SS_DISABLE, before.ss_flags & SS_DISABLE);
  EXPECT_EQ(after.ss_sp, before.ss_sp);
  struct sigaction now{};
  sigaction(SIGSEGV, nullptr, &now);
  EXPECT_EQ(now.sa_handler, handler.sa_handler);
}

TEST(GuardDeathTest, CrashesOfOthersEndTheProcessAsTheyDid) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        const CrashRecovery recovery;
        fault();
      },
      ::testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(
      {
        const CrashRecovery recovery;
        abort();
      },
      ::testing::KilledBySignal(SIGABRT), "");
  EXPECT_EXIT(guarded(fault), ::testing::KilledBySignal(SIGSEGV), "");
}

/// Something that a body left on its stack when it was abandoned, and that others still refer to.
struct LeftBehind {
  std::array<volatile int, 64> values{};
};

[[gnu::noinline]] void leave_behind(std::atomic<LeftBehind*>& seen) {
  LeftBehind here;
  for (auto& value : here.values) value = 42;
  seen = &here;
  llvm::report_fatal_error("fatal");
}

[[gnu::noinline]] void use_much_stack() {
  volatile char frame[std::size_t{256} << 10];
  for (volatile char& byte : frame) byte = 1;
}

void expect_untouched(const LeftBehind* left) {
  ASSERT_NE(left, nullptr);
  for (const auto& value : left->values) ASSERT_EQ(value, 42);
}

TEST(Guard, WhatAnAbandonedBodyLeavesOnItsStackStays) {
  std::atomic<LeftBehind*> left{nullptr};
  run_on_large_stack([&] { EXPECT_FALSE(guarded([&] { leave_behind(left); }).survived); });
  run_on_large_stack([] { use_much_stack(); });
  expect_untouched(left);
}

TEST(Guard, NothingElseRunsOnTheStackOfAnAbandonedBody) {
  std::atomic<LeftBehind*> left{nullptr};
  std::atomic<int> run{0};
  run_on_large_stack([&] {
    run_parallel(50, [&](unsigned i) {
      if (i == 3) EXPECT_FALSE(guarded([&] { leave_behind(left); }).survived);
      if (i != 3) use_much_stack();
      ++run;
    });
  });
  EXPECT_EQ(run, 50);
  expect_untouched(left);
}

}  // namespace
}  // namespace lanewise
