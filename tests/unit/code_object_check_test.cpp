// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Damaged code objects: those that pass the check must be harmless to the dynamic linker. Each of them is opened,
/// searched and closed in a forked child, which must not crash.
#include "runtime/code/code_object_check.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <link.h>
#include <sys/mman.h>

#include <cstring>
#include <functional>
#include <random>
#include <vector>

#include "src/file/file.h"
#include "tests/unit/code_fixture.h"

namespace lanewise {
namespace {

class CodeObjectCheck : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::fake_is_built()) GTEST_SKIP() << "the fake compiler is not built";
    elf_ = file::read_all(test::fake_folder() / "image.so").value_or(Bytes());
    ASSERT_FALSE(elf_.empty());
  }

  template <class T>
  [[nodiscard]] T read(std::uint64_t offset) const {
    T out;
    std::memcpy(&out, elf_.data() + offset, sizeof out);
    return out;
  }
  template <class T>
  void write(std::uint64_t offset, const T& value) {
    std::memcpy(elf_.data() + offset, &value, sizeof value);
  }
  [[nodiscard]] std::vector<std::uint64_t> segments() const {
    std::vector<std::uint64_t> offsets;
    const auto header = read<Elf64_Ehdr>(0);
    for (unsigned i = 0; i < header.e_phnum; ++i) offsets.push_back(header.e_phoff + i * sizeof(Elf64_Phdr));
    return offsets;
  }
  [[nodiscard]] std::uint64_t segment(Elf64_Word type, Elf64_Word flags = 0) const {
    for (const std::uint64_t at : segments()) {
      const auto header = read<Elf64_Phdr>(at);
      if (header.p_type == type && (header.p_flags & flags) == flags) return at;
    }
    ADD_FAILURE() << "no segment of type " << type;
    return 0;
  }
  /// The file offset of an entry of the dynamic section.
  [[nodiscard]] std::uint64_t dynamic(Elf64_Sxword tag) const {
    const auto header = read<Elf64_Phdr>(segment(PT_DYNAMIC));
    for (std::uint64_t at = header.p_offset; at < header.p_offset + header.p_filesz; at += sizeof(Elf64_Dyn))
      if (read<Elf64_Dyn>(at).d_tag == tag) return at;
    ADD_FAILURE() << "no entry with tag " << tag;
    return 0;
  }
  /// The file offset of a constant table, for which offsets are equal to addresses.
  [[nodiscard]] std::uint64_t table(Elf64_Sxword tag) const { return read<Elf64_Dyn>(dynamic(tag)).d_un.d_ptr; }

  template <class T>
  void expect_refused(std::uint64_t offset, const std::function<void(T&)>& edit, const char* what) {
    const Bytes whole = elf_;
    auto value = read<T>(offset);
    edit(value);
    write(offset, value);
    const auto checked = check_code_object(elf_);
    EXPECT_FALSE(checked.ok()) << what;
    if (!checked.ok()) EXPECT_EQ(checked.error().code, CL_INVALID_BINARY);
    elf_ = whole;
  }

  Bytes elf_;
};

