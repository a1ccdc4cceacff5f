// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Fields of arrays of structures, loaded and stored for all lanes at once, against plain C++. Memory ends, or begins, at
/// a page without access right beside what the kernel accesses.
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <functional>

#include "compiler/lanes/analysis/linear_form.h"
#include "tests/compiler/direct_harness.h"
#include "tests/compiler/isas.h"

namespace lanewise::test {
namespace {

constexpr unsigned kItems = 83;
constexpr unsigned kStrides[] = {2, 3, 4, 5, 8, 16};

/// Pages between two without access.
class Enclosed {
 public:
  Enclosed() : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))), mapped_(mapped(kPages * page_)) {
    mprotect(mapped_, page_, PROT_NONE);
    mprotect(mapped_ + ((kPages - 1) * page_), page_, PROT_NONE);
  }
  ~Enclosed() { munmap(mapped_, kPages * page_); }
  Enclosed(const Enclosed&) = delete;
  Enclosed& operator=(const Enclosed&) = delete;
  [[nodiscard]] char* begin() const { return mapped_ + page_; }
  [[nodiscard]] char* end() const { return mapped_ + ((kPages - 1) * page_); }

 private:
  static constexpr std::size_t kPages = 6;
  static char* mapped(std::size_t bytes) {
    return static_cast<char*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  }
  std::size_t page_;
  char* mapped_;
};

/// Which elements of a structure a kernel uses, as bits.
std::vector<unsigned> choices(unsigned stride) {
  const unsigned all = (1U << stride) - 1;
  std::vector<unsigned> result{all, 1, all & 0x3cU, all & 0x7f8U, all & 0x8007U};
  std::ranges::sort(result);
  result.erase(std::ranges::unique(result).begin(), result.end());
  std::erase(result, 0U);
  return result;
}

std::string name(const char* what, unsigned stride, unsigned used) {
  return what + std::to_string(stride) + "_" + std::to_string(used);
}

std::string source(const std::string& type) {
  std::string text;
  for (const unsigned stride : kStrides)
    for (const unsigned used : choices(stride)) {
      const std::string n = std::to_string(stride);
      std::string sum;
      std::string stores;
      for (unsigned e = 0; e < stride; ++e) {
        if ((used >> e & 1U) == 0) continue;
        const std::string element = "a[" + n + " * i + " + std::to_string(e) + "]";
        sum += " + " + std::to_string(e + 1) + " * (ulong)" + element;
        stores += " " + element + " = (" + type + ")(v * " + std::to_string(e + 1) + ");";
      }
      text += "kernel void " + name("load", stride, used) + "(global const " + type +
              "* a, global ulong* b) { const int i = get_global_id(0); b[i] = 0" + sum + "; }\n";
      text += "kernel void " + name("store", stride, used) + "(global " + type +
              "* a, global ulong* b) { const size_t i = get_global_id(0); const ulong v = b[i];" + stores + " }\n";
    }
  return text;
}

