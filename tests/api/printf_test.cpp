// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// printf from kernels to stdout: lengths of C beyond those of OpenCL C, strings wherever they lie, long output. The
/// conversions themselves are tested in unit/print_test.cpp.
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

class Printf : public ProgramFixture {
 protected:
  /// What `body` prints in each of `items` work-items of one group.
  std::string printed(const std::string& declarations, const std::string& body, size_t items = 1) const {
    const auto program =
        built(declarations + "kernel void k(global char* memory, local char* own) {\n" + body + "\n}", "-cl-std=CL3.0");
    const auto made = kernel(program, "k");
    const auto memory = buffer(4096);
    const cl_mem handle = memory.get();
    EXPECT_EQ(clSetKernelArg(made.get(), 0, sizeof handle, &handle), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(made.get(), 1, 64, nullptr), CL_SUCCESS);
    testing::internal::CaptureStdout();
    run(made, items, items);
    return testing::internal::GetCapturedStdout();
  }
};

TEST_F(Printf, Lengths) {
  EXPECT_EQ(printed("", R"(printf("%zu %zx %td %jd %s|", get_global_size(0) + ((size_t)1 << 40), (size_t)255,
                                  (ptrdiff_t)-3, (long)-1, "end");)"),
            "1099511627777 ff -3 -1 end|");
  EXPECT_EQ(printed("", R"(printf("%hhd %hhu %hhx %hd %v4hhd %v2hhu|", (char)-2, (uchar)254, 0x1234, (short)-5,
                                  (char4)(1, -2, 3, -4), (uchar2)(200, 255));)"),
            "-2 254 34 -5 1,-2,3,-4 200,255|");
  // Every argument is where the format expects it, whatever comes before.
  EXPECT_EQ(
      printed("",
              R"(printf("%hhd %zu %s %p %td %d|", (char)1, (size_t)2, "three", (global void*)4, (ptrdiff_t)5, 6);)"),
      "1 2 three 0x4 5 6|");
}

TEST_F(Printf, StringsOfEveryAddressSpace) {
  const char* declarations = R"(
    constant char kWord[] = "constant";
    constant char* constant kTable[] = {"zero", "one", "two", "three"};
    global char gWord[] = "variable";
    void say(const char* text) { printf("<%s>", text); }
  )";
  EXPECT_EQ(printed(declarations,
                    R"(printf("%s %s %-6s %.2s|", kWord, kTable[get_global_id(0) + 1], kTable[2], kTable[3]);)"),
            "constant one two    th|");
  EXPECT_EQ(printed(declarations, R"(
    char mine[] = "private";
    memory[0] = 'g'; memory[1] = 0;
    own[0] = 'l'; own[1] = 0;
    say(mine); say(memory); say(own); say(gWord);
    printf("%s %s %s %s|", mine, memory, own, gWord);)"),
            "<private><g><l><variable>private g l variable|");
}

/// The format is chosen when the kernel runs: pointers go as it wants them.
TEST_F(Printf, FormatsThatAreChosen) {
  const char* declarations = R"(
    constant char* constant kFormats[] = {"%s.", "%p.", "[%d]", "%zu;"};
  )";
  EXPECT_EQ(printed(declarations, R"(
    memory[0] = 'm'; memory[1] = 0;
    char* either = get_global_id(0) < 9 ? (char*)memory : (char*)own;
    printf(kFormats[get_global_id(0)], memory);
    printf(kFormats[get_global_id(0)], either);
    printf(kFormats[get_global_id(0)], "text");
    printf(kFormats[get_global_id(0) + 1], (global char*)16);
    printf(kFormats[get_global_id(0) + 2], 7);
    printf(kFormats[get_global_id(0) + 3], get_global_size(0));)"),
            "m.m.text.0x10.[7]1;");
}

/// More than any buffer between: long pieces, many of them, all there, each in one piece and in the order of its item.
TEST_F(Printf, LongOutput) {
  const std::string text(3000, 'x');
  std::string expected;
  for (int i = 0; i < 500; ++i) expected += std::to_string(i) + ' ' + text + " " + std::string(1000, ' ') + "end\n";
  EXPECT_EQ(printed("", "for (int i = 0; i < 500; ++i) printf(\"%d " + text + " %1003s\\n\", i, \"end\");"), expected);
  const std::string all =
      printed("", R"(for (int i = 0; i < 3000; ++i) printf("%4d:%4zu|", i, get_local_id(0));)", 200);
  EXPECT_EQ(all.size(), 3000U * 200U * 10U);
  std::vector<int> next(200);
  for (size_t at = 0; at + 10 <= all.size(); at += 10) {
    const int round = std::stoi(all.substr(at, 4)), item = std::stoi(all.substr(at + 5, 4));
    ASSERT_TRUE(item < 200 && round == next[static_cast<size_t>(item)]) << all.substr(at, 10);
    ++next[static_cast<size_t>(item)];
  }
  EXPECT_EQ(next, std::vector<int>(200, 3000));
}

}  // namespace
}  // namespace lanewise::test