/// Opens and closes the code object as the driver does, without calling anything in it. Exit status of the child.
int open_in_child(const Bytes& elf) {
  return test::in_child([&] {
    const int memory = memfd_create("image", 0);
    if (memory < 0 || !file::write_all(memory, elf)) return 1;
    void* library = dlopen(("/proc/self/fd/" + std::to_string(memory)).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return 0;  // an error is a valid result
    for (const char* name : {"add_up", "kNames", "missing", ""}) (void)dlsym(library, name);
    dl_iterate_phdr([](dl_phdr_info* info, std::size_t, void*) { return info->dlpi_phdr == nullptr ? 1 : 0; }, nullptr);
    dlclose(library);
    return 0;
  });
}

TEST_F(CodeObjectCheck, TakesWhatOurLinkerMakes) {
  const auto checked = check_code_object(elf_);
  ASSERT_TRUE(checked.ok()) << checked.error().message;
  EXPECT_TRUE(checked.value().has_variables);
  EXPECT_EQ(open_in_child(elf_), 0);
}

TEST_F(CodeObjectCheck, RefusesOtherFiles) {
  using Header = Elf64_Ehdr;
  expect_refused<Header>(0, [](Header& h) { h.e_ident[EI_DATA] = ELFDATA2MSB; }, "byte order");
  expect_refused<Header>(0, [](Header& h) { h.e_ident[EI_OSABI] = ELFOSABI_FREEBSD; }, "system");
  expect_refused<Header>(0, [](Header& h) { h.e_type = ET_REL; }, "object file");
  expect_refused<Header>(0, [](Header& h) { h.e_phnum = 0xfff0; }, "number of segments");
  expect_refused<Header>(0, [](Header& h) { h.e_phoff = ~std::uint64_t{0}; }, "segments outside");
}

TEST_F(CodeObjectCheck, RefusesSegmentsThatReachElsewhere) {
  using Header = Elf64_Phdr;
  const std::uint64_t data = segment(PT_LOAD, PF_W);
  const std::uint64_t code = segment(PT_LOAD, PF_X);
  expect_refused<Header>(code, [](Header& h) { h.p_flags |= PF_W; }, "writable code");
  expect_refused<Header>(code, [](Header& h) { h.p_filesz = h.p_memsz = 1U << 20U; }, "beyond the file");
  expect_refused<Header>(code, [](Header& h) { h.p_memsz += 8192; }, "code that is not in the file");
  expect_refused<Header>(code, [](Header& h) { h.p_vaddr -= 0x1000; }, "overlapping");
  expect_refused<Header>(code, [](Header& h) { h.p_align = 8; }, "alignment");
  expect_refused<Header>(code, [](Header& h) { h.p_offset += 1; }, "misaligned");
  expect_refused<Header>(data, [](Header& h) { h.p_memsz = ~std::uint64_t{0} - 0x3000; }, "all of the address space");
  expect_refused<Header>(data, [](Header& h) { h.p_filesz = h.p_memsz + 1; }, "more file than memory");
  expect_refused<Header>(segment(PT_GNU_STACK), [](Header& h) { h.p_flags |= PF_X; }, "executable stack");
  expect_refused<Header>(segment(PT_GNU_RELRO), [](Header& h) { h.p_vaddr = 0; }, "constants elsewhere");
  expect_refused<Header>(segment(PT_GNU_EH_FRAME), [](Header& h) { h.p_vaddr = 1U << 30U; }, "unwind tables");
  expect_refused<Header>(segment(PT_DYNAMIC), [](Header& h) { h.p_vaddr += 1U << 20U; }, "dynamic section");
  expect_refused<Header>(segment(PT_DYNAMIC), [](Header& h) { h.p_filesz = h.p_memsz = 16; }, "without an end");
  expect_refused<Header>(segment(PT_GNU_STACK), [](Header& h) { h.p_type = PT_TLS; }, "thread-local data");
  expect_refused<Header>(segment(PT_GNU_STACK), [](Header& h) { h.p_type = PT_INTERP; }, "an interpreter");
  for (const Elf64_Word type : {PT_NOTE, PT_SHLIB, PT_GNU_PROPERTY, PT_LOPROC})
    expect_refused<Header>(segment(PT_GNU_EH_FRAME), [&](Header& h) { h.p_type = type; }, "another segment");
  expect_refused<Header>(code, [](Header& h) { h.p_flags |= 0x100000; }, "other rights");
}

/// Without this header the dynamic linker makes every stack of the process executable.
TEST_F(CodeObjectCheck, RefusesImagesThatDoNotNameTheStack) {
  using Header = Elf64_Phdr;
  const std::uint64_t stack = segment(PT_GNU_STACK);
  expect_refused<Header>(stack, [](Header& h) { h.p_type = PT_NULL; }, "no header for the stack");
  expect_refused<Header>(
      stack, [&](Header& h) { h = read<Header>(segment(PT_GNU_RELRO)), h.p_type = PT_NULL; }, "another in its place");
  expect_refused<Header>(stack, [](Header& h) { h.p_flags = PF_X; }, "executable");
  expect_refused<Header>(stack, [](Header& h) { h.p_memsz = 1U << 30U; }, "a stack of another size");
  expect_refused<Header>(segment(PT_GNU_EH_FRAME), [&](Header& h) { h = read<Header>(stack); }, "two of them");
}

TEST_F(CodeObjectCheck, RefusesWhatWouldRunCodeOrOpenFiles) {
  using Entry = Elf64_Dyn;
  for (const Elf64_Sxword tag : {DT_NEEDED, DT_INIT, DT_FINI, DT_INIT_ARRAY, DT_FINI_ARRAY, DT_TEXTREL, DT_JMPREL,
                                 DT_RPATH, DT_RUNPATH, DT_REL, DT_VERSYM, DT_PLTGOT, DT_AUXILIARY, DT_FILTER})
    expect_refused<Entry>(dynamic(DT_SYMENT), [&](Entry& e) { e = {tag, {table(DT_STRTAB)}}; }, "another tag");
  expect_refused<Entry>(dynamic(DT_SYMENT), [](Entry& e) { e = {DT_FLAGS, {DF_TEXTREL}}; }, "code to relocate");
  expect_refused<Entry>(dynamic(DT_STRSZ), [](Entry& e) { e.d_un.d_val = ~std::uint64_t{0}; }, "names");
  expect_refused<Entry>(dynamic(DT_STRSZ), [](Entry& e) { e.d_un.d_val -= 1; }, "a name without an end");
  for (const Elf64_Sxword tag : {DT_SYMTAB, DT_STRTAB, DT_GNU_HASH, DT_RELA})
    expect_refused<Entry>(dynamic(tag), [](Entry& e) { e.d_un.d_ptr = std::uint64_t{1} << 60U; }, "a table elsewhere");
  expect_refused<Entry>(dynamic(DT_RELASZ), [](Entry& e) { e.d_un.d_val *= 1000; }, "relocations");
  expect_refused<Entry>(dynamic(DT_RELACOUNT), [](Entry& e) { e.d_un.d_val = 1000; }, "relative relocations");
}

TEST_F(CodeObjectCheck, RefusesSymbolsAndRelocationsThatLeadElsewhere) {
  const std::uint64_t symbol = table(DT_SYMTAB) + sizeof(Elf64_Sym);
  using Symbol = Elf64_Sym;
  expect_refused<Symbol>(
      symbol, [](Symbol& s) { s.st_info = ELF64_ST_INFO(STB_GNU_UNIQUE, ELF64_ST_TYPE(s.st_info)); }, "unique");
  expect_refused<Symbol>(symbol, [](Symbol& s) { s.st_shndx = SHN_UNDEF; }, "undefined");
  expect_refused<Symbol>(symbol, [](Symbol& s) { s.st_name = 1U << 30U; }, "name");
  expect_refused<Symbol>(symbol, [](Symbol& s) { s.st_value = 1U << 30U; }, "value");
  expect_refused<Symbol>(
      symbol, [](Symbol& s) { s.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_GNU_IFUNC); }, "called by a look-up");
  using Relocation = Elf64_Rela;
  const std::uint64_t relocation = table(DT_RELA);
  expect_refused<Relocation>(relocation, [](Relocation& r) { r.r_offset = 0; }, "writes to constants");
  expect_refused<Relocation>(relocation, [](Relocation& r) { r.r_offset = ~std::uint64_t{0} - 3; }, "writes elsewhere");
  expect_refused<Relocation>(relocation, [](Relocation& r) { r.r_addend = -8; }, "address elsewhere");
  expect_refused<Relocation>(relocation, [](Relocation& r) { r.r_info = ELF64_R_INFO(1, R_X86_64_64); }, "kind");
  expect_refused<Relocation>(
      relocation, [&](Relocation& r) { r.r_offset = read<Elf64_Phdr>(segment(PT_DYNAMIC)).p_vaddr; },
      "dynamic section");
  const std::uint64_t hash = table(DT_GNU_HASH);
  expect_refused<std::uint32_t>(hash, [](std::uint32_t& v) { v = 0; }, "no bucket");
  expect_refused<std::uint32_t>(hash, [](std::uint32_t& v) { v = 1U << 30U; }, "too many buckets");
  expect_refused<std::uint32_t>(hash + 8, [](std::uint32_t& v) { v = 3; }, "filter");
  expect_refused<std::uint32_t>(hash + 24, [](std::uint32_t& v) { v = 1U << 20U; }, "a bucket that leads elsewhere");
}