class FieldGroupsOf : public testing::TestWithParam<const char*> {
 protected:
  /// Calls `test` for structures of all strides, at both ends of the memory: the first used element, and bits from there.
  template <class T>
  void for_each_place(const std::function<void(T* first, unsigned stride, unsigned used)>& test) {
    for (const unsigned stride : kStrides)
      for (const unsigned used : choices(stride))
        for (const bool at_end : {false, true}) {
          const auto low = static_cast<unsigned>(std::countr_zero(used));
          const std::size_t last = (kItems - 1) * stride + static_cast<unsigned>(std::bit_width(used));
          T* bytes = at_end ? reinterpret_cast<T*>(memory_.end()) - last : reinterpret_cast<T*>(memory_.begin()) - low;
          for (std::size_t e = low; e < last; ++e) bytes[e] = static_cast<T>((e * 2654435761U) >> 3U);
          test(bytes, stride, used);
        }
  }
  template <class T>
  void check() {
    for (const Isa isa : runnable_levels()) {
      // 16 of the small ones are less than a register, of the large ones several.
      const abi::Reply reply = build_vectors(source(GetParam()), 16, isa);
      ASSERT_EQ(reply.status, 0) << reply.log;
      for_each_place<T>([&](T* a, unsigned stride, unsigned used) { check_load(reply, a, stride, used); });
      for_each_place<T>([&](T* a, unsigned stride, unsigned used) { check_store(reply, a, stride, used); });
    }
  }
  template <class T>
  void check_load(const abi::Reply& reply, T* a, unsigned stride, unsigned used) {
    std::vector<std::uint64_t> b(kItems);
    run_direct(reply, name("load", stride, used), Range(kItems, kItems), {{Arg::Kind::buffer, a, 1, {}}, buffer(b)},
               nullptr);
    for (std::size_t i = 0; i < kItems; ++i) {
      std::uint64_t sum = 0;
      for (unsigned e = 0; e < stride; ++e)
        if ((used >> e & 1U) != 0) sum += (e + 1) * std::uint64_t{a[i * stride + e]};
      ASSERT_EQ(b[i], sum) << "load, stride " << stride << ", used " << used << ", item " << i;
    }
  }
  template <class T>
  void check_store(const abi::Reply& reply, T* a, unsigned stride, unsigned used) {
    std::vector<std::uint64_t> b(kItems);
    for (std::size_t i = 0; i < kItems; ++i) b[i] = i * 0x9e3779b97f4a7c15U;
    const auto low = static_cast<unsigned>(std::countr_zero(used));
    const std::size_t last = (kItems - 1) * stride + static_cast<unsigned>(std::bit_width(used));
    std::vector<T> expected(a + low, a + last);
    for (std::size_t e = low; e < last; ++e)
      if ((used >> (e % stride) & 1U) != 0) expected[e - low] = static_cast<T>(b[e / stride] * (e % stride + 1));
    run_direct(reply, name("store", stride, used), Range(kItems, kItems), {{Arg::Kind::buffer, a, 1, {}}, buffer(b)},
               nullptr);
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), a + low))
        << "store, stride " << stride << ", used " << used;
  }

  Enclosed memory_;
};

TEST_P(FieldGroupsOf, AreThoseOfEachWorkItem) {
  const std::string type = GetParam();
  if (type == "uchar") return check<std::uint8_t>();
  if (type == "ushort") return check<std::uint16_t>();
  if (type == "uint") return check<std::uint32_t>();
  check<std::uint64_t>();
}

INSTANTIATE_TEST_SUITE_P(Types, FieldGroupsOf, testing::Values("uchar", "ushort", "uint", "ulong"),
                         [](const testing::TestParamInfo<const char*>& info) { return std::string(info.param); });

