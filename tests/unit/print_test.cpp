// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// printf of OpenCL C: every conversion, modifier and misuse, and the order of the output.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

#include "runtime/exec/worker.h"
#include "runtime/printf/format.h"
#include "runtime/printf/sink.h"

namespace lanewise {
namespace {

/// Builds argument records as compiled kernels do.
class Args {
 public:
  template <class T>
  Args& add(char kind, std::initializer_list<T> values) {
    bytes_.insert(bytes_.end(),
                  {static_cast<std::uint8_t>(kind), sizeof(T), static_cast<std::uint8_t>(values.size()), 0});
    for (const T& value : values) {
      const auto* raw = reinterpret_cast<const std::uint8_t*>(&value);
      bytes_.insert(bytes_.end(), raw, raw + sizeof(T));
    }
    while (bytes_.size() % 4 != 0) bytes_.push_back(0);
    ++count_;
    return *this;
  }
  template <class T>
  Args& i(std::initializer_list<T> values) {
    return add('i', values);
  }
  template <class T>
  Args& f(std::initializer_list<T> values) {
    return add('f', values);
  }
  Args& s(const char* string) { return add('s', {string}); }

  [[nodiscard]] std::string text(const char* format) {
    std::string out;
    fine_ = format_print(out, format, bytes_, count_);
    return out;
  }
  [[nodiscard]] bool fine() const { return fine_; }