/// Mutates headers and tables, in which each byte has a meaning, more often than code.
class Mutator {
 public:
  explicit Mutator(const Bytes& whole) : whole_(whole) {
    Elf64_Ehdr header;
    std::memcpy(&header, whole.data(), sizeof header);
    std::uint64_t constants = 0;
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      Elf64_Phdr segment;
      std::memcpy(&segment, whole.data() + header.e_phoff + i * sizeof segment, sizeof segment);
      if (segment.p_type == PT_LOAD && constants == 0) constants = segment.p_filesz;
      if (segment.p_type == PT_DYNAMIC) aims_.push_back({segment.p_offset, segment.p_filesz});
    }
    aims_.push_back({0, constants});
    aims_.push_back({header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr)});
    aims_.push_back({0, whole.size()});
  }

  Bytes next() {
    Bytes out = whole_;
    for (std::uint64_t count = 1 + pick(4); count > 0; --count) {
      const auto [begin, size] = aims_[pick(aims_.size())];
      const std::uint64_t at = begin + pick(size);
      constexpr std::uint64_t kValues[] = {0, 1, 8, 0x18, 0x1000, 0x7fffffff, 0xfffffff8, ~std::uint64_t{0}};
      std::uint64_t value = pick(2) == 0 ? kValues[pick(std::size(kValues))] : random_();
      const std::uint64_t bytes = std::min<std::uint64_t>(std::uint64_t{1} << pick(4), out.size() - at);
      if (pick(3) == 0) {  // near the old value: just outside of something
        std::memcpy(&value, out.data() + at, bytes);
        value += pick(65) - 32;
      }
      std::memcpy(out.data() + at, &value, bytes);
    }
    return out;
  }

 private:
  std::uint64_t pick(std::uint64_t below) { return random_() % below; }

  const Bytes& whole_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> aims_;
  std::mt19937_64 random_{20};  // NOLINT: the same code objects every time
};

TEST_F(CodeObjectCheck, WhatPassesIsHarmless) {
  constexpr int kMutations = 6000;
  constexpr int kShown = 5;
  Mutator mutator(elf_);
  int accepted = 0;
  int crashed = 0;
  for (int i = 0; i < kMutations; ++i) {
    const Bytes code_object = mutator.next();
    if (!check_code_object(code_object).ok()) continue;
    ++accepted;
    const int status = open_in_child(code_object);
    if (status != 0 && ++crashed <= kShown) ADD_FAILURE() << "mutation " << i << ": the child ended with " << status;
  }
  EXPECT_EQ(crashed, 0) << "of " << accepted << " accepted";
  EXPECT_GT(accepted, kMutations / 20) << "mutations that never pass prove nothing";
  EXPECT_LT(accepted, kMutations) << "mutations that always pass change nothing";
}

}  // namespace
}  // namespace lanewise