/// Vectors as fields, fields of several sizes and types, orders of loads and stores that matter, and pointers to the
/// same structures. `b` is `a`, one element further on.
constexpr const char* kOrders = R"(
  typedef struct { float4 place; float4 speed; } Particle;
  typedef struct { uint a; ushort b; uchar c[2]; float d; ulong e; } Record;
  kernel void particles(global Particle* a, global uint* b) { size_t i = get_global_id(0);
    Particle p = a[i]; p.place.xyz = p.place.xyz * 0.5f + p.speed.zyx; p.speed.w = p.place.x; a[i] = p; }
  kernel void parts(global Particle* a, global uint* b) { size_t i = get_global_id(0);
    a[i].place.xyz += a[i].speed.xyz; a[i].speed.y = a[i].place.z; }
  kernel void records(global Record* a, global uint* b) { int i = get_global_id(0);
    a[i].a += a[i].b * a[i].c[1]; a[i].e ^= a[i].a; a[i].b = a[i].e; a[i].d = a[i].c[0]; }
  kernel void swaps(global uint* a, global uint* b) { int i = get_global_id(0);
    uint t = a[4 * i]; a[4 * i] = a[4 * i + 3]; a[4 * i + 3] = t; a[4 * i + 1] = a[4 * i] + a[4 * i + 2]; }
  kernel void again(global uint* a, global uint* b) { int i = get_global_id(0);
    a[2 * i] = 5; a[2 * i + 1] = a[2 * i] + i; a[2 * i] = a[2 * i + 1] * 3; }
  kernel void same(global uint* a, global uint* b) { int i = get_global_id(0);
    uint s = a[4 * i + 1]; b[4 * i] = 77 + i; b[4 * i + 2] = a[4 * i + 1] + s; a[4 * i + 3] = b[4 * i] + b[4 * i + 2]; }
  kernel void stored(global uint* a, global uint* b) { int i = get_global_id(0);
    a[2 * i + 1] = i; a[2 * i + 2] = b[2 * i] * 7; }
  kernel void half_masked(global uint* a, global uint* b) { int i = get_global_id(0);
    if (a[3 * i] & 1) { a[3 * i + 1] = a[3 * i + 2]; a[3 * i + 2] = 1; a[3 * i] = 9; } }
  kernel void fences(global volatile uint* a, global uint* b) { int i = get_global_id(0);
    a[2 * i] = 1; a[2 * i + 1] = a[2 * i] + 4; atomic_inc(&a[2 * i]); a[2 * i + 1] += a[2 * i]; }
  kernel void beyond(global uint* a, global uint* b) { int i = get_global_id(0);
    uint s = a[2 * i] + a[2 * i + 5] * 3; a[2000 + 2 * i] = s; a[2001 + 2 * i] = s * 5; })";

TEST(FieldGroups, KeepTheOrderOfAccesses) {
  const char* names[] = {"particles", "parts",  "records",     "swaps",  "again",
                         "same",      "stored", "half_masked", "fences", "beyond"};
  const auto left = [](const abi::Reply& reply, const char* kernel) {
    std::vector<std::uint32_t> a(4096);
    for (std::uint32_t i = 0; i < a.size(); ++i) a[i] = 0x3f800000U + ((i * 2654435761U) >> 9U);
    run_direct(reply, kernel, Range(kItems, kItems),
               {buffer(a), {Arg::Kind::buffer, a.data() + 1, (a.size() - 1) * sizeof(a[0]), {}}}, nullptr);
    return a;
  };
  for (const Isa isa : runnable_levels()) {
    const abi::Reply scalar = build_vectors(kOrders, 1, isa);
    ASSERT_EQ(scalar.status, 0) << scalar.log;
    for (const unsigned width : {0U, 4U, 8U, 16U, 32U}) {
      const abi::Reply reply = build_vectors(kOrders, width, isa);
      ASSERT_EQ(reply.status, 0) << reply.log;
      for (const char* kernel : names)
        EXPECT_EQ(left(reply, kernel), left(scalar, kernel)) << kernel << ", width " << width << ", " << isa.name();
    }
  }
}

// --- the form of an address by which fields are told apart -------------------------------------------------------------

struct Index {
  const char* name;
  const char* code;                       ///< computes %i, the index of a float as 64 bits, from %u, which has 32
  std::int64_t (*value)(std::int64_t u);  ///< the index for a %u for which nothing wraps
  spmd::Extension extension;              ///< of %u in the form
  std::int64_t scale;                     ///< of %u, in bytes
  std::int64_t offset;                    ///< in bytes
};