  std::vector<std::uint8_t> bytes_;
  std::uint32_t count_ = 0;
  bool fine_ = false;
};

std::string good(const char* format, Args args) {
  const std::string text = args.text(format);
  EXPECT_TRUE(args.fine()) << format;
  return text;
}

std::string bad(const char* format, Args args) {
  const std::string text = args.text(format);
  EXPECT_FALSE(args.fine()) << format;
  return text;
}

TEST(PrintFormat, Integers) {
  EXPECT_EQ(good("%d %i", Args().i({-5}).i({7})), "-5 7");
  EXPECT_EQ(good("%u %o %x %X", Args().i({-1}).i({8}).i({255}).i({255})), "4294967295 10 ff FF");
  EXPECT_EQ(good("[%5d] [%-5d] [%05d] [%+d] [% d] [%.3d]", Args().i({1}).i({2}).i({3}).i({4}).i({5}).i({6})),
            "[    1] [2    ] [00003] [+4] [ 5] [006]");
  EXPECT_EQ(good("%#x %#o", Args().i({255}).i({8})), "0xff 010");
  EXPECT_EQ(good("%ld %lu %lx", Args().i({std::int64_t{-1}}).i({~std::uint64_t{0}}).i({std::int64_t{1} << 40})),
            "-1 18446744073709551615 10000000000");
  EXPECT_EQ(good("%hhd %hd %hhu", Args().i({-1}).i({-2}).i({-1})), "-1 -2 255");
  EXPECT_EQ(good("%hhx", Args().i({0x1234})), "34");
  EXPECT_EQ(good("%zu %td %jx", Args().i({std::uint64_t{1} << 40}).i({std::int64_t{-2}}).i({std::uint64_t{255}})),
            "1099511627776 -2 ff");
  EXPECT_EQ(good("%zd %td", Args().i({-7}).i({7})), "-7 7") << "of the size that the argument has";
}

TEST(PrintFormat, Floats) {
  EXPECT_EQ(good("%f %F %.2f", Args().f({1.5F}).f({2.25}).f({3.14159F})), "1.500000 2.250000 3.14");
  EXPECT_EQ(good("%e %E %g %G", Args().f({1.5}).f({1.5}).f({1e-10}).f({1e-10})),
            "1.500000e+00 1.500000E+00 1e-10 1E-10");
  EXPECT_EQ(good("%a %A", Args().f({1.0F}).f({0.5F})), "0x1p+0 0X1P-1");
  EXPECT_EQ(good("[%8.3f] [%-8.1f] [%+.1f] [%#.0f]", Args().f({1.0F}).f({2.0F}).f({3.0F}).f({4.0F})),
            "[   1.000] [2.0     ] [+3.0] [4.]");
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(good("%f %F %f %F", Args().f({inf}).f({-inf}).f({nan}).f({nan})), "inf -INF nan NAN");
  EXPECT_EQ(good("%f", Args().f({std::uint16_t{0x3c00}})), "1.000000") << "half";
}

TEST(PrintFormat, Others) {
  EXPECT_EQ(good("100%%", Args()), "100%");
  EXPECT_EQ(good("%c%c", Args().i({static_cast<int>('h')}).i({static_cast<int>('i')})), "hi");
  EXPECT_EQ(good("[%s] [%6s] [%-6s] [%.2s]", Args().s("abc").s("abc").s("abc").s("abc")),
            "[abc] [   abc] [abc   ] [ab]");
  EXPECT_EQ(good("%s", Args().s(nullptr)), "(null)");
  EXPECT_EQ(good("%p", Args().add('p', {std::uint64_t{0x1234}})), "0x1234");
  EXPECT_EQ(good("", Args()), "");
  EXPECT_EQ(good("no newline", Args()), "no newline");
}

TEST(PrintFormat, Vectors) {
  EXPECT_EQ(good("%zu %zx %td", Args().i({~std::uint64_t{0}}).i({std::int64_t{1} << 40}).i({std::int64_t{-1} << 40})),
            "18446744073709551615 10000000000 -1099511627776");
  EXPECT_EQ(good("%v4hld", Args().i({1, -2, 3, 4})), "1,-2,3,4");
  EXPECT_EQ(good("%v2ld", Args().i({std::int64_t{1}, std::int64_t{-2}})), "1,-2");
  EXPECT_EQ(good("%v4hhd", Args().i<std::int8_t>({1, -2, 3, 4})), "1,-2,3,4");
  EXPECT_EQ(good("%v4hhu", Args().i<std::int8_t>({1, -2, 3, 4})), "1,254,3,4");
  EXPECT_EQ(good("%v3hx", Args().i<std::int16_t>({1, -1, 16})), "1,ffff,10");
  EXPECT_EQ(good("%v4hlf", Args().f({1.0F, 2.0F, 3.0F, 4.0F})), "1.000000,2.000000,3.000000,4.000000");
  EXPECT_EQ(good("%2.2v4hlf", Args().f({1.0F, 2.0F, 3.0F, 4.0F})), "1.00,2.00,3.00,4.00");
  EXPECT_EQ(good("%v2lf", Args().f({1.0, 2.5})), "1.000000,2.500000");
  EXPECT_EQ(good("%05v2hld", Args().i({1, 2})), "00001,00002");
  EXPECT_EQ(good("%v16hhd", Args().i<std::int8_t>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})),
            "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15");
  EXPECT_EQ(good("%v4hld %d", Args().i({1, 2, 3, 4}).i({9})), "1,2,3,4 9");
}

TEST(PrintFormat, MisuseGivesMinusOneAndSomethingToRead) {
  EXPECT_EQ(bad("a %d b", Args()), "a %d b");
  EXPECT_EQ(bad("%y", Args().i({1})), "%y");
  EXPECT_EQ(bad("%", Args()), "%");
  EXPECT_EQ(bad("%5", Args()), "%5");
  EXPECT_EQ(bad("%n", Args().i({1})), "%n");
  EXPECT_EQ(bad("%s", Args().i({1})), "%s");
  EXPECT_EQ(bad("%d", Args().f({1.0F})), "%d");
  EXPECT_EQ(bad("%f", Args().i({1})), "%f");
  EXPECT_EQ(bad("%99999999d", Args().i({1})), "%99999999d");
  EXPECT_EQ(bad("%v5d", Args().i({1})), "%v5d");
  EXPECT_EQ(bad("%v4s", Args().s("x")), "%v4s");
  EXPECT_EQ(bad("%v4hld", Args().i({1, 2})), "1,2");
  Args cut;
  cut.bytes_ = {'i', 8, 16, 0, 1, 2};
  cut.count_ = 1;
  EXPECT_EQ(bad("%d", cut), "%d");
}

