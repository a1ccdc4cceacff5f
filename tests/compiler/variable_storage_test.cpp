// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/program/variable_storage.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <algorithm>
#include <cstring>

#include "compiler/base/marks.h"
#include "tests/compiler/requests.h"

namespace lanewise::test {
namespace {

class VariableStorage : public ::testing::Test {
 protected:
  /// Places the variables of a module, or gives the reason why not.
  std::string place(const std::string& text, bool name = false) {
    llvm::SMDiagnostic diagnostic;
    module_ = llvm::parseAssemblyString(
        "target datalayout = \"e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-G1\"\n" + text, diagnostic, context_);
    if (!module_) return diagnostic.getMessage().str();
    if (name) name_variables(*module_);
    auto placed = place_variables(*module_);
    if (!placed) return llvm::toString(placed.takeError());
    storage_ = std::move(*placed);
    return {};
  }
  template <class T>
  [[nodiscard]] T at(std::uint64_t offset) const {
    T value{};
    EXPECT_LE(offset + sizeof value, storage_.initial.size());
    std::memcpy(&value, storage_.initial.data() + offset, sizeof value);
    return value;
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  abi::VariableStorage storage_;
};

TEST_F(VariableStorage, ZerosComeLastAndTakeNoRoom) {
  EXPECT_EQ(place("@zeros = addrspace(1) global [1000 x i32] zeroinitializer\n"
                  "@some = addrspace(1) global i32 7\n"
                  "@none = addrspace(1) global i8 undef\n"),
            "");
  EXPECT_EQ(storage_.initial, (Bytes{7}));
  EXPECT_GE(storage_.bytes, 4005U);
  EXPECT_EQ(storage_.largest, 4000U);
}

/// The zeros of a large array with few initial values are not stored, whatever variables there are besides.
TEST_F(VariableStorage, MostlyZeros) {
  EXPECT_EQ(
      place("@most = addrspace(1) global <{ i32, [1000000 x i32] }> <{ i32 3, [1000000 x i32] zeroinitializer }>\n"
            "@some = addrspace(1) global [2 x i32] [i32 1, i32 2]\n"
            "@more = addrspace(1) global i32 9\n"),
      "");
  EXPECT_LE(storage_.initial.size(), 32U);
  EXPECT_EQ(at<int>(0), 9);
}

TEST_F(VariableStorage, ValuesOfAllTypes) {
  EXPECT_EQ(
      place("@s = addrspace(1) global { i8, i64, <2 x i16>, [2 x float], i1, half } "
            "{ i8 1, i64 -2, <2 x i16> <i16 3, i16 4>, [2 x float] [float 5.0, float 6.0], i1 true, half 1.0 }\n"),
      "");
  EXPECT_EQ(at<std::uint8_t>(0), 1U);
  EXPECT_EQ(at<std::int64_t>(8), -2);
  EXPECT_EQ(at<std::uint16_t>(18), 4U);
  EXPECT_EQ(at<float>(24), 6.0F);
  EXPECT_EQ(at<std::uint8_t>(28), 1U);
  EXPECT_EQ(at<std::uint16_t>(30), 0x3C00U);
}

TEST_F(VariableStorage, PointersAndWhatIsMadeOfThem) {
  EXPECT_EQ(place("@a = addrspace(1) global [4 x i32] [i32 1, i32 2, i32 3, i32 4]\n"
                  "@p = addrspace(1) global ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @a, i64 8)\n"
                  "@g = addrspace(1) global ptr addrspace(4) addrspacecast (ptr addrspace(1) @p to ptr addrspace(4))\n"
                  "@n = addrspace(1) global i64 add (i64 ptrtoint (ptr addrspace(1) @a to i64), i64 4)\n"
                  "@d = addrspace(1) global i64 sub (i64 ptrtoint (ptr addrspace(1) @p to i64), "
                  "i64 ptrtoint (ptr addrspace(1) @a to i64))\n"
                  "@c = addrspace(2) constant ptr addrspace(1) @a\n"
                  "@text = addrspace(2) constant [2 x i8] c\"x\\00\"\n"
                  "@pt = addrspace(1) global ptr addrspace(2) @text\n"
                  "@alone = addrspace(2) constant i32 5\n"),
            "");
  const std::vector<abi::VariableStorage::Pointer> expected = {{8, 64}, {16, 8}, {24, 60}, {40, 56}, {48, 0}};
  EXPECT_EQ(storage_.pointers, expected);
  EXPECT_EQ(at<std::int64_t>(32), 8 - 56);
  EXPECT_EQ(at<char>(0), 'x');
  EXPECT_EQ(at<int>(64), 3);
  EXPECT_FALSE(module_->getNamedGlobal("alone")->hasMetadata(marks::kStored));
  EXPECT_TRUE(module_->getNamedGlobal("text")->hasMetadata(marks::kStored));
  EXPECT_TRUE(module_->getNamedGlobal("text")->hasInitializer()) << "its value is for who only loads it";
}

TEST_F(VariableStorage, WhatCannotBeAValue) {
  for (const char* bad : {"@b = addrspace(1) global i32 trunc (i64 ptrtoint (ptr addrspace(1) @a to i64) to i32)\n",
                          "declare void @f()\n@b = addrspace(1) global ptr @f\n"})
    EXPECT_TRUE(contains(place(std::string("@a = addrspace(1) global i32 1\n") + bad), "initialiser of 'b'")) << bad;
}

/// Variables that other modules may use, and those with a decoration that says their name and who may read and write them
/// (HostAccessINTEL, 6188).
TEST_F(VariableStorage, NamesOfVariables) {
  EXPECT_EQ(place("@a = addrspace(1) global i32 1, !spirv.Decorations !0\n"
                  "@b = internal addrspace(1) global [3 x i16] zeroinitializer\n"
                  "@c = addrspace(1) constant i64 2\n"
                  "@d = internal addrspace(1) global i32 3, !spirv.Decorations !2\n"
                  "!0 = !{!1}\n!1 = !{i32 6188, i32 3, !\"first\"}\n"
                  "!2 = !{!3, !4}\n!3 = !{i32 22}\n!4 = !{i32 6188, i32 1, !\"read\"}\n",
                  /*name=*/true),
            "");
  auto names = storage_.names;
  std::ranges::sort(names, {}, &abi::VariableStorage::Name::name);
  ASSERT_EQ(names.size(), 4U);
  EXPECT_EQ(names[0], (abi::VariableStorage::Name{"a", names[2].at, 4, true, true}));
  EXPECT_EQ(names[1], (abi::VariableStorage::Name{"c", names[1].at, 8, true, false}));
  EXPECT_EQ(names[2].name, "first");
  EXPECT_EQ(names[3], (abi::VariableStorage::Name{"read", names[3].at, 4, true, false}));
  EXPECT_EQ(at<int>(names[3].at), 3);
}

TEST_F(VariableStorage, ConstantsAloneNeedNone) {
  EXPECT_EQ(place("@c = addrspace(2) constant [100 x i32] zeroinitializer\n"), "");
  EXPECT_EQ(storage_, abi::VariableStorage());
}

}  // namespace
}  // namespace lanewise::test