constexpr Index kIndices[] = {
    {"NegativeFactor", "%a = add nsw i32 %u, 1\n%b = mul nsw i32 %a, -3\n%i = sext i32 %b to i64",
     [](std::int64_t u) { return (u + 1) * -3; }, spmd::Extension::sign, -12, -12},
    {"NegativeFactorAndSummand", "%a = mul nsw i32 %u, -3\n%b = add nsw i32 %a, -3\n%i = sext i32 %b to i64",
     [](std::int64_t u) { return u * -3 - 3; }, spmd::Extension::sign, -12, -12},
    {"LargeFactorWithoutSign", "%a = add nuw i32 %u, 1\n%b = mul nuw i32 %a, -2147483648\n%i = zext i32 %b to i64",
     [](std::int64_t u) { return (u + 1) * 2147483648; }, spmd::Extension::zero, 8589934592, 8589934592},
    {"NegativeSummandShifted", "%a = add nsw i32 %u, -5\n%b = shl nsw i32 %a, 2\n%i = sext i32 %b to i64",
     [](std::int64_t u) { return (u - 5) * 4; }, spmd::Extension::sign, 16, -80},
    {"WideNegativeFactor", "%a = sext i32 %u to i64\n%b = add i64 %a, 2\n%i = mul i64 %b, -7",
     [](std::int64_t u) { return (u + 2) * -7; }, spmd::Extension::sign, -28, -56},
    {"FactorOfAProduct", "%a = mul nsw i32 %u, -3\n%b = mul nsw i32 %a, -5\n%i = sext i32 %b to i64",
     [](std::int64_t u) { return u * 15; }, spmd::Extension::sign, 60, 0},
};

class FormOf : public testing::TestWithParam<Index> {};

TEST_P(FormOf, AnAddressIsTheAddress) {
  const Index& index = GetParam();
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const auto module = llvm::parseAssemblyString(std::string("define ptr @f(ptr %root, i32 %u) {\n") + index.code +
                                                    "\n%p = getelementptr float, ptr %root, i64 %i\nret ptr %p\n}\n",
                                                diagnostic, context);
  ASSERT_NE(module, nullptr) << diagnostic.getMessage().str();
  const llvm::Function& function = *module->getFunction("f");
  const auto* address = llvm::cast<llvm::ReturnInst>(function.getEntryBlock().getTerminator())->getReturnValue();
  const spmd::LinearForm form = spmd::linear_form(*address, module->getDataLayout());
  EXPECT_EQ(form.root, function.getArg(0));
  ASSERT_EQ(form.terms.size(), 1U);
  EXPECT_EQ(form.terms[0].value, function.getArg(1));
  EXPECT_EQ(form.terms[0].extension, index.extension);
  EXPECT_EQ(static_cast<std::int64_t>(form.terms[0].scale), index.scale);
  EXPECT_EQ(static_cast<std::int64_t>(form.offset), index.offset);
  const std::int64_t least = index.extension == spmd::Extension::sign ? -1000 : 0;
  const std::int64_t most = index.extension == spmd::Extension::sign ? 1000 : 0;
  for (std::int64_t u = least; u <= most; ++u)
    ASSERT_EQ(static_cast<std::int64_t>(form.offset + form.terms[0].scale * static_cast<std::uint64_t>(u)),
              4 * index.value(u))
        << u;
}

INSTANTIATE_TEST_SUITE_P(All, FormOf, testing::ValuesIn(kIndices),
                         [](const testing::TestParamInfo<Index>& info) { return std::string(info.param.name); });

/// Two ways to write one index are one place: the second kind of the form takes what a store between the two loads wrote.
TEST(FormOf, OneAddressWrittenInTwoWays) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const auto module = llvm::parseAssemblyString(R"(define void @f(ptr %root, i32 %u) {
    %a = add nsw i32 %u, 1
    %b = mul nsw i32 %a, -3
    %i = sext i32 %b to i64
    %p = getelementptr float, ptr %root, i64 %i
    %c = mul nsw i32 %u, -3
    %d = add nsw i32 %c, -3
    %j = sext i32 %d to i64
    %q = getelementptr float, ptr %root, i64 %j
    ret void
  })",
                                                diagnostic, context);
  ASSERT_NE(module, nullptr) << diagnostic.getMessage().str();
  llvm::SmallVector<spmd::LinearForm> forms;
  for (const llvm::Instruction& i : llvm::instructions(*module->getFunction("f")))
    if (llvm::isa<llvm::GetElementPtrInst>(i)) forms.push_back(spmd::linear_form(i, module->getDataLayout()));
  ASSERT_EQ(forms.size(), 2U);
  EXPECT_TRUE(forms[0].is_parallel(forms[1]));
  EXPECT_EQ(forms[0].offset, forms[1].offset);
}

}  // namespace
}  // namespace lanewise::test