TEST(PrintSink, OrdersByGroupAndKeepsTheOrderWithin) {
  PrintSink sink;
  for (const int group : {3, 1, 2, 1, 3, 0}) sink.add(static_cast<std::uint64_t>(group), std::to_string(group) + ".");
  sink.add(1, "last;");
  testing::internal::CaptureStdout();
  sink.flush();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "0.1.1.last;2.3.3.");
  testing::internal::CaptureStdout();
  sink.flush();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(PrintSink, FlushesEarlyBeyondItsLimit) {
  PrintSink sink(100);
  testing::internal::CaptureStdout();
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(sink.add(0, "0123456789"));
  sink.flush();
  EXPECT_EQ(testing::internal::GetCapturedStdout().size(), 10'000u);
}

TEST(PrintSink, TakesTextFromManyThreads) {
  PrintSink sink;
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&sink, t] {
      for (int i = 0; i < 500; ++i) sink.add(t, std::string(1, static_cast<char>('a' + t)));
    });
  }
  for (auto& thread : threads) thread.join();
  testing::internal::CaptureStdout();
  sink.flush();
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            std::string(500, 'a') + std::string(500, 'b') + std::string(500, 'c') + std::string(500, 'd'));
}

TEST(PrintService, NeedsASink) {
  Worker worker;
  const auto print = worker.abi().services->print;
  EXPECT_EQ(print(&worker.abi(), 0, "x", nullptr, 0, 0), -1);
  PrintSink sink;
  worker.set_sink(&sink);
  testing::internal::CaptureStdout();
  EXPECT_EQ(print(&worker.abi(), 0, "x", nullptr, 0, 0), 0);
  EXPECT_EQ(print(&worker.abi(), 0, "%d", nullptr, 0, 0), -1);
  sink.flush();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "x%d");
}

TEST(WorkerTest, ScratchGrowsAndIsAligned) {
  Worker worker;
  for (const std::uint64_t size : {1u, 1000u, 100'000u, 10u}) {
    ASSERT_TRUE(worker.reserve(size, 2 * size, 0));
    const auto at = [](const char* p) { return reinterpret_cast<std::uintptr_t>(p) % LANEWISE_SCRATCH_ALIGN; };
    EXPECT_EQ(at(worker.abi().local_memory), 0u);
    EXPECT_EQ(at(worker.abi().item_scratch), 0u);
    std::memset(worker.abi().local_memory, 1, size);
    std::memset(worker.abi().item_scratch, 1, 2 * size);
  }
  EXPECT_FALSE(worker.reserve(std::uint64_t{1} << 60, 0, 0));
  EXPECT_NE(worker.abi().local_memory, nullptr) << "what was there stays";
}

TEST(WorkerTest, FloatEnvironmentIsSetAndGivenBack) {
#if defined(__x86_64__)
  constexpr host::FloatControl kStrange = 0x8040 | 0x6000;  // flush to zero, denormals are zero, round toward zero
#else
  constexpr host::FloatControl kStrange = 7U << 22U;  // flush to zero, round toward zero
#endif
  const host::FloatControl saved = host::float_control();
  host::set_float_control(saved | kStrange);
  const host::FloatControl mine = host::float_control();
  {
    const KernelFloatEnvironment environment;
    EXPECT_EQ(host::float_control(), host::kUsualFloatControl);
    volatile double zero = 0;
    EXPECT_TRUE(std::isinf(1.0 / zero));
  }
  EXPECT_EQ(host::float_control(), mine);
  host::set_float_control(saved);
}

}  // namespace
}  // namespace lanewise
