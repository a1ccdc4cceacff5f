// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/code_object.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "src/file/file.h"
#include "tests/unit/code_fixture.h"

namespace lanewise {
namespace {

class CodeObjectTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::fake_is_built()) GTEST_SKIP() << "the fake compiler is not built";
    elf_ = file::read_all(test::fake_folder() / "image.so").value_or(Bytes());
    ASSERT_FALSE(elf_.empty());
  }
  static std::uint64_t call(lanewise_range_fn* function, std::uint64_t first) {
    const lanewise_launch launch{};
    lanewise_worker worker{};
    std::uint64_t result = 0;
    function(&launch, &result, &worker, first, first + 1);
    return result;
  }
  static std::string name_of(const Ref<CodeObject>& code_object) {
    Dl_info info{};
    EXPECT_NE(dladdr(reinterpret_cast<void*>(code_object->symbol("add_up")), &info), 0);
    return info.dli_fname;
  }
  static bool is_mapped(const std::string& name) {
    std::ifstream maps("/proc/self/maps");
    const std::string text((std::istreambuf_iterator<char>(maps)), {});
    return text.find(name) != std::string::npos;
  }
  template <class Header>
  void change(std::size_t offset, void (*edit)(Header&)) {
    Header header;
    std::memcpy(&header, elf_.data() + offset, sizeof header);
    edit(header);
    std::memcpy(elf_.data() + offset, &header, sizeof header);
  }
  void expect_refused(const char* what) {
    const auto code_object = CodeObject::open(elf_);
    ASSERT_FALSE(code_object.ok()) << what;
    EXPECT_EQ(code_object.error().code, CL_INVALID_BINARY) << what;
    EXPECT_FALSE(code_object.error().message.empty()) << what;
  }

  Bytes elf_;
};

TEST_F(CodeObjectTest, RunsCodeAndUnmapsWithTheLastReference) {
  std::string name;
  {
    auto opened = CodeObject::open(elf_);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    Ref<CodeObject> code_object = std::move(opened).value();
    auto* function = code_object->symbol("add_up");
    ASSERT_NE(function, nullptr);
    EXPECT_EQ(call(function, 5), 5u);
    EXPECT_EQ(call(function, 7), 12u);
    EXPECT_EQ(code_object->symbol("missing"), nullptr);
    EXPECT_EQ(code_object->symbol("kNames"), nullptr) << "data";
    const Ref<CodeObject> other = code_object;
    code_object = nullptr;
    EXPECT_EQ(call(function, 1), 13u) << "still mapped";
    name = name_of(other);
    EXPECT_TRUE(is_mapped(name)) << name;
  }
  EXPECT_FALSE(is_mapped(name)) << name;
}

TEST_F(CodeObjectTest, ImagesFromTheSameBytesShareNoVariables) {
  std::vector<Ref<CodeObject>> code_objects;
  for (int i = 0; i < 50; ++i) {
    auto opened = CodeObject::open(elf_);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    code_objects.push_back(std::move(opened).value());
  }
  for (std::uint64_t i = 0; i < code_objects.size(); ++i)
    EXPECT_EQ(call(code_objects[i]->symbol("add_up"), i + 1), i + 1);
}

TEST_F(CodeObjectTest, NamesThatComeBackAreNoOldImages) {
  for (std::uint64_t i = 1; i < 500; ++i) {
    auto first = CodeObject::open(elf_);
    ASSERT_TRUE(first.ok());
    auto second = CodeObject::open(elf_);
    ASSERT_TRUE(second.ok());
    first = CodeObject::open(elf_);
    ASSERT_TRUE(first.ok());
    EXPECT_EQ(call(first.value()->symbol("add_up"), i), i);
    EXPECT_EQ(call(second.value()->symbol("add_up"), i), i);
  }
}

TEST_F(CodeObjectTest, EveryTruncationIsRefusedOrHarmless) {
  const Bytes whole = elf_;
  for (std::size_t size = 0; size < whole.size(); size += size < 1024 ? 7 : 501) {
    elf_.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    // The part that is cut off may be only section headers, which are not loaded.
    const auto code_object = CodeObject::open(elf_);
    if (!code_object.ok()) EXPECT_EQ(code_object.error().code, CL_INVALID_BINARY) << size;
    if (size < sizeof(Elf64_Ehdr)) EXPECT_FALSE(code_object.ok()) << size;
  }
}

TEST_F(CodeObjectTest, RefusesWhatIsNoSharedObjectForThisMachine) {
  const Bytes whole = elf_;
  change<Elf64_Ehdr>(0, [](Elf64_Ehdr& h) { h.e_ident[EI_MAG0] = 'X'; });
  expect_refused("magic");
  elf_ = whole;
  change<Elf64_Ehdr>(0, [](Elf64_Ehdr& h) { h.e_ident[EI_CLASS] = ELFCLASS32; });
  expect_refused("class");
  elf_ = whole;
  change<Elf64_Ehdr>(0, [](Elf64_Ehdr& h) { h.e_machine = EM_S390; });
  expect_refused("machine");
  elf_ = whole;
  change<Elf64_Ehdr>(0, [](Elf64_Ehdr& h) { h.e_type = ET_EXEC; });
  expect_refused("type");
  elf_ = whole;
  change<Elf64_Ehdr>(0, [](Elf64_Ehdr& h) { h.e_phoff = ~std::uint64_t{0} - 8; });
  expect_refused("program headers outside");
  elf_ = whole;
  change<Elf64_Phdr>(sizeof(Elf64_Ehdr), [](Elf64_Phdr& h) { h.p_filesz = std::uint64_t{1} << 40; });
  expect_refused("segment outside");
  elf_ = whole;
  change<Elf64_Phdr>(sizeof(Elf64_Ehdr), [](Elf64_Phdr& h) { h.p_offset = ~std::uint64_t{0}; });
  expect_refused("segment offset overflows");
  elf_.assign(100, 0);
  expect_refused("zeros");
  elf_.clear();
  expect_refused("nothing");
}

}  // namespace
}  // namespace lanewise
